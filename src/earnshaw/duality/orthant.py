"""Gaussian moments over half-planes, for ReLU units and steps with biases.

With centred jointly Gaussian U, V (Var U = q, Var V = p, Cov = c) and r(z) = max(z, 0), everything follows from
G = P(U > −a, V > −b), its two partial derivatives and the joint density: the moments E r⁽ʲ⁾(U + a)r⁽ᵏ⁾(V + b) of r and
its derivatives (the step, then δ) are each other's derivatives by Price's theorem, so autodiff never meets the
distribution function itself.
"""

import jax
import jax.numpy as jnp
from jax.scipy.special import ndtr
from jaxtyping import Array, Float

from earnshaw.duality.angular import SMALLEST_SINE, angle
from earnshaw.numerics.binormal import binormal_cdf
from earnshaw.numerics.chords import Gram


def rectified(g: Gram, a: Float[Array, "n 1"], b: Float[Array, "1 m"]) -> Float[Array, "n m"]:
    """E r(U + a)r(V + b) = (ab + c)G + a·p·∂G/∂b + b·q·∂G/∂a + det·f, with the joint density f at (−a, −b)."""
    return _rectified(*g, a, b)


def rectified_linear(
    q: Float[Array, "..."], a: Float[Array, "..."], c: Float[Array, "..."], b: Float[Array, "..."]
) -> Float[Array, "..."]:
    """E r(U + a)(V + b) = b·E r(U + a) + c·P(U > −a)."""
    return b * (a + mean_absolute(q, a)) / 2 + c * above(q, a)


def both_above(g: Gram, a: Float[Array, "n 1"], b: Float[Array, "1 m"]) -> Float[Array, "n m"]:
    """G = P(U > −a, V > −b)."""
    return _both_above(*g, a, b)


def above(q: Float[Array, "..."], a: Float[Array, "..."]) -> Float[Array, "..."]:
    """P(U > −a), with ½ for a point mass at −a."""
    return ndtr(_divided(a, root(q)))


def mean_absolute(q: Float[Array, "..."], a: Float[Array, "..."]) -> Float[Array, "..."]:
    """E|U + a| = a(2Φ(a/s) − 1) + 2s·φ(a/s), s² = q."""
    s = root(q)
    score = jnp.where(q == 0, 0.0, _divided(a, s))
    spread = a * (2 * ndtr(score) - 1) + 2 * s * jnp.exp(-(score**2) / 2) / _ROOT_2PI
    return jnp.where(q == 0, jnp.abs(a), spread)


def root(q: Float[Array, "..."]) -> Float[Array, "..."]:
    """√q with derivative 0 at q = 0."""
    return jnp.where(q == 0, 0.0, jnp.sqrt(jnp.where(q == 0, 1.0, q)))


_ROOT_2PI = (2 * jnp.pi) ** 0.5


def _divided(numerator, denominator):
    """The quotient, ±∞ or 0 (for 0/0) where the denominator is 0, with derivative 0 there."""
    vanishing = denominator == 0
    limit = jnp.where(numerator == 0, 0.0, jnp.sign(numerator) * jnp.inf)
    return jnp.where(vanishing, limit, numerator / jnp.where(vanishing, 1.0, denominator))


def _density(q, a):
    """The density of U at −a; 0 for a point mass elsewhere, and by convention for one at −a."""
    safe = jnp.where(q == 0, 1.0, q)
    return jnp.where(q == 0, 0.0, jnp.exp(-(a**2) / (2 * safe)) / (_ROOT_2PI * jnp.sqrt(safe)))


def _geometry(q, p, c, apart, facing, a, b):
    """det = qp·sin²α, and the conditional scores of V > −b given U = −a and of U > −a given V = −b."""
    sine = jnp.sqrt(apart * facing)
    sine = jnp.where(sine < SMALLEST_SINE, 0.0, sine)
    v_given_u = _score(b, c * a, q, root(p) * sine)
    u_given_v = _score(a, c * b, p, root(q) * sine)
    return _determinant(q, p, c, sine**2), v_given_u, u_given_v


def _score(b, product, q, spread):
    """(b − product/q)/spread; the numerator's rounding error must not decide a degenerate case."""
    shift = product / jnp.where(q == 0, 1.0, q)
    noise = (spread == 0) & (jnp.abs(b - shift) <= SMALLEST_SINE * (jnp.abs(b) + jnp.abs(shift)))
    return _divided(jnp.where(noise, 0.0, b - shift), spread)


@jax.custom_jvp
def _determinant(q, p, c, sine_squared):
    """qp − c², from the accurate angle."""
    return q * p * sine_squared


@_determinant.defjvp
def _determinant_jvp(primals, tangents):
    q, p, c, _ = primals
    dq, dp, dc, _ = tangents
    return _determinant(*primals), q * dp + p * dq - 2 * c * dc


@jax.custom_jvp
def _joint_density(q, p, c, apart, facing, a, b):
    """The density of (U, V) at (−a, −b), 0 where it is degenerate."""
    det, v_given_u, _ = _geometry(q, p, c, apart, facing, a, b)
    degenerate = det == 0
    safe_q = jnp.where(degenerate, 1.0, q)
    exponent = a**2 / (2 * safe_q) + jnp.where(degenerate, 0.0, v_given_u) ** 2 / 2
    return jnp.where(degenerate, 0.0, jnp.exp(-exponent) / (2 * jnp.pi * jnp.sqrt(jnp.where(degenerate, 1.0, det))))


