"""How near the electrons are to other particles: where singular or kinked potentials stop being differentiable."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.particles import Particles


class Encounters(NamedTuple):
    """For every electron (with a leading axis for a batch): the nearest proton, the nearest other electron, and their
    distances.

    Particles of charge 0 are not there: nobody meets them, and they meet nobody (their distances are infinite).
    """

    to_proton: Float[Array, "*batch k"]
    proton: Int[Array, "*batch k"]
    to_electron: Float[Array, "*batch k"]
    electron: Int[Array, "*batch k"]

    @property
    def nearest(self) -> Float[Array, "*batch k"]:
        """The distance of each electron to the nearest particle of either kind."""
        return jnp.minimum(self.to_proton, self.to_electron)


def encounters(landscape: Particles, params: Electrons) -> Encounters:
    """Distances in the ambient space; where θ and −θ are the same unit, to the nearer one of the two.

    >>> import jax.numpy as jnp
    >>> from earnshaw.duality import potentials
    >>> landscape = Particles(potentials.gaussian(), [[0.0], [5.0]])
    >>> met = encounters(landscape, Electrons(jnp.array([[1.0], [3.0]])))
    >>> met.to_proton.tolist(), met.proton.tolist(), met.to_electron.tolist()
    ([1.0, 2.0], [0, 1], [2.0, 2.0])
    """
    there = landscape.charges_of(params) != 0
    up_to_sign = landscape.parity is not None
    to_protons = _distances(params.positions, landscape.protons, up_to_sign)
    to_protons = jnp.where(there[:, None] & (landscape.charges != 0)[None, :], to_protons, jnp.inf)
    to_electrons = _distances(params.positions, params.positions, up_to_sign)
    pairs = there[:, None] & there[None, :] & ~jnp.eye(there.size, dtype=bool)
    to_electrons = jnp.where(pairs, to_electrons, jnp.inf)
    return Encounters(
        jnp.min(to_protons, axis=1),
        jnp.argmin(to_protons, axis=1),
        jnp.min(to_electrons, axis=1),
        jnp.argmin(to_electrons, axis=1),
    )


def _distances(x: Float[Array, "n d"], y: Float[Array, "m d"], up_to_sign: bool) -> Float[Array, "n m"]:
    squares = jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)
    if up_to_sign:
        squares = jnp.minimum(squares, jnp.sum((x[:, None, :] + y[None, :, :]) ** 2, axis=-1))
    return jnp.sqrt(squares)
