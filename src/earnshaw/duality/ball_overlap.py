"""The potential of an indicator: the volume that two equal balls share (prsz18, Lemma B.7)."""

import math

import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.yukawa import Scalar, require_odd
from earnshaw.numerics.arguments import positive_number


def ball_overlap(d: int, t: float, r: Scalar) -> Float[Array, "..."]:
    """Volume shared by two balls of diameter t in R^d whose centres are r apart: the potential of an indicator
    (prsz18, Lemma B.7).

    2 V_{d−1} ∫_{r/2}^{t/2} ((t/2)² − x²)^{(d−1)/2} dx, d odd, as a polynomial in r; zero for r ≥ t.

    >>> bool(abs(ball_overlap(3, 2.0, 0.0) - 4 * jnp.pi / 3) < 1e-14)
    True
    """
    return _overlap_scale(d) * overlap_potential(d, t, r)


def overlap_potential(d: int, t: float, r: Scalar) -> Float[Array, "..."]:
    """The ball overlap scaled so that its derivative of order d − 1 is r for r < t, d ≡ 3 mod 4 (prsz18, Lemma B.7).

    For other odd d that derivative is −r; the slope is −(t² − r²)^{(d−1)/2} / (d − 1)! in every case.

    >>> bool(abs(overlap_potential(3, 1.0, 0.0) - 1.0 / 3.0) < 1e-15)
    True
    """
    require_odd(d)
    diameter = positive_number("t", t)
    half = (d - 1) // 2
    r = jnp.asarray(r, float)
    # ∫_ρ^1 (1 − y²)^half dy expanded about y = 1, where it vanishes to order half + 1: with v = 1 − y, 1 − y² = v (2
    # − v).
    v = jnp.clip(1.0 - r / diameter, 0.0, None)
    terms = [math.comb(half, i) * (-1) ** i * 2.0 ** (half - i) / (half + i + 1) for i in range(half + 1)]
    integral = v ** (half + 1) * jnp.polyval(jnp.asarray(terms[::-1]), v)
    return diameter**d * integral / math.factorial(d - 1)


def _overlap_scale(d: int) -> float:
    """The overlap's slope is −V_{d−1} ((t² − r²)/4)^{(d−1)/2}; divided by the scaled one."""
    require_odd(d)
    return math.factorial(d - 1) * math.pi ** ((d - 1) / 2) / math.gamma((d + 1) / 2) / 2.0 ** (d - 1)
