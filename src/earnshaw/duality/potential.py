"""What every potential can do, whatever it depends on."""

import abc
from typing import ClassVar, Literal

import equinox as eqx
import jax
from jaxtyping import Array, Float

Space = Literal["euclidean", "sphere"]


class Potential(eqx.Module):
    """A symmetric function Φ(θ, w) of two points, evaluated on all pairs at once.

    A family (`Radial`, `Zonal`, `Dual`, `Separable`) implements `matrix`, `surroundings`, `self_energy` and
    `laplacian`. All of them are differentiable twice and have the limits of the mathematics where points coincide,
    oppose each other or vanish; where a derivative does not exist the family says which subgradient it uses.
    """

    space: ClassVar[Space] = "euclidean"

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """What tables and messages call this potential."""

    @abc.abstractmethod
    def matrix(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        """Φ(xᵢ, yⱼ) for every pair."""

    @abc.abstractmethod
    def surroundings(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
        """[Φ(xᵢ, xⱼ), Φ(xᵢ, yⱼ)] with 0 where a point meets itself: all that acts on the points x.

        One product instead of two, and half the work of autodiff; finite gradients for singular potentials.
        """

    def accurate_at(self, *points: Array) -> "Potential":
        """This potential, accurate at these points (with any leading axes): itself, unless it is a series."""
        return self

    def interactions(self, x: Float[Array, "n d"]) -> Float[Array, "n n"]:
        """Φ(xᵢ, xⱼ) off the diagonal and 0 on it."""
        return self.surroundings(x, x[:0])

    @abc.abstractmethod
    def self_energy(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """Φ(xᵢ, xᵢ)."""

    @abc.abstractmethod
    def laplacian(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Δ in the first argument: of R^d, or Laplace-Beltrami for potentials that live on the sphere."""

    def __call__(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Φ(x, y) for one pair."""
        return self.matrix(x[None], y[None])[0, 0]

    def gradient(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, " d"]:
        """∇Φ in the first argument, in the ambient space."""
        return jax.grad(self.__call__)(x, y)
