"""zps17, Theorem B.3: the Rademacher complexity of products of two units."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy import stats

from earnshaw.duality import activations
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import truncated_gaussian
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Points of [−B, B] at which units are looked at.
GRID = 4001
#: Inputs that the weights of two units look at together: units × angles × inputs numbers are held in memory.
ANGLES = 360


def _check(
    seed: int = 0,
    sigma1: Any = "tanh",
    sigma2: Any = "tanh",
    d: int = 2,
    n: int = 200,
    radius: float = 2.0,
    bound: Any = None,
    lipschitz: Any = None,
    draws: int = 60,
    printed: bool = False,
) -> Verdict:
    if d not in (1, 2):
        raise EarnshawError(f"the supremum over all weights is certain for d = 1 and 2 only, not for d = {d}")
    whole("n", n, 1, 20_000)
    whole("draws", draws, 2, 10_000)
    above("radius", radius, 0.0, 1e6)
    units = [activations.get(name) for name in (sigma1, sigma2)]
    ends = np.linspace(-radius, radius, GRID)
    values = [_on_numbers(unit, ends) for unit in units]
    size = max(float(np.max(np.abs(value))) for value in values)
    slope = max(float(np.max(np.abs(np.diff(value))) / (ends[1] - ends[0])) for value in values)
    largest = size if bound is None else above("bound", bound, 0.0)
    steepest = slope * (1 + 1e-3) if lipschitz is None else above("lipschitz", lipschitz, 0.0)
    at_zero = [abs(float(value[GRID // 2])) for value in values]
    limit = printed_bound(largest, steepest, radius, n) if printed else corrected_bound(
        largest, steepest, radius, n, at_zero
    )  # fmt: skip
    found = [_supremum(units, seed, draw, d, n, radius) for draw in range(draws)]
    # Between two angles of the grid a sum changes by at most 2·L·C·B for each radian of either weight.
    beyond = 0.0 if d == 1 else 4 * steepest * largest * radius * math.pi / ANGLES
    mean, half = float(np.mean(found)), _half_width(found)
    return decide(
        "zps17-B.3",
        (
            Hypothesis("|σ₁|, |σ₂| ≤ C on the inputs", size <= largest * (1 + 1e-12), {"found": size, "C": largest}),
            Hypothesis("σ₁, σ₂ are L-Lipschitz there", slope <= steepest * (1 + 1e-9), {"found": slope, "L": steepest}),
            Hypothesis("‖x‖ ≤ B", True, radius),
        ),
        {"complexity, at most": limit, "printed": printed_bound(largest, steepest, radius, n)},
        {
            "complexity on a grid of weights, 95 %": [mean - half, mean + half],
            "what the grid can miss, at most": beyond,
            "complexity of linear functions": _linear(seed, draws, d, n, radius),
            "σ₁(0), σ₂(0)": at_zero,
        },
        (limit - (mean + half + beyond if not printed else mean - half)) / limit,
        counterexample={
            "units": [unit.name for unit in units], "n": n, "B": radius, "C": largest, "L": steepest,
            "complexity, at least": mean - half,
        },
        note="The contraction in the proof needs σ(0) = 0; otherwise terms with C/√n are added (printed=true: not).",
    )  # fmt: skip


def printed_bound(size: float, slope: float, radius: float, n: int) -> float:
    """48·C·L·B·√(2/n)."""
    return 48 * size * slope * radius * math.sqrt(2 / n)


def corrected_bound(size: float, slope: float, radius: float, n: int, at_zero: list[float]) -> float:
    """The same for σᵢ − σᵢ(0), and what the constants sᵢ = σᵢ(0) add: 2|s₁s₂|/√n + 4(|s₁| + |s₂|)LB/√n.

    The class of linear functions has complexity at most 2B/√n, and a single function of size s 2s/√n.
    """
    first, second = at_zero
    alone = 2 * first * second + 4 * (first + second) * slope * radius
    return printed_bound(size + max(at_zero), slope, radius, n) + alone / math.sqrt(n)


def _on_numbers(unit: Any, z: Float[np.ndarray, " m"]) -> Float[np.ndarray, " m"]:
    values = np.asarray(jax.vmap(unit.function)(jnp.asarray(z)))
    if not np.all(np.isfinite(values)):
        raise EarnshawError(f"the unit {unit.name} is not finite on [{z[0]:g}, {z[-1]:g}]")
    return values


def _draw(seed: int, draw: int, d: int, n: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    inputs, signs = jax.random.split(jax.random.fold_in(jax.random.key(seed), draw))
    x = np.asarray(truncated_gaussian(inputs, n, d, radius))
    return x, np.asarray(jax.random.rademacher(signs, (n,), float))


def _supremum(units: list[Any], seed: int, draw: int, d: int, n: int, radius: float) -> float:
    """The largest |(2/n) Σ rᵢ σ₁(xᵢᵀθ)σ₂(xᵢᵀw)| over the weights of the grid."""
    x, signs = _draw(seed, draw, d, n, radius)
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    weights = np.array([[1.0], [-1.0]]) if d == 1 else np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sides = x @ weights.T
    first, second = (_on_numbers(unit, sides.ravel()).reshape(sides.shape) for unit in units)
    return float(np.max(np.abs(first.T @ (signs[:, None] * second)))) * 2 / n


def _half_width(values: list[float]) -> float:
    return float(stats.t.ppf(0.975, len(values) - 1)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def _linear(seed: int, draws: int, d: int, n: int, radius: float) -> dict[str, Any]:
    """The complexity E‖(2/n) Σ rᵢxᵢ‖ of x ↦ θᵀx beside what the proof says of it; the inputs are those above."""
    found = []
    for draw in range(draws):
        x, signs = _draw(seed, draw, d, n, radius)
        found.append(2 / n * float(np.linalg.norm(signs @ x)))
    mean, half = float(np.mean(found)), _half_width(found)
    return {
        "95 %": [mean - half, mean + half],
        "2B/√n": 2 * radius / math.sqrt(n),
        "printed": radius * math.sqrt(2 / n),
    }


theorem = Theorem(
    id="zps17-B.3",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem B.3",
    title="Rademacher complexity of products of two units",
    statement=(
        "For L-Lipschitz σ₁, σ₂ with values in [−C, C] and σᵢ(0) = 0, the functions σ₁(xᵀθ)σ₂(xᵀw) of inputs with "
        "‖x‖ ≤ B, for unit vectors θ, w, have a Rademacher complexity of at most 48·C·L·B·√(2/n); constants σᵢ(0) add "
        "terms of order 1/√n. (Printed for any σᵢ, which fails where they hardly change: sigma1=sigmoid, "
        "sigma2=sigmoid, radius=0.01, printed=true.)"
    ),
    check=_check,
    parameters={
        "sigma1": "tanh",
        "sigma2": "tanh",
        "d": 2,
        "n": 200,
        "radius": 2.0,
        "bound": None,
        "lipschitz": None,
        "draws": 60,
        "printed": False,
    },
)
