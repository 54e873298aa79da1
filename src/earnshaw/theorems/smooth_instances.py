"""Smooth losses with a region, a bound on their Hessian and known saddles, for theorems about descent in general.

For zps17, Theorems B.5 and B.7 and Corollary B.6.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from earnshaw.errors import unknown_name
from earnshaw.geometry import Euclidean, Manifold, uniform_ball, uniform_sphere
from earnshaw.landscapes import DoubleWell, Landscape, RayleighQuotient


class TiltedWell(Landscape):
    """(x₁² − 1)²/4 + x₁/10 + x₂²/2: the minimum with x₁ > 0 is not global.

    >>> bool(TiltedWell().loss(jnp.array([1.0, 0.0])) > TiltedWell().loss(jnp.array([-1.0, 0.0])))
    True
    """

    manifold: Manifold = Euclidean()

    def loss(self, params: Float[Array, "2"]) -> Float[Array, ""]:
        """(x₁² − 1)²/4 + x₁/10 + x₂²/2."""
        return (params[0] ** 2 - 1) ** 2 / 4 + params[0] / 10 + params[1] ** 2 / 2

    def init(self, key: PRNGKeyArray) -> Float[Array, "2"]:
        """Uniform in the disc of radius 2."""
        return uniform_ball(key, (2,), 2.0)

    def minimisers(self) -> tuple[Float[Array, "2"], ...]:
        """The real root of x³ − x + 1/10 below −1, with x₂ = 0."""
        return (jnp.array([np.min(np.roots([1.0, 0.0, -1.0, 0.1]).real), 0.0]),)


class Runaway(Landscape):
    """x²e^{−x}, whose only critical points are the global minimum 0 and the maximum 2; from beyond 2 descent goes on
    forever.

    >>> Runaway().loss(jnp.zeros(1)).item()
    0.0
    """

    manifold: Manifold = Euclidean()

    def loss(self, params: Float[Array, "1"]) -> Float[Array, ""]:
        """x²e^{−x}."""
        return params[0] ** 2 * jnp.exp(-params[0])

    def init(self, key: PRNGKeyArray) -> Float[Array, "1"]:
        """Uniform on [−1, 6]."""
        return jax.random.uniform(key, (1,), minval=-1.0, maxval=6.0)

    def minimisers(self) -> tuple[Float[Array, "1"], ...]:
        """0."""
        return (jnp.zeros(1),)


class Instance(NamedTuple):
    """A loss f on a region Ω with ‖∇²f‖ ≤ `bound` there."""

    landscape: Landscape
    bound: float
    draw: Callable[[PRNGKeyArray, int], Array]
    """Random points of Ω from a density."""
    inside: Callable[[Array], Bool[Array, " n"]]
    """Which points of a batch are in Ω."""
    stable: Array
    """A point from which exact descent ends at a critical point that is no minimum."""


def _disc(landscape: Landscape) -> Instance:
    return Instance(
        landscape,
        bound=11.0,  # |3x₁² − 1| ≤ 11 for |x₁| ≤ 2
        draw=lambda key, count: uniform_ball(key, (count, 2), 2.0),
        inside=lambda x: jnp.sum(x**2, axis=1) <= 4 + 1e-9,
        stable=jnp.array([0.0, 1.0]),
    )


def _rayleigh() -> Instance:
    return Instance(
        RayleighQuotient(np.diag([1.0, 2.0, 4.0])),
        bound=6.0,  # eigenvalues are differences of those of 2A
        draw=lambda key, count: uniform_sphere(key, (count, 3)),
        inside=lambda x: jnp.abs(jnp.sum(x**2, axis=1) - 1) <= 1e-9,
        stable=jnp.array([0.0, 0.6, 0.8]),
    )


def _runaway() -> Instance:
    return Instance(
        Runaway(),
        bound=7 * math.e,  # |x² − 4x + 2|e^{−x} is largest at x = −1
        draw=lambda key, count: jax.random.uniform(key, (count, 1), minval=-1.0, maxval=6.0),
        inside=lambda x: x[:, 0] >= -1,
        stable=jnp.array([2.0]),
    )


INSTANCES: dict[str, Callable[[], Instance]] = {
    "double_well": lambda: _disc(DoubleWell(2)),
    "tilted_well": lambda: _disc(TiltedWell()),
    "rayleigh": _rayleigh,
    "runaway": _runaway,
}


def instance(name: Any) -> Instance:
    """The instance of that name.

    >>> instance("rayleigh").bound
    6.0
    """
    if name not in INSTANCES:
        raise unknown_name("landscape", name, INSTANCES)
    return INSTANCES[name]()


def largest_curvature(landscape: Landscape, points: Float[Array, "n d"]) -> float:
    """The largest ‖∇²f‖ over a batch of points.

    >>> round(largest_curvature(DoubleWell(2), jnp.array([[2.0, 0.0], [0.0, 0.0]])), 9)
    11.0
    """

    def one(x: Float[Array, " d"]) -> Float[Array, ""]:
        hessian = landscape.hessian(x)
        return jnp.max(jnp.abs(jnp.linalg.eigvalsh((hessian + hessian.T) / 2)))

    return float(jnp.max(jax.jit(jax.vmap(one))(points)))
