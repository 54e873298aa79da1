"""What every potential can do, whatever it depends on."""

import abc
from typing import Any, ClassVar, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import numbers

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

    def laplace_beltrami(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Δ of the sphere S^{d−1} in the first argument, at unit vectors: ΔΦ − xᵀ(∇²Φ)x − (d − 1)xᵀ∇Φ.

        >>> import jax.numpy as jnp
        >>> from earnshaw.duality import potentials
        >>> float(potentials.gaussian().laplace_beltrami(jnp.eye(3)[0], jnp.eye(3)[0]))
        -2.0
        """
        x, y = one_pair(x, y)
        hessian, gradient = jax.hessian(self.__call__)(x, y), self.gradient(x, y)
        return jnp.trace(hessian) - x @ hessian @ x - (x.size - 1) * (x @ gradient)

    def __call__(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Φ(x, y) for one pair."""
        x, y = one_pair(x, y)
        return self.matrix(x[None], y[None])[0, 0]

    def gradient(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, " d"]:
        """∇Φ in the first argument, in the ambient space."""
        return jax.grad(self.__call__)(*one_pair(x, y))


def one_pair(x: Any, y: Any) -> tuple[Float[Array, " d"], Float[Array, " d"]]:
    """Two points of one space, or the sentence that says why they are not.

    >>> [point.shape for point in one_pair([1, 0], [0.5, 2.0])]
    [(2,), (2,)]
    """
    return _of_one_space(x, y, 1, "two points must be vectors of one length d")


def point_sets(x: Any, y: Any) -> tuple[Float[Array, "n d"], Float[Array, "m d"]]:
    """Two sets of points of one space, a row for each, or the sentence that says why they are not.

    >>> [points.shape for points in point_sets([[1, 0]], [[0.5, 2.0], [1.0, 1.0]])]
    [(1, 2), (2, 2)]
    """
    return _of_one_space(x, y, 2, "two sets of points must have shapes (n, d) and (m, d)")


def _of_one_space(x: Any, y: Any, axes: int, wanted: str) -> tuple[Array, Array]:
    x, y = numbers("points", x), numbers("points", y)
    if x.ndim != axes or y.ndim != axes or x.shape[-1] != y.shape[-1]:
        raise EarnshawError(f"{wanted}, got shapes {x.shape} and {y.shape}")
    return x, y
