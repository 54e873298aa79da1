"""Angles and distances between vectors, accurate when the vectors nearly coincide."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.errors import EarnshawError
from earnshaw.geometry.norms import power_of_two_scale, safe_norm
from earnshaw.numerics.arguments import numbers


def angle(u: Float[Array, "*#n d"], v: Float[Array, "*#n d"]) -> Float[Array, "*n"]:
    """The angle in [0, π] between vectors of any lengths, along the last axis; leading axes broadcast.

    With w the part of v that is orthogonal to u, it is atan2(‖w‖, uᵀv/‖u‖). Since w is accurate however small
    (see `rejection`), an angle of 10⁻⁹ has about 14 right digits, where arccos of the cosine has none.
    At angle 0 or π the angle has a kink, and derivative 0 is used. A zero vector is at right angles to everything,
    also with derivative 0.

    >>> f"{angle(jnp.array([1.0, 0.0]), jnp.array([1.0, 1e-9])):.14g}"
    '1e-09'
    """
    u, v = _same_space(u, v)
    u, v = u / power_of_two_scale(u), v / power_of_two_scale(v)
    squares = jnp.sum(u**2, axis=-1)
    proper = (squares > 0) & (jnp.sum(v**2, axis=-1) > 0)
    # Stand-ins keep the branch that is not taken, and so its derivative, finite.
    one = jnp.ones(jnp.broadcast_shapes(u.shape, v.shape))
    u, v = jnp.where(proper[..., None], u, one), jnp.where(proper[..., None], v, one)
    along = jnp.sum(u * v, axis=-1) / safe_norm(u)
    return jnp.where(proper, jnp.arctan2(safe_norm(rejection(v, u)), along), jnp.pi / 2)


def pairwise_angles(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
    """The angle between each row of x and each row of y.

    >>> [round(a, 6) for a in pairwise_angles(jnp.eye(2), jnp.array([[2.0, 0.0]]))[:, 0].tolist()]
    [0.0, 1.570796]
    """
    x, y = _rows(x, y)
    return angle(x[:, None, :], y[None, :, :])


def pairwise_distances(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
    """The distance of each row of x to each row of y, from differences; derivative 0 where two rows coincide.

    >>> pairwise_distances(jnp.zeros((1, 2)), jnp.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[5.0, 0.0]]
    """
    x, y = _rows(x, y)
    return safe_norm(x[:, None, :] - y[None, :, :])


def _same_space(u: Any, v: Any) -> tuple[Array, Array]:
    u, v = numbers("vectors", u), numbers("vectors", v)
    try:
        broadcast = u.ndim > 0 and v.ndim > 0 and u.shape[-1] == v.shape[-1] > 0
        jnp.broadcast_shapes(u.shape, v.shape)
    except ValueError:
        broadcast = False
    if not broadcast:
        raise EarnshawError(
            f"vectors must agree in their last axis and broadcast in the others, got shapes {u.shape} and {v.shape}"
        )
    return u, v


def _rows(x: Any, y: Any) -> tuple[Array, Array]:
    x, y = numbers("vectors", x), numbers("vectors", y)
    if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[1]:
        raise EarnshawError(f"pairs need rows of one length, of shapes (n, d) and (m, d), got {x.shape} and {y.shape}")
    return x, y


@jax.custom_jvp
def rejection(v: Float[Array, "*n d"], u: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
    """The part of v that is orthogonal to u ≠ 0: v − (uᵀv/uᵀu) u.

    The subtraction is made in about twice the working precision, so that the result has a small relative error
    even when v is nearly parallel to u and all leading digits cancel.

    >>> rejection(jnp.array([3.0, 3e-12]), jnp.array([1.0, 0.0])).tolist()
    [0.0, 3e-12]
    """
    share = _share(u, v)
    share_high, share_low = _split(share)
    u_high, u_low = _split(u)
    # Every product of halves is exact, and the first difference too when v is nearly parallel to u.
    residual = v - share_high * u_high
    residual = residual - (share_high * u_low + share_low * u_high) - share_low * u_low
    # The rounding of the share itself left a parallel part; what is left of it after this is negligible.
    return residual - _share(u, residual) * u


@rejection.defjvp
def _rejection_jvp(
    primals: tuple[Array, Array], tangents: tuple[Array, Array]
) -> tuple[Float[Array, "*n d"], Float[Array, "*n d"]]:
    v, u = primals
    dv, du = tangents
    rejected = rejection(v, u)
    straight = dv - _share(u, v) * du
    turned = jnp.sum(du * rejected, axis=-1, keepdims=True) / jnp.sum(u**2, axis=-1, keepdims=True)
    return rejected, straight - _share(u, straight) * u - turned * u


def _share(u: Float[Array, "*n d"], v: Float[Array, "*n d"]) -> Float[Array, "*n 1"]:
    """The coefficient of the projection of v on u."""
    return jnp.sum(u * v, axis=-1, keepdims=True) / jnp.sum(u**2, axis=-1, keepdims=True)


def _split(x: Float[Array, "..."]) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """x as a sum of two numbers of half its digits, whose products with other halves are therefore exact.

    The low bits are masked rather than rounded away with the usual trick of Veltkamp, because a compiler that
    contracts a product and a sum into one operation would undo the latter.
    """
    integer, low_bits = (jnp.int64, 27) if x.dtype == jnp.float64 else (jnp.int32, 12)
    bits = jax.lax.bitcast_convert_type(x, integer)
    high = jax.lax.bitcast_convert_type((bits >> low_bits) << low_bits, x.dtype)
    return high, x - high
