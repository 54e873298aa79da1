"""The unit sphere, one point or many."""

from functools import reduce

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from earnshaw.geometry.manifold import Manifold, Point, leaves
from earnshaw.geometry.norms import normalise, safe_norm
from earnshaw.geometry.sampling import uniform_sphere


class Sphere(Manifold):
    """The unit sphere S^{d-1} of the last axis; leading axes are independent points, so shape (k, d) is (S^{d-1})^k.

    The retraction x ↦ (x + v)/‖x + v‖ is the metric projection, which agrees with the geodesic to second order.

    >>> import jax.numpy as jnp
    >>> Sphere().to_tangent(jnp.array([1.0, 0.0]), jnp.array([2.0, 3.0])).tolist()
    [0.0, 3.0]
    """

    def project(self, x: Point) -> Point:
        """x / ‖x‖, and the first axis for x = 0, where no point of the sphere is nearest."""
        return jax.tree.map(normalise, x)

    def to_tangent(self, x: Point, v: Point) -> Point:
        """V − (xᵀv) x."""
        return jax.tree.map(_tangent_part, x, v)

    def retract(self, x: Point, v: Point) -> Point:
        """(x + v) / ‖x + v‖."""
        return jax.tree.map(lambda xi, vi: normalise(xi + vi), x, v)

    def hessian_action(self, x: Point, egrad: Point, ehvp: Point, v: Point) -> Point:
        """P(ehvp) − (xᵀ egrad) v for each point, P the projection on its tangent space."""

        def act(
            xi: Float[Array, "*n d"], gi: Float[Array, "*n d"], hi: Float[Array, "*n d"], vi: Float[Array, "*n d"]
        ) -> Float[Array, "*n d"]:
            return _tangent_part(xi, hi) - jnp.sum(xi * gi, axis=-1, keepdims=True) * vi

        return jax.tree.map(act, x, egrad, ehvp, v)

    def tangent_basis(self, x: Point) -> Float[Array, "ambient dim"]:
        """One block for each point: the reflection that takes the point to an axis, without that axis' column."""
        blocks = [_complement(point) for leaf in leaves(x) for point in leaf.reshape(-1, leaf.shape[-1])]
        return jax.scipy.linalg.block_diag(*blocks)

    def contains(self, x: Point, tolerance: float = 1e-9) -> Bool[Array, ""]:
        """Whether every point has norm 1 up to `tolerance`."""
        on = (jnp.all(jnp.abs(safe_norm(leaf) - 1) <= tolerance) for leaf in leaves(x))
        return reduce(jnp.logical_and, on, jnp.array(True))

    def uniform(self, key: PRNGKeyArray, shape: tuple[int, ...]) -> Float[Array, "..."]:
        """Independent uniform points: an array of the given shape, whose last axis is the ambient one."""
        return uniform_sphere(key, shape)


def _tangent_part(x: Float[Array, "*n d"], v: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
    return v - jnp.sum(x * v, axis=-1, keepdims=True) * x


def _complement(x: Float[Array, " d"]) -> Float[Array, "d dim"]:
    """The last d − 1 columns of the Householder reflection between x and the first axis: well conditioned for all x."""
    mirror = x.at[0].add(jnp.where(x[0] >= 0, 1.0, -1.0))
    reflection = jnp.eye(x.size) - 2 * jnp.outer(mirror, mirror) / jnp.sum(mirror**2)
    return reflection[:, 1:]
