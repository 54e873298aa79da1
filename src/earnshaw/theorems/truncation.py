"""Conditioning a Gaussian on a ball: by how much that changes the expectation of a function of polynomial growth.

The bias of f is E f(X) − E[f(X) | ‖X‖ ≤ B] = (E[f; ‖X‖ > B] − P(‖X‖ > B)·E f)/P(‖X‖ ≤ B). It is computed from these
tails where the ball holds most of the mass, and as it is written otherwise, so that no digits cancel.
"""

import math

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln

from earnshaw.duality.activation import Activation
from earnshaw.theorems.two_units import circle_means, composite

#: Radii below this are not looked at.
SMALLEST = 1e-3


def moment(d: int, p: float) -> float:
    """E‖X‖^p = 2^{p/2} Γ((d + p)/2)/Γ(d/2).

    >>> round(moment(3, 2.0), 12)
    3.0
    """
    return float(np.exp(p / 2 * np.log(2) + gammaln((d + p) / 2) - gammaln(d / 2)))


def tail_moment(d: int, p: float, radius: float) -> float:
    """E[‖X‖^p; ‖X‖ > B], by the upper incomplete gamma function."""
    return moment(d, p) * float(gammaincc((d + p) / 2, radius**2 / 2))


def power_bias(d: int, p: float, radius: float) -> float:
    """How much less E‖X‖^p is in the ball of that radius; never negative, and falling in the radius.

    >>> round(power_bias(1, 2.0, 1.0), 12)  # 1 − ∫₋₁¹ x²e^{−x²/2} / ∫₋₁¹ e^{−x²/2}
    0.708874905227
    """
    inside = float(gammainc(d / 2, radius**2 / 2))
    if inside == 0:  # too small a probability for a double: nothing but the origin is left
        return moment(d, p) if p > 0 else 0.0
    if inside < 0.5:
        return moment(d, p) * (1 - float(gammainc((d + p) / 2, radius**2 / 2)) / inside)
    tails = gammaincc([(d + p) / 2, d / 2], radius**2 / 2)
    return moment(d, p) * float(tails[0] - tails[1]) / inside


def two_units_bias(activation: Activation, cosine: float, d: int, radius: float, points: int = 48) -> float:
    """The bias of f(x) = σ(uᵀx)σ(vᵀx), unit vectors in R^d with uᵀv = `cosine`, d ≥ 2.

    In the plane of u and v, with s the length of x there, the other coordinates leave the ball with probability
    P(χ²_{d−2} > B² − s²): two integrals over s of the means over circles.
    """

    def integral(radii, weights, outside) -> float:
        means = circle_means(activation, cosine, radii, points)
        return float(weights @ (outside * means * radii * np.exp(-(radii**2) / 2)))

    # s = B sin t makes the half-integer powers of B² − s² smooth at the border.
    angles, arc = composite(np.linspace(0.0, np.pi / 2, 33))
    inside = radius * np.sin(angles)
    rest = (radius * np.cos(angles)) ** 2 / 2
    beyond, widths = composite(np.linspace(radius, radius + 14.0, 29))
    weights = arc * radius * np.cos(angles)
    outer = integral(beyond, widths, 1.0)
    total = integral(inside, weights, 1.0) + outer
    probability = float(gammainc(d / 2, radius**2 / 2))
    if probability < 0.5:
        stays = gammainc((d - 2) / 2, rest) if d > 2 else np.ones_like(rest)
        return total - integral(inside, weights, stays) / probability
    leaves = gammaincc((d - 2) / 2, rest) if d > 2 else np.zeros_like(rest)
    tail = integral(inside, weights, leaves) + outer
    return (tail - float(gammaincc(d / 2, radius**2 / 2)) * total) / probability


def sufficient_radius(d: int, p: float, ratio: float) -> float:
    """A radius that makes the bias of every f with |f(x)| ≤ c‖x‖^p at most ε, where `ratio` = c/ε.

    The proof of the lemma with every constant written out. For u = B² it needs
    (2π)^d u^{(p+d)/2} e^{−u/2} ≤ ε/2c, 2u^{p/2} e^{−u/8d} ≤ ε/2c and u ≥ p + d − 1, and log u ≤ u/t + log t − 1 turns
    these into polynomials of d, p and log(c/ε).
    """
    n = p + d
    tail = 4 * (math.log(2 * ratio) + d * math.log(2 * math.pi) + n / 2 * math.log(2 * n))
    mass = 16 * d * (math.log(4 * ratio) + p / 2 * math.log(max(8 * d * p, 1.0)))
    return math.sqrt(max(tail, mass, n - 1, 8.0 * d))


def smallest_radius(d: int, p: float, ratio: float) -> float:
    """The smallest radius for which the bias of c‖x‖^p is at most ε, where `ratio` = c/ε, by bisection.

    >>> radius = smallest_radius(3, 2.0, 1e6)
    >>> round(radius, 6), bool(power_bias(3, 2.0, radius) <= 1e-6 < power_bias(3, 2.0, radius - 1e-9))
    (6.172527, True)
    """
    low, high = SMALLEST, sufficient_radius(d, p, ratio)
    if power_bias(d, p, low) <= 1 / ratio:
        return low
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if power_bias(d, p, middle) <= 1 / ratio else (middle, high)
    return high


def printed_tail_bound(d: int, p: float, radius: float) -> float:
    """The printed bound on E[‖X‖^p; ‖X‖ > B]: (2π)^d B^{p+d} e^{−B²/2}."""
    return _exp(d * math.log(2 * math.pi) + (p + d) * math.log(radius) - radius**2 / 2)


def sharp_tail_bound(d: int, p: float, radius: float) -> float:
    """The same with the constant of polar coordinates, 2^{1−d/2}/Γ(d/2), instead of (2π)^d; for B² ≥ p + d − 1."""
    constant = (1 - d / 2) * math.log(2) - math.lgamma(d / 2)
    return _exp(constant + (p + d) * math.log(radius) - radius**2 / 2)


def printed_mass_bound(d: int, p: float, radius: float) -> float:
    """The printed bound on (1/P(‖X‖ ≤ B) − 1)·B^p: 2B^p e^{−B²/8d}."""
    return 2 * _exp(p * math.log(radius) - radius**2 / (8 * d))


def mass_term(d: int, p: float, radius: float) -> float:
    """(1/P(‖X‖ ≤ B) − 1)·B^p."""
    outside, inside = float(gammaincc(d / 2, radius**2 / 2)), float(gammainc(d / 2, radius**2 / 2))
    if outside == 0 or inside == 0:
        return 0.0 if outside == 0 else math.inf
    return _exp(p * math.log(radius) + math.log(outside) - math.log(inside))


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700 else math.inf
