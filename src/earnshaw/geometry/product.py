"""Products of manifolds, for parameters whose parts live in different spaces."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from earnshaw.geometry.manifold import Manifold, Point


class Product(Manifold):
    """A product of manifolds: `factors` is a pytree of manifolds whose structure is a prefix of the parameters'.

    >>> import jax.numpy as jnp
    >>> from earnshaw.geometry import Euclidean, Sphere
    >>> space = Product({"charge": Euclidean(), "place": Sphere()})
    >>> moved = space.project({"charge": jnp.array([2.0]), "place": jnp.array([0.0, 2.0])})
    >>> moved["charge"].tolist(), moved["place"].tolist()
    ([2.0], [0.0, 1.0])
    """

    factors: Any

    def project(self, x: Point) -> Point:
        """Each part on its own factor."""
        return self._each(lambda factor, xi: factor.project(xi), x)

    def to_tangent(self, x: Point, v: Point) -> Point:
        """Each part on its own factor."""
        return self._each(lambda factor, xi, vi: factor.to_tangent(xi, vi), x, v)

    def retract(self, x: Point, v: Point) -> Point:
        """Each part on its own factor."""
        return self._each(lambda factor, xi, vi: factor.retract(xi, vi), x, v)

    def hessian_action(self, x: Point, egrad: Point, ehvp: Point, v: Point) -> Point:
        """Each part on its own factor: the second fundamental form of a product is block diagonal."""
        return self._each(lambda factor, *parts: factor.hessian_action(*parts), x, egrad, ehvp, v)

    def tangent_basis(self, x: Point) -> Float[Array, "ambient dim"]:
        """The bases of the factors, as diagonal blocks."""
        bases: list[Any] = []
        self._each(lambda factor, xi: bases.append(factor.tangent_basis(xi)), x)
        return jax.scipy.linalg.block_diag(*bases)

    def contains(self, x: Point, tolerance: float = 1e-9) -> Bool[Array, ""]:
        """Whether each part lies on its own factor."""
        inside: list[Any] = []
        self._each(lambda factor, xi: inside.append(factor.contains(xi, tolerance)), x)
        return reduce(jnp.logical_and, inside, jnp.array(True))

    def _each(self, act: Callable[..., Any], *trees: Point) -> Point:
        return jax.tree.map(act, self.factors, *trees, is_leaf=lambda node: isinstance(node, Manifold))
