"""The moving particles, and one representative of each class of indistinguishable arrangements of them."""

from typing import Literal, NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

#: What σ(−t) is: σ(t), −σ(t), or neither.
Parity = Literal["even", "odd"] | None

#: Differences below this do not decide the order of two electrons, so that converged copies of one critical point,
#: which differ by rounding, come out in the same order.
RESOLUTION = 1e-6


class Electrons(NamedTuple):
    """Where the electrons are and what they carry: the parameters of `Particles`.

    >>> Electrons(jnp.zeros((3, 2)), None).positions.shape
    (3, 2)
    """

    #: θ, one row for each electron.
    positions: Float[Array, "k d"]
    #: a, or `None` when the charges are fixed and therefore no parameters.
    charges: Float[Array, " k"] | None = None


def canonical(electrons: Electrons, parity: Parity, fixed_charges: Float[Array, " k"] | None) -> Electrons:
    """One representative of the arrangements with the same loss.

    Electrons of one charge may be exchanged, so they are sorted by position. For an even activation θ and −θ are the
    same unit, and for an odd one (θ, a) and (−θ, −a), so the first coordinate that is not small is made positive.
    An odd activation with fixed charges has no such freedom.

    >>> canonical(Electrons(jnp.array([[2.0], [-1.0]]), jnp.ones(2)), None, None).positions.ravel().tolist()
    [-1.0, 2.0]
    """
    positions, charges = electrons
    if parity == "even":
        positions = positions * _signs(positions)[:, None]
    elif parity == "odd" and charges is not None:
        signs = _signs(positions)
        positions, charges = positions * signs[:, None], charges * signs

    coordinates = tuple(_rounded(column) for column in positions.T[::-1])
    if charges is not None:
        order = jnp.lexsort((_rounded(charges), *coordinates))
        return Electrons(positions[order], charges[order])
    if fixed_charges is None:
        return Electrons(positions[jnp.lexsort(coordinates)])
    # The slots of each charge keep their places, and the electrons are sorted within them.
    order, slots = jnp.lexsort((*coordinates, fixed_charges)), jnp.argsort(fixed_charges, stable=True)
    return Electrons(jnp.zeros_like(positions).at[slots].set(positions[order]))


def _signs(positions: Float[Array, "k d"]) -> Float[Array, " k"]:
    largest = jnp.max(jnp.abs(positions), axis=1, keepdims=True)
    first = jnp.argmax(jnp.abs(positions) > RESOLUTION * largest, axis=1)
    leading = jnp.take_along_axis(positions, first[:, None], axis=1)[:, 0]
    return jnp.where(leading < 0, -1.0, 1.0)


def _rounded(values: Float[Array, " k"]) -> Float[Array, " k"]:
    return jnp.round(values / RESOLUTION)
