"""Uniform random points on spheres and in balls."""

from typing import Any

import jax
from jax.core import Tracer
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.geometry.norms import normalise
from earnshaw.numerics.arguments import positive_number, shown, whole_number


def uniform_sphere(key: PRNGKeyArray, shape: tuple[int, ...]) -> Float[Array, "..."]:
    """Independent uniform points of the unit sphere of the last axis of `shape`.

    >>> import jax.numpy as jnp
    >>> points = uniform_sphere(jax.random.key(0), (5, 3))
    >>> bool(jnp.allclose(jnp.sum(points**2, axis=-1), 1))
    True
    """
    return normalise(jax.random.normal(key, _points(shape)))


def uniform_ball(
    key: PRNGKeyArray, shape: tuple[int, ...], radius: float | Float[Array, ""] = 1.0
) -> Float[Array, "..."]:
    """Independent uniform points of the ball of the given radius, in the last axis of `shape`.

    >>> import jax.numpy as jnp
    >>> points = uniform_ball(jax.random.key(0), (5, 3), radius=2.0)
    >>> bool(jnp.all(jnp.sum(points**2, axis=-1) <= 4))
    True
    """
    shape = _points(shape)
    if not isinstance(radius, Tracer):
        radius = positive_number("the radius of a ball", radius)
    direction_key, length_key = jax.random.split(key)
    # A ball of radius r holds the share r^d of the unit ball, so U^{1/d} has the law of the length.
    lengths = jax.random.uniform(length_key, (*shape[:-1], 1)) ** (1 / shape[-1])
    return radius * lengths * uniform_sphere(direction_key, shape)


def _points(shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, tuple | list) or not shape:
        raise EarnshawError(f"random points need a shape (…, d) with at least one axis, got {shown(shape)}")
    return (*(whole_number("an axis of a shape", n, 0) for n in shape[:-1]), whole_number("d", shape[-1], 1))
