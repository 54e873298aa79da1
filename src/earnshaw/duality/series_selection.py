"""How many Hermite terms, and which quadrature, an activation needs for a tolerance."""

from collections.abc import Callable
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality.series import HermiteSeries, nth_derivative
from earnshaw.errors import EarnshawError
from earnshaw.numerics.hermite import gaussian_rule, weighted_hermite

MOST_TERMS = 2048
MOST_PANELS = 256
FEWEST_PANELS = 8
HIGHEST_ORDER = 4
FRACTIONS = (1.0, 0.5, 0.1)
"""Fractions of the largest norm at which a selection is tested."""
_BATCH = 8192
"""Activations are evaluated in batches of one size, so that each is compiled once."""


class Sampled:
    """An activation's first derivatives at given arguments, on the host."""

    def __init__(self, function: Callable) -> None:
        self._table = jax.jit(lambda z: jnp.stack([nth_derivative(function, j)(z) for j in range(HIGHEST_ORDER + 1)]))

    def __call__(self, arguments: Float[np.ndarray, " q"]) -> Float[np.ndarray, "orders q"]:
        """σ, σ′, …, σ⁗ at the arguments."""
        padded = np.zeros(-(-arguments.size // _BATCH) * _BATCH)
        padded[: arguments.size] = arguments
        parts = [np.asarray(self._table(jnp.asarray(part))) for part in padded.reshape(-1, _BATCH)]
        return np.concatenate(parts, axis=1)[:, : arguments.size]


class Expansion:
    """Hermite coefficients and second moments of σ, σ′, …, σ⁗ at one scale and mean, by one quadrature."""

    def __init__(self, sampled: Sampled, scale: float, mean: float, half_width: float, panels: int, count: int) -> None:
        nodes, weights = gaussian_rule(half_width, panels)
        values = sampled(scale * nodes + mean)
        self.scale = scale
        self.coefficients = (values * weights) @ weighted_hermite(nodes, count)
        self.moments = (values**2) @ (weights * np.exp(-(nodes**2) / 4))

    def tails(self, order: int) -> Float[np.ndarray, " n"]:
        """What Parseval's identity leaves after n + 1 terms, relative to the second moment."""
        moment = self.moments[order]
        if moment == 0:
            return np.zeros(self.coefficients.shape[1])
        return np.maximum(moment - np.cumsum(self.coefficients[order] ** 2), 0.0) / moment

    def distance(self, finer: "Expansion", orders: int) -> float:
        """The largest relative change of the first coefficients and of the moments under a finer quadrature."""
        worst = 0.0
        for j in range(orders + 1):
            moment = finer.moments[j]
            if moment > 0:
                change = np.abs(self.coefficients[j, :24] - finer.coefficients[j, :24]).max() / np.sqrt(moment)
                worst = max(worst, float(change), abs(float(self.moments[j] - moment)) / float(moment))
        return worst


def hermite_coefficients(
    function: Callable, count: int, scale: float = 1.0, mean: float = 0.0
) -> tuple[Float[np.ndarray, " n"], float]:
    """E σ(s·z + a)hₙ(z) for n < count, and the change when every panel is halved as an error estimate."""
    sampled = Sampled(function)
    half_width = _half_width(sampled, scale, mean)
    panels = FEWEST_PANELS
    while _resolvable_terms(half_width, panels) < count:
        panels *= 2
    coarse = Expansion(sampled, scale, mean, half_width, panels, count)
    error = np.inf
    while panels < MOST_PANELS and error > 1e-15 * np.sqrt(coarse.moments[0]):
        panels *= 2
        fine = Expansion(sampled, scale, mean, half_width, panels, count)
        error = float(np.abs(fine.coefficients[0] - coarse.coefficients[0]).max())
        coarse = fine
    return coarse.coefficients[0], error


@lru_cache(maxsize=256)
def select_series(
    function: Callable, name: str, largest_norm: float, tolerance: float, biased: bool = False
) -> HermiteSeries:
    """The shortest series whose relative truncation error is below the tolerance for norms up to the largest.

    By Parseval's identity and Cauchy-Schwarz the truncation error of E σ(u)σ(v) is at most the square root of the two
    tails Σ_{n≥N}cₙ². The first derivatives (the moments of σ′σ′ and σ″σ) are held to the same tolerance. An activation
    too rough for it is refused with the tolerance that was reached.
    """
    sampled = Sampled(function)
    means = (0.0, largest_norm, -largest_norm) if biased else (0.0,)
    cases = [(fraction * largest_norm, mean) for fraction in FRACTIONS for mean in means]
    half_width = max(_half_width(sampled, s, a) for s, a in cases)
    smooth_order = _smooth_order(sampled, largest_norm, half_width)
    panels = FEWEST_PANELS
    while True:
        terms, truncation, quadrature = _shortest(sampled, cases, half_width, panels, smooth_order, tolerance)
        reached = max(truncation, quadrature)
        if reached <= tolerance:
            return HermiteSeries(function, terms, half_width, panels, smooth_order, largest_norm, reached)
        if panels >= MOST_PANELS or (terms == MOST_TERMS and quadrature <= tolerance):
            break
        panels *= 2
    raise EarnshawError(
        f"the Hermite series of {name!r} up to norm {largest_norm:g} reaches a relative error of {reached:.1e} with "
        f"{terms} terms, not {tolerance:.1e}; ask for a tolerance above {reached:.1e} or a smaller largest norm"
    )


def _shortest(sampled, cases, half_width, panels, smooth_order, tolerance) -> tuple[int, float, float]:
    """The number of terms that one quadrature needs in every case, and the truncation and quadrature errors left."""
    count = min(MOST_TERMS, _resolvable_terms(half_width, panels))
    orders = min(smooth_order, 2)
    needed, truncation, quadrature = 1, 0.0, 0.0
    for scale, mean in cases:
        expansion = Expansion(sampled, scale, mean, half_width, panels, count)
        finer = Expansion(sampled, scale, mean, half_width, 2 * panels, 24)
        quadrature = max(quadrature, expansion.distance(finer, orders))
        tails = [expansion.tails(j) for j in range(orders + 1)]
        errors = [tails[0], *tails[1:2], *(np.sqrt(tails[0] * t) for t in tails[2:])]
        error = np.max(errors, axis=0)
        enough = np.flatnonzero(error <= tolerance)
        index = int(enough[0]) if enough.size else count - 1
        needed, truncation = max(needed, index + 1), max(truncation, float(error[index]))
    return needed, truncation, quadrature


def _resolvable_terms(half_width: float, panels: int) -> int:
    """The degree up to which the nodes resolve hₙ, whose shortest wave length is 2π/√n, with five nodes a wave."""
    nodes_per_unit = 16 * panels / half_width
    return int((2 * np.pi * nodes_per_unit / 5) ** 2)


def _half_width(sampled: Sampled, scale: float, mean: float) -> float:
    """Where |σ(sz + a)|·exp(−z²/4) has fallen below rounding error."""
    z = np.linspace(0.0, 40.0, 161)
    values = np.abs(sampled(scale * np.concatenate([-z, z]) + mean)[0])
    values = np.where(np.isfinite(values), values, np.inf).reshape(2, -1).max(axis=0)
    if not np.all(np.isfinite(values[z <= 12])):
        at = float(z[~np.isfinite(values)][0])
        raise EarnshawError(f"the activation is not finite at arguments near ±{scale * at:g}")
    decay = np.where(np.isfinite(values), values, 0.0) * np.exp(-(z**2) / 4)
    # A naive formula may overflow far out; what grows too fast has not decayed where it does.
    if decay[np.flatnonzero(np.isfinite(values))[-1]] > 1e-18 * decay.max():
        raise EarnshawError(
            f"the activation grows so fast that E σ(sz)² is infinite or beyond double precision at s = {scale:g}"
        )
    significant = z[decay > 1e-18 * max(float(decay.max()), 1e-300)]
    return float(min(max(significant[-1] + 0.5 if significant.size else 0.0, 12.5), 40.0))


def _smooth_order(sampled: Sampled, scale: float, half_width: float) -> int:
    """The highest derivative that autodiff gives as a function, found by testing Stein's identity order by order.

    s·E f′(sz)hₙ(z) = √(n+1)·E f(sz)hₙ₊₁(z) fails when f jumps, because autodiff does not see the δ in f′.
    """
    count = 24
    expansion = Expansion(sampled, scale, 0.0, half_width, 64, count)
    n = np.arange(1, count)
    for order in range(HIGHEST_ORDER):
        upper, lower = expansion.coefficients[order + 1], expansion.coefficients[order]
        mismatch = np.abs(scale * upper[:-1] - np.sqrt(n) * lower[1:]).max()
        if not mismatch <= 1e-6 * np.sqrt(expansion.moments[order] * count):
            return order
    return HIGHEST_ORDER
