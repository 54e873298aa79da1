"""What a descent needs to know about the space that it moves in."""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
from jaxtyping import Array, Bool, Float, PyTree

#: Parameters, tangent vectors and gradients: pytrees of arrays, all of one structure. `None` is an empty leaf.
Point = Any


class Manifold(eqx.Module):
    """A submanifold of a Euclidean space of pytrees, with the metric of that space.

    Every method takes and returns pytrees with the structure of the point `x`. A tangent vector is an ambient one
    that lies in the tangent space, so no coordinates are ever chosen, except by `tangent_basis`.
    """

    @abstractmethod
    def project(self, x: Point) -> Point:
        """The point of the manifold nearest to the ambient point `x`."""

    @abstractmethod
    def to_tangent(self, x: Point, v: Point) -> Point:
        """The orthogonal projection of the ambient vector `v` on the tangent space at `x`."""

    @abstractmethod
    def retract(self, x: Point, v: Point) -> Point:
        """The point reached from `x` along the tangent vector `v`; agrees with the geodesic to second order."""

    @abstractmethod
    def hessian_action(self, x: Point, egrad: Point, ehvp: Point, v: Point) -> Point:
        """The Riemannian Hessian applied to the tangent vector `v`.

        `egrad` is the ambient gradient at `x`, and `ehvp` the ambient Hessian applied to `v`.
        """

    @abstractmethod
    def tangent_basis(self, x: Point) -> Float[Array, "ambient dim"]:
        """Orthonormal columns that span the tangent space at `x`, in the order of `jax.flatten_util.ravel_pytree`."""

    @abstractmethod
    def contains(self, x: Point, tolerance: float = 1e-9) -> Bool[Array, ""]:
        """Whether `x` is finite and lies on the manifold, up to `tolerance` in the norm of each point."""

    def gradient(self, x: Point, egrad: Point) -> Point:
        """The Riemannian gradient, from the ambient one: its tangent part."""
        return self.to_tangent(x, egrad)


def leaves(x: PyTree) -> list[Array]:
    """The arrays of a pytree, in the order in which `ravel_pytree` puts them."""
    return jax.tree.leaves(x)
