"""prsz18, Theorem H.1: sign units that fit one sign unit well have one among them that points along it."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.optimize import minimize
from scipy.special import erf

from earnshaw.errors import EarnshawError
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.two_units import composite
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: What is left of a sign unit after the best linear function: E(sgn X − cX)² = 1 − 2/π.
UNFITTED = 1 - 2 / math.pi
#: Keeps the Gram matrix of nearly equal units invertible; a loss is too large by at most this times ‖a‖².
RIDGE = 1e-9


def _check(
    seed: int = 0,
    d: int = 5,
    k: int = 6,
    below: float = 0.3,
    along: float = 0.5,
    starts: int = 8,
    points: int = 40,
    printed: bool = False,
    tolerance: float = 1e-7,
) -> Verdict:
    whole("d", d, 2, 50)
    whole("k", k, 1, 100)
    whole("starts", starts, 1, 1000)
    whole("points", points, 1, 10_000)
    above("below", below, 0.0, 1.0)
    above("along", along, 0.0, math.sqrt(k))
    above("tolerance", tolerance, 0.0, 1.0)
    random = np.random.default_rng(seed)
    threshold = along / math.sqrt(k)

    # Any units at all: each link of the chain of inequalities that the proof makes.
    slack = []
    for _ in range(points):
        share, u, a = random.uniform(-1, 1, k) ** 3, random.normal(size=(k, d - 1)), random.normal(size=k) / k**0.5
        loss, averaged, linear = chain(share, u, a)
        slack.append(min(loss - averaged, averaged - linear))

    # Units that do not point along w₁, made to fit it as well as they can; then units that may.
    confined = [_fitted(random, k, d, threshold) for _ in range(starts)]
    free = [_fitted(random, k, d, 1.0) for _ in range(starts)]
    lowest = min(loss for loss, _ in confined)
    good = [share for loss, share in free if loss < below]
    # (−θ, −a) is the same unit as (θ, a), so a student that is right may have all its units turned round.
    cases = [-np.abs(share) for share in good] if printed else [np.abs(share) for share in good]
    nearest = min((float(np.max(share)) for share in cases), default=math.inf)
    gaps = {
        "E(Σaᵢσ(θᵢᵀX) − σ(X₁))² ≥ E(E[Σaᵢσ(θᵢᵀX) | X₁] − σ(X₁))² ≥ (√(1 − 2/π) − ‖rest‖)²": tolerance + min(slack),
        "no loss below the bound without a unit along w₁": lowest - below,
        "losses below the bound have a unit along w₁": nearest - threshold,
    }
    claim = min(gaps, key=lambda name: gaps[name])
    searched = bool(good)
    return decide(
        "prsz18-H.1",
        (
            Hypothesis("b₂ = … = b_k = 0, b₁ = 1, unit vectors", True, f"k = {k} units of R^{d}"),
            Hypothesis("the loss is below a constant", searched, f"{len(good)} of {starts} fits are below {below:g}"),
        ),
        {
            "w₁ᵀθᵢ" if printed else "|w₁ᵀθᵢ|": f"above {along:g}/√k = {threshold:.4g} for some i",
            "loss without such a unit, at least": below,
        },
        {
            "smallest loss without such a unit": lowest,
            "smallest of the largest w₁ᵀθᵢ" if printed else "smallest of the largest |w₁ᵀθᵢ|": nearest,
            "least slack of the proof's inequalities": min(slack),
            "what no linear function fits, 1 − 2/π": UNFITTED,
        },
        gaps[claim],
        counterexample={
            "claim": claim, "below": below, "threshold": threshold, "d": d,
            "first components of the units": min(confined, key=lambda fit: fit[0])[1],
            "signed, of those that fit": cases[:1],
        },
        note="The proof bounds the rest by the size of the charges, which it takes to be O(1); the search lets them be "
        "what they like.",
    )  # fmt: skip


def chain(share: Any, u: Any, a: Any) -> tuple[float, float, float]:
    """The loss, what is left of it after averaging over X₂, …, X_d, and a lower bound of that.

    Units have the first components `share` and go on along `u`. With s = θ₁/√(1 − θ₁²) the average of Σaᵢσ(θᵢᵀX) is
    h(x) = Σ aᵢ erf(sᵢx/√2) = cx + R(x), c = √(2/π)Σaᵢsᵢ, so that ‖h − sgn‖ ≥ √(1 − 2/π) − ‖R‖ in L²(N(0, 1)).

    >>> loss, averaged, linear = chain(np.array([0.6]), np.array([[2.0, 0.0]]), np.array([1.0]))
    >>> bool(abs(loss - 4 / math.pi * math.acos(0.6)) < 1e-12), loss >= averaged >= linear
    (True, True)
    """
    share, a = np.asarray(share, float), np.asarray(a, float)
    loss = float(_loss(jnp.asarray(_units(share, np.asarray(u, float))), jnp.asarray(a)))
    x, weights = composite(np.linspace(0.0, 12.0, 25))
    weights = 2 * weights * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    slopes = share / np.sqrt(1 - share**2)
    averages = erf(slopes[:, None] * x / math.sqrt(2))
    averaged = float(weights @ (a @ averages - 1) ** 2)
    rest = a @ (averages - math.sqrt(2 / math.pi) * slopes[:, None] * x)
    linear = max(math.sqrt(UNFITTED) - math.sqrt(float(weights @ rest**2)), 0.0) ** 2
    return loss, averaged, linear


def _units(share: Float[np.ndarray, " k"], u: Float[np.ndarray, "k e"]) -> Float[np.ndarray, "k d"]:
    others = u / np.linalg.norm(u, axis=1, keepdims=True)
    return np.concatenate([share[:, None], np.sqrt(1 - share**2)[:, None] * others], axis=1)


def _kernel(cosines: Array) -> Array:
    """1 − (2/π)·arccos, kept off ±1, where its slope is infinite."""
    return 2 / jnp.pi * jnp.arcsin(jnp.clip(cosines, -1 + 1e-12, 1 - 1e-12))


@jax.jit
def _loss(units: Float[Array, "k d"], a: Float[Array, " k"]) -> Float[Array, ""]:
    """E(Σaᵢσ(θᵢᵀX) − σ(X₁))²."""
    k = units.shape[0]
    gram = jnp.where(jnp.eye(k, dtype=bool), 1.0, _kernel(units @ units.T))
    return a @ gram @ a - 2 * a @ _kernel(units[:, 0]) + 1


@jax.jit
@jax.value_and_grad
def _best_loss(raw: Float[Array, "k d"], limit: Float[Array, ""]) -> Float[Array, ""]:
    """The loss at the best charges, for units whose first component is limit·sin(raw₁)."""
    k = raw.shape[0]
    share = limit * jnp.sin(raw[:, 0])
    others = raw[:, 1:] / jnp.linalg.norm(raw[:, 1:], axis=1, keepdims=True)
    units = jnp.concatenate([share[:, None], jnp.sqrt(jnp.maximum(1 - share**2, 1e-24))[:, None] * others], axis=1)
    gram = jnp.where(jnp.eye(k, dtype=bool), 1.0 + RIDGE, _kernel(units @ units.T))
    field = _kernel(units[:, 0])
    return 1 - field @ jnp.linalg.solve(gram, field)


def _fitted(random: np.random.Generator, k: int, d: int, limit: float) -> tuple[float, Float[np.ndarray, " k"]]:
    """The loss of k units with |θᵢ₁| ≤ limit, after descending from a random start, and their first components."""
    if d < 2:
        raise EarnshawError("a unit with a bounded first component needs d ≥ 2")
    begin = random.normal(size=(k, d))

    def both(flat: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = _best_loss(jnp.asarray(flat.reshape(k, d)), jnp.asarray(limit))
        return float(value), np.nan_to_num(np.asarray(gradient)).ravel()

    result = minimize(both, begin.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return float(result.fun), limit * np.sin(np.asarray(result.x).reshape(k, d)[:, 0])


theorem = Theorem(
    id="prsz18-H.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem H.1",
    title="Sign units that fit a sign unit well have one that points along it",
    statement=(
        "On the sphere, with the sign activation and a single proton w₁, a loss E(Σaᵢσ(θᵢᵀX) − σ(w₁ᵀX))² below a "
        "constant (less than 1 − 2/π) needs a unit with |w₁ᵀθᵢ| above a constant times 1/√k. (The source has w₁ᵀθᵢ; "
        "but −θᵢ with −aᵢ is the same unit.)"
    ),
    check=_check,
    parameters={
        "d": 5,
        "k": 6,
        "below": 0.3,
        "along": 0.5,
        "starts": 8,
        "points": 40,
        "printed": False,
        "tolerance": 1e-7,
    },
)
