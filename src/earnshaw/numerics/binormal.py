"""The distribution function of two correlated Gaussians, in JAX, to rounding error and with its derivatives."""

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import ndtr
from jaxtyping import Array, Float

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


def owens_t(h: Float[Array, "..."], a: Float[Array, "..."]) -> Float[Array, "..."]:
    """T(h, a) = (1/2π)∫₀ᵃ exp(−h²(1 + x²)/2)/(1 + x²) dx, for any a, ±∞ included.

    For |a| ≤ 1 the integrand is analytic in a disc around the interval and Gauss-Legendre gives all digits; larger a
    are reflected to 1/a.

    >>> import jax.numpy as jnp
    >>> abs(float(owens_t(jnp.array(0.0), jnp.array(1.0))) - 0.125) < 1e-15
    True
    """
    size = jnp.abs(a)
    large = size > 1
    product = jnp.where(large & (h == 0), 0.0, jnp.abs(h) * jnp.where(large, size, 1.0))
    height = jnp.where(large, product, jnp.abs(h))
    width = jnp.where(large, 1 / jnp.where(large, size, 1.0), size)
    x = width[..., None] * _NODES
    integrand = jnp.exp(-(height[..., None] ** 2) * (1 + x**2) / 2) / (1 + x**2)
    direct = width / (2 * jnp.pi) * jnp.sum(_WEIGHTS * integrand, axis=-1)
    # the reflection, with upper tails so that nothing cancels
    tail, far_tail = ndtr(-jnp.abs(h)), ndtr(-product)
    reflected = (tail + far_tail) / 2 - tail * far_tail - direct
    return jnp.sign(a) * jnp.where(large, reflected, direct)


def binormal_cdf(
    h: Float[Array, "..."],
    k: Float[Array, "..."],
    h_given_k: Float[Array, "..."],
    k_given_h: Float[Array, "..."],
    angle: Float[Array, "..."],
) -> Float[Array, "..."]:
    """P(X ≤ h, Y ≤ k) for standard Gaussians of correlation ρ = cos(angle).

    The conditional scores are h_given_k = (h − ρk)/√(1 − ρ²) and k_given_h = (k − ρh)/√(1 − ρ²): the caller knows how
    to compute them without cancellation when |ρ| is nearly 1, and passes ±∞ or 0 where it is 1.

    >>> import jax.numpy as jnp
    >>> zero = jnp.array(0.0)
    >>> round(float(binormal_cdf(zero, zero, zero, zero, jnp.array(jnp.pi / 3))), 12)
    0.333333333333
    """
    signs = jnp.sign(h) * jnp.sign(k)
    opposite = (signs < 0) | ((signs == 0) & (h + k < 0))
    value = (ndtr(h) + ndtr(k)) / 2 - _owen_part(h, k_given_h) - _owen_part(k, h_given_k)
    value = jnp.where((h == 0) & (k == 0), 0.5 - angle / (2 * jnp.pi), value - jnp.where(opposite, 0.5, 0.0))
    return jnp.clip(value, 0.0, 1.0)


def _owen_part(h, score):
    """T(h, score/h), and its limits for h → 0 and h → ±∞."""
    endless = jnp.isinf(h)
    finite = jnp.where(endless | (h == 0), 1.0, h)
    value = owens_t(finite, score / finite)
    at_zero = jnp.sign(score) / 4
    return jnp.where(endless, 0.0, jnp.where(h == 0, at_zero, value))