@_joint_density.defjvp
def _joint_density_jvp(primals, tangents):
    q, p, c, _, _, a, b = primals
    dq, dp, dc, _, _, da, db = tangents
    det, *_ = _geometry(*primals)
    inverse = jnp.where(det == 0, 0.0, 1 / jnp.where(det == 0, 1.0, det))
    x, y = (p * a - c * b) * inverse, (q * b - c * a) * inverse  # Σ⁻¹(a, b)
    logarithmic = (x * x - p * inverse) * dq / 2 + (y * y - q * inverse) * dp / 2 + (x * y + c * inverse) * dc
    value = _joint_density(*primals)
    return value, value * (logarithmic - x * da - y * db)


@jax.custom_jvp
def _edge(q, p, c, apart, facing, a, b):
    """E δ(U + a)1(V > −b): the derivative of G in a."""
    _, v_given_u, _ = _geometry(q, p, c, apart, facing, a, b)
    return _density(q, a) * ndtr(v_given_u)


@_edge.defjvp
def _edge_jvp(primals, tangents):
    q, p, c, _, _, a, b = primals
    dq, dp, dc, _, _, da, db = tangents
    value, f = _edge(*primals), _joint_density(*primals)
    slope = _edge_slope(primals, value, f)
    # ∂q = ½∂a², ∂p = ½∂b², ∂c = ∂a∂b, all of them through f and the slope in a
    inverse = jnp.where(q == 0, 0.0, 1 / jnp.where(q == 0, 1.0, q))
    det, *_ = _geometry(*primals)
    inverse_det = jnp.where(det == 0, 0.0, 1 / jnp.where(det == 0, 1.0, det))
    x, y = (p * a - c * b) * inverse_det, (q * b - c * a) * inverse_det
    curvature = -inverse * (value + a * slope) + c * inverse * x * f
    return value, slope * da + f * db + curvature * dq / 2 - y * f * dp / 2 - x * f * dc


def _edge_slope(primals, value, f):
    """The derivative of the edge in a: −(a·edge + c·f)/q."""
    q, _, c, _, _, a, _ = primals
    return jnp.where(q == 0, 0.0, -(a * value + c * f) / jnp.where(q == 0, 1.0, q))


def _swapped(q, p, c, apart, facing, a, b):
    return p, q, c, apart, facing, b, a


@jax.custom_jvp
def _both_above(q, p, c, apart, facing, a, b):
    """G = P(U > −a, V > −b)."""
    _, v_given_u, u_given_v = _geometry(q, p, c, apart, facing, a, b)
    alpha = angle(Gram(q, p, c, apart, facing))
    return binormal_cdf(_divided(a, root(q)), _divided(b, root(p)), u_given_v, v_given_u, alpha)


@_both_above.defjvp
def _both_above_jvp(primals, tangents):
    dq, dp, dc, _, _, da, db = tangents
    f = _joint_density(*primals)
    edge_u, edge_v = _edge(*primals), _edge(*_swapped(*primals))
    slope_u = _edge_slope(primals, edge_u, f)
    slope_v = _edge_slope(_swapped(*primals), edge_v, f)
    return _both_above(*primals), edge_u * da + edge_v * db + f * dc + slope_u * dq / 2 + slope_v * dp / 2


@jax.custom_jvp
def _half_rectified(q, p, c, apart, facing, a, b):
    """H = E 1(U > −a)r(V + b) = b·G + p·edge_v + c·edge_u."""
    arguments = (q, p, c, apart, facing, a, b)
    return b * _both_above(*arguments) + p * _edge(*_swapped(*arguments)) + c * _edge(*arguments)


@_half_rectified.defjvp
def _half_rectified_jvp(primals, tangents):
    q, _, c, _, _, a, _ = primals
    dq, dp, dc, _, _, da, db = tangents
    edge_u, edge_v = _edge(*primals), _edge(*_swapped(*primals))
    cut = _cut(primals)
    # ∂q of H is ½E δ′(U + a)r(V + b) = ½∂a of the cut
    inverse = jnp.where(q == 0, 0.0, 1 / jnp.where(q == 0, 1.0, q))
    cut_slope = -inverse * (a * cut + c * edge_u)
    return _half_rectified(*primals), cut * da + _both_above(*primals) * db + edge_u * dc + (
        cut_slope * dq + edge_v * dp
    ) / 2


def _cut(primals):
    """J = E δ(U + a)r(V + b) = (b − ca/q)·edge_u + (det/q)·f."""
    q, _, c, _, _, a, b = primals
    inverse = jnp.where(q == 0, 0.0, 1 / jnp.where(q == 0, 1.0, q))
    det, *_ = _geometry(*primals)
    return (b - c * a * inverse) * _edge(*primals) + det * inverse * _joint_density(*primals)


@jax.custom_jvp
def _rectified(q, p, c, apart, facing, a, b):
    """R = E r(U + a)r(V + b) = (ab + c)G + ap·edge_u + bq·edge_v + det·f."""
    arguments = (q, p, c, apart, facing, a, b)
    det, *_ = _geometry(*arguments)
    edges = a * p * _edge(*_swapped(*arguments)) + b * q * _edge(*arguments)
    return (a * b + c) * _both_above(*arguments) + edges + det * _joint_density(*arguments)


@_rectified.defjvp
def _rectified_jvp(primals, tangents):
    dq, dp, dc, _, _, da, db = tangents
    along_a, along_b = _half_rectified(*primals), _half_rectified(*_swapped(*primals))
    cuts = _cut(primals) * dq / 2 + _cut(_swapped(*primals)) * dp / 2
    return _rectified(*primals), along_a * da + along_b * db + _both_above(*primals) * dc + cuts
