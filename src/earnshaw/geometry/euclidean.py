"""Flat space."""

from functools import reduce

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from earnshaw.geometry.manifold import Manifold, Point, leaves


class Euclidean(Manifold):
    """All of the space: every projection is the identity.

    >>> import jax.numpy as jnp
    >>> Euclidean().retract(jnp.array([1.0, 2.0]), jnp.array([0.5, 0.0])).tolist()
    [1.5, 2.0]
    """

    def project(self, x: Point) -> Point:
        """The point itself."""
        return x

    def to_tangent(self, x: Point, v: Point) -> Point:
        """The vector itself."""
        return v

    def retract(self, x: Point, v: Point) -> Point:
        """x + v."""
        return jax.tree.map(jnp.add, x, v)

    def hessian_action(self, x: Point, egrad: Point, ehvp: Point, v: Point) -> Point:
        """The ambient Hessian-vector product itself."""
        return ehvp

    def tangent_basis(self, x: Point) -> Float[Array, "ambient dim"]:
        """The identity matrix."""
        return jnp.eye(sum(leaf.size for leaf in leaves(x)))

    def contains(self, x: Point, tolerance: float = 1e-9) -> Bool[Array, ""]:
        """Whether every entry is finite."""
        return reduce(jnp.logical_and, (jnp.all(jnp.isfinite(leaf)) for leaf in leaves(x)), jnp.array(True))
