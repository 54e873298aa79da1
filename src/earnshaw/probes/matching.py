"""How far the electrons are from the protons, whichever goes to whichever."""

import math
from typing import Any, Literal

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape
from earnshaw.numerics.assignment import cheapest_assignment

Parity = Literal["even", "odd"] | None


def match(
    positions: Float[Array, "k d"], protons: Float[Array, "K d"], *, up_to_sign: bool = False
) -> tuple[Float[Array, " pairs"], Int[Array, " pairs"]]:
    """Pair electrons and protons with the least sum of squared distances; min(k, K) pairs.

    Returns the distance of each pair, and the other one's number: the proton of each electron if k ≤ K, otherwise the
    electron of each proton. With `up_to_sign`, θ and −θ are the same unit. Electrons that are not finite get infinite
    distances.

    >>> distances, proton = match(jnp.array([[0.0, 1.0], [-1.0, 0.0]]), jnp.eye(2), up_to_sign=True)
    >>> distances.tolist(), proton.tolist()
    ([0.0, 0.0], [1, 0])
    """
    differences = positions[:, None, :] - protons[None, :, :]
    squares = jnp.sum(differences**2, axis=-1)
    if up_to_sign:
        sums = positions[:, None, :] + protons[None, :, :]
        squares = jnp.minimum(squares, jnp.sum(sums**2, axis=-1))
    squares = jnp.where(jnp.isnan(squares), jnp.inf, squares)
    squares = squares if squares.shape[0] <= squares.shape[1] else squares.T
    partner = cheapest_assignment(squares)
    return jnp.sqrt(jnp.take_along_axis(squares, partner[:, None], axis=1)[:, 0]), partner


class _Matching:
    """A class and not a closure, so that two probes with equal settings are equal and compile once."""

    def __init__(self, up_to_sign: bool | None):
        self._up_to_sign = up_to_sign

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Matching) and self._up_to_sign == other._up_to_sign

    def __hash__(self) -> int:
        return hash((_Matching, self._up_to_sign))

    def __call__(self, landscape: Landscape, state: State) -> dict[str, Array]:
        protons = getattr(landscape, "protons", None)
        positions = getattr(state.params, "positions", None)
        if protons is None or positions is None:
            raise EarnshawError(
                "the probe 'matching' needs a landscape of electrons and protons, such as Particles, "
                f"not {type(landscape).__name__}"
            )
        up_to_sign = _sign_symmetric(landscape, state.params) if self._up_to_sign is None else self._up_to_sign
        distances, partner = match(positions, protons, up_to_sign=up_to_sign)
        return {
            "matching": jnp.linalg.norm(distances) / math.sqrt(distances.size),
            "matching_worst": jnp.max(distances),
            "matching_partner": partner,
        }


def _sign_symmetric(landscape: Landscape, params: Any) -> bool:
    """Whether (θ, a) and (−θ, ±a) are the same unit: σ even, or σ odd and the charge free to change its sign."""
    parity: Parity = getattr(getattr(landscape, "potential", None), "parity", None)
    return parity == "even" or (parity == "odd" and getattr(params, "charges", None) is not None)


def matching(*, up_to_sign: bool | None = None) -> Probe:
    """Distance of the electrons to the protons under the best pairing, which is found anew at every record.

    `matching` is the root mean square distance over the pairs and `matching_worst` the largest one; both are 0 when
    the teacher is found. `matching_partner` is the pairing (see `match`). `up_to_sign` identifies θ with −θ; `None`
    does so when the potential's activation is even, or odd and the charges are learned.

    >>> matching().name
    'matching'
    """
    return Probe("matching", _Matching(up_to_sign), long_name="root mean square distance of electrons to protons")
