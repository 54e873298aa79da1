"""Uniform random points on spheres and in balls."""

import jax
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.geometry.norms import normalise


def uniform_sphere(key: PRNGKeyArray, shape: tuple[int, ...]) -> Float[Array, "..."]:
    """Independent uniform points of the unit sphere of the last axis of `shape`.

    >>> import jax.numpy as jnp
    >>> points = uniform_sphere(jax.random.key(0), (5, 3))
    >>> bool(jnp.allclose(jnp.sum(points**2, axis=-1), 1))
    True
    """
    return normalise(jax.random.normal(key, shape))


def uniform_ball(
    key: PRNGKeyArray, shape: tuple[int, ...], radius: float | Float[Array, ""] = 1.0
) -> Float[Array, "..."]:
    """Independent uniform points of the ball of the given radius, in the last axis of `shape`.

    >>> import jax.numpy as jnp
    >>> points = uniform_ball(jax.random.key(0), (5, 3), radius=2.0)
    >>> bool(jnp.all(jnp.sum(points**2, axis=-1) <= 4))
    True
    """
    direction_key, length_key = jax.random.split(key)
    # A ball of radius r holds the share r^d of the unit ball, so U^{1/d} has the law of the length.
    lengths = jax.random.uniform(length_key, (*shape[:-1], 1)) ** (1 / shape[-1])
    return radius * lengths * uniform_sphere(direction_key, shape)
