"""Lengths and directions that stay finite where the textbook formulas divide by zero."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def safe_norm(x: Float[Array, "*shape d"]) -> Float[Array, "*shape"]:
    """‖x‖ along the last axis, without overflow, and with subgradient 0 (and zero Hessian) at x = 0.

    >>> f"{safe_norm(jnp.array([3e200, 4e200])):.12g}"
    '5e+200'
    >>> jax.grad(safe_norm)(jnp.zeros(2)).tolist()
    [0.0, 0.0]
    """
    scale = power_of_two_scale(x)
    squares = jnp.sum((x / scale) ** 2, axis=-1)
    positive = squares > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, squares, 1.0)), 0.0) * scale[..., 0]


def normalise(x: Float[Array, "*shape d"]) -> Float[Array, "*shape d"]:
    """x / ‖x‖ along the last axis.

    Every unit vector is equally near to x = 0; the first axis is returned there, with derivative 0.

    >>> bool(jnp.allclose(normalise(jnp.array([[3.0, 4.0], [0.0, 0.0]])), jnp.array([[0.6, 0.8], [1.0, 0.0]])))
    True
    """
    scaled = x / power_of_two_scale(x)
    squares = jnp.sum(scaled**2, axis=-1, keepdims=True)
    positive = squares > 0
    first_axis = jnp.zeros_like(x).at[..., 0].set(1.0)
    return jnp.where(positive, scaled / jnp.sqrt(jnp.where(positive, squares, 1.0)), first_axis)


def power_of_two_scale(x: Float[Array, "*shape d"]) -> Float[Array, "*shape 1"]:
    """The largest power of two not above the largest |entry| of x, and 1 for a zero vector.

    Dividing by it is exact and keeps squares from overflowing. It cancels wherever it is used, so it carries no
    derivative.

    >>> power_of_two_scale(jnp.array([3.0, -5.0])).tolist()
    [4.0]
    """
    largest = jax.lax.stop_gradient(jnp.max(jnp.abs(x), axis=-1, keepdims=True))
    integer, mantissa_bits = (jnp.int64, 52) if x.dtype == jnp.float64 else (jnp.int32, 23)
    # Clearing the mantissa of a normal number leaves its power of two; `ldexp` is not exact on every platform.
    bits = jax.lax.bitcast_convert_type(jnp.maximum(largest, jnp.finfo(x.dtype).tiny), integer)
    scale = jax.lax.bitcast_convert_type((bits >> mantissa_bits) << mantissa_bits, x.dtype)
    return jnp.where(largest > 0, scale, 1.0)
