"""zps17, Theorem 5.1: a network of signs that comes near one sign has a unit near it."""

import math
from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq, minimize

from earnshaw.errors import EarnshawError
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Added to Gram matrices, whose units may coincide: far below what a loss of interest can gain from it.
RIDGE = 1e-10
#: What the best multiple of X₁ leaves of sgn X₁, E(cX₁ − sgn X₁)²: the constant of the theorem has to be below it.
LINEAR = 1 - 2 / math.pi
#: Widths at which a family of networks shows how the necessary angle falls with k.
FAMILY = (64, 256, 1024, 4096)


def _check(
    seed: int = 0,
    k: Any = (2, 4, 8, 16),
    d: Any = None,
    loss: float = 0.3,
    factor: float = 1.0,
    starts: int = 6,
    printed: bool = False,
) -> Verdict:
    widths = tuple(k) if isinstance(k, list | tuple) else (k,)
    if not widths:
        raise EarnshawError("k must be a width, or several")
    for width in widths:
        whole("k", width, 1, 64)
    d = max(widths) + 1 if d is None else whole("d", d, 2, 200)
    whole("starts", starts, 1, 1000)
    above("loss", loss, 0.0, 10.0)
    above("factor", factor, 0.0, 100.0)
    random = np.random.default_rng(seed)
    least, best = {}, {}
    for width in widths:
        limit = min(factor / math.sqrt(width), 1.0)
        least[width], best[width] = least_loss(random, width, d, limit, starts)
        if printed:
            # w₁ᵀθ is bounded from above alone, so θ = −w₁ with the opposite charge is allowed.
            theta = -np.eye(d)[:1].repeat(width, axis=0)
            if least_of_charges(theta)[0] < least[width]:
                least[width], best[width] = least_of_charges(theta)[0], theta
    lowest = min(widths, key=lambda width: least[width])
    return decide(
        "zps17-5.1",
        (
            Hypothesis("the loss is below a constant that is less than 1 − 2/π", loss < LINEAR, loss),
            Hypothesis("σ is the sign, on the sphere, and there is one proton", True),
        ),
        f"with all {'w₁ᵀθᵢ' if printed else '|w₁ᵀθᵢ|'} ≤ {factor:g}/√k the loss is at least {loss:g}",
        {
            "least loss found for each k": {str(width): least[width] for width in widths},
            "exponent in k of the height at which pairs reach this loss": pair_exponent(loss),
            "and a loss of one half": pair_exponent(0.5),
            "searches": starts * len(widths),
        },
        least[lowest] - loss,
        counterexample={
            "k": lowest, "positions (w₁ is the first axis)": best[lowest],
            "student's charges": least_of_charges(best[lowest])[1], "loss": least[lowest],
        },
        note="The search may miss configurations of less loss, so it can refute the constants and not prove them.",
    )  # fmt: skip


def least_of_charges(theta: Float[np.ndarray, "k d"]) -> tuple[float, Float[np.ndarray, " k"]]:
    """The least loss E(Σ aᵢ sgn θᵢᵀX − sgn X₁)² = 1 − gᵀG⁻¹g over a, and that a, for unit vectors θ.

    G = (2/π) arcsin θᵢᵀθⱼ and g = (2/π) arcsin θᵢ₁.

    >>> round(least_of_charges(np.array([[0.5**0.5, 0.5**0.5]]))[0], 9)
    0.75
    """
    gram = 2 / np.pi * np.arcsin(np.clip(theta @ theta.T, -1, 1)) + RIDGE * np.eye(len(theta))
    field = 2 / np.pi * np.arcsin(np.clip(theta[:, 0], -1, 1))
    charges = np.linalg.solve(gram, field)
    return float(1 - field @ charges), charges


def least_loss(
    random: np.random.Generator, k: int, d: int, limit: float, starts: int
) -> tuple[float, Float[np.ndarray, "k d"]]:
    """The least loss that is found with all |θᵢ₁| ≤ `limit`, by L-BFGS from random starts, and where."""

    def place(flat: Float[np.ndarray, " n"]):
        free = flat.reshape(k, d)
        height = limit * np.sin(free[:, 0])
        lengths = np.linalg.norm(free[:, 1:], axis=1)
        units = free[:, 1:] / lengths[:, None]
        return free, height, lengths, units, np.sqrt(1 - height**2)

    def value(flat):
        free, height, lengths, units, rest = place(flat)
        theta = np.concatenate([height[:, None], rest[:, None] * units], axis=1)
        loss, charges = least_of_charges(theta)
        # With a at its best, d(−gᵀG⁻¹g) = −2aᵀdg + aᵀ dG a.
        products = np.clip(theta @ theta.T, -1 + 1e-12, 1 - 1e-12)
        weights = np.outer(charges, charges) / np.sqrt(1 - products**2)
        np.fill_diagonal(weights, 0.0)
        slope = 4 / np.pi * weights @ theta
        slope[:, 0] -= 4 / np.pi * charges / np.sqrt(np.maximum(1 - height**2, 1e-12))
        along = np.sum(slope[:, 1:] * units, axis=1)
        grown = slope[:, 0] - along * height / np.maximum(rest, 1e-9)
        gradient = np.empty_like(free)
        gradient[:, 0] = grown * limit * np.cos(free[:, 0])
        gradient[:, 1:] = (slope[:, 1:] - along[:, None] * units) * (rest / lengths)[:, None]
        return loss, gradient.ravel()

    found, where = math.inf, None
    for _ in range(starts):
        result = minimize(value, random.normal(size=k * d), jac=True, method="L-BFGS-B", options={"maxiter": 500})
        if result.fun < found:
            _, height, _, units, rest = place(result.x)
            found, where = float(result.fun), np.concatenate([height[:, None], rest[:, None] * units], axis=1)
    assert where is not None
    return found, where


def pair_loss(k: int, height: float) -> float:
    """The least loss of k/2 pairs of units (±h, u), h the height along w₁ and all u orthonormal, by symmetry of a.

    The differences of pairs have the products (4/π) arcsin h with the target, (8/π) arcsin h with themselves and
    (8/π) arcsin h² with each other. For small h that is 1 − (2/π) kh/(2 + kh): a height of order 1/k is enough for any
    loss above 1 − 2/π, and none for less.

    >>> round(pair_loss(2, 1.0), 9), round(pair_loss(2 * 10**6, 0.01), 2)
    (0.0, 0.36)
    """
    pairs, angle = k // 2, math.asin(height)
    return 1 - 2 / math.pi * pairs * angle**2 / (angle + (pairs - 1) * math.asin(height**2))


def pair_exponent(loss: float) -> float:
    """The exponent in k of the height at which pairs reach a loss, fitted to the widths of the family."""
    if not 0 < loss < 1:
        return math.nan
    heights: Any = [brentq(lambda h, k=k: pair_loss(k, h) - loss, 1e-12, 1.0) for k in FAMILY]
    return float(np.polyfit(np.log(FAMILY), np.log(heights), 1)[0])


theorem = Theorem(
    id="zps17-5.1",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 5.1",
    title="A network of signs that comes near one sign has a unit near it",
    statement=(
        "There are constants such that if k sign units, with any output weights, approximate one sign unit w₁ with a "
        "squared error below the first constant, then some unit has |w₁ᵀθ| above the second one over √k. (The first "
        "constant has to be below 1 − 2/π. Printed without the absolute value, which fails: printed=true.)"
    ),
    check=_check,
    parameters={"k": (2, 4, 8, 16), "d": None, "loss": 0.3, "factor": 1.0, "starts": 6, "printed": False},
)
