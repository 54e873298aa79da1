"""Normalised Hermite polynomials hₙ = Heₙ/√n! and Gaussian integrals against them."""

from functools import lru_cache

import numpy as np
from jaxtyping import Float

POINTS_PER_PANEL = 16


def weighted_hermite(z: Float[np.ndarray, " q"], count: int) -> Float[np.ndarray, "q n"]:
    """hₙ(z)·exp(−z²/4) for n < count, by the three-term recurrence; bounded, so it never overflows.

    √(n+1)·hₙ₊₁(z) = z·hₙ(z) − √n·hₙ₋₁(z).
    """
    values = np.empty((z.size, count))
    values[:, 0] = np.exp(-(z**2) / 4)
    if count > 1:
        values[:, 1] = z * values[:, 0]
    for n in range(1, count - 1):
        values[:, n + 1] = (z * values[:, n] - np.sqrt(n) * values[:, n - 1]) / np.sqrt(n + 1)
    return values


@lru_cache(maxsize=64)
def gaussian_rule(half_width: float, panels: int) -> tuple[Float[np.ndarray, " q"], Float[np.ndarray, " q"]]:
    """Nodes and weights with Σ wᵢ·f(zᵢ)·exp(−zᵢ²/4) = E f(z), z standard Gaussian.

    Composite Gauss-Legendre on [−half_width, half_width] with a panel border at 0, where activations have their kinks.
    The weights carry exp(−z²/4)/√2π; the other half of the Gaussian sits in `weighted_hermite`.
    """
    points, weights = np.polynomial.legendre.leggauss(POINTS_PER_PANEL)
    borders = np.linspace(0.0, half_width, panels + 1)
    middles, halves = (borders[1:] + borders[:-1]) / 2, (borders[1:] - borders[:-1]) / 2
    positive = (middles[:, None] + halves[:, None] * points).ravel()
    scaled = (halves[:, None] * weights).ravel()
    nodes = np.concatenate([-positive[::-1], positive])
    density = np.exp(-(nodes**2) / 4) / np.sqrt(2 * np.pi)
    return nodes, np.concatenate([scaled[::-1], scaled]) * density
