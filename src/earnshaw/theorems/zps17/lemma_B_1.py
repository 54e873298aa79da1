"""zps17, Lemma B.1: a ball of moderate radius hardly changes Gaussian expectations of polynomial growth."""

import math
from typing import Any

import jax
import numpy as np
from scipy.special import gammainc

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.errors import EarnshawError
from earnshaw.theorems import truncation
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The function is ‖x‖^p itself under this name.
POWER = "power"
#: Lengths and directions at which |f(x)|/‖x‖^p is looked at, for a product of two units.
LENGTHS = np.logspace(-8, 3, 221)
DIRECTIONS = np.linspace(0, 2 * np.pi, 361)


def _check(
    seed: int = 0,
    f: Any = POWER,
    d: int = 3,
    p: float = 2.0,
    c: float = 1.0,
    epsilon: float = 1e-6,
    cosine: float = 0.5,
    radius: Any = None,
    printed: bool = False,
) -> Verdict:
    _look_over(d, p, c, epsilon, cosine)
    ratio = (1.0 if printed else c) / epsilon
    ball = _radius(radius, d, p, ratio)
    if isinstance(f, str) and f == POWER:
        growth, bias, name = c, c * truncation.power_bias(d, p, ball), f"{c:g}·‖x‖^{p:g}"
    else:
        unit = activations.get(f)
        if d < 2:
            raise EarnshawError(f"a product of two units needs a dimension of at least 2, not {d}")
        growth, name = _growth(unit, cosine, p), f"σ(uᵀx)σ(vᵀx), σ = {unit.name}, uᵀv = {cosine:g}"
        bias = truncation.two_units_bias(unit, cosine, d, ball) if math.isfinite(growth) else math.nan
    hypotheses = (
        Hypothesis("|f(x)| ≤ c·‖x‖^p", growth <= c * (1 + 1e-9), {"f": name, "least c": growth}),
        Hypothesis("B is a polynomial of d, p and log(1/ε)", True, "log(1/ε)" if printed else "log(c/ε)"),
    )
    predicted = {
        "bias, at most": epsilon,
        "tail, by the proof's bound": c * truncation.printed_tail_bound(d, p, ball),
        "tail, by the same with the constant of polar coordinates": c * truncation.sharp_tail_bound(d, p, ball),
        "lost mass, by the proof's bound": c * truncation.printed_mass_bound(d, p, ball),
    }
    measured = {
        "bias": abs(bias),
        "tail of c·‖x‖^p": c * truncation.tail_moment(d, p, ball),
        "lost mass times c·B^p": c * truncation.mass_term(d, p, ball),
        "B": ball,
        "smallest B for c·‖x‖^p": truncation.smallest_radius(d, p, c / epsilon),
    }
    where = {"f": name, "d": d, "p": p, "c": c, "epsilon": epsilon, "B": ball, "bias": abs(bias)}
    return decide(
        "zps17-LB.1",
        hypotheses,
        predicted,
        measured,
        epsilon - abs(bias),
        counterexample=where,
        note="The bias is proportional to c, so B has to grow with log(c/ε): the lemma leaves c out.",
    )


def _radius(given: Any, d: int, p: float, ratio: float) -> float:
    if given is None or given == "proof":
        return truncation.sufficient_radius(d, p, ratio)
    if given == "smallest":
        return truncation.smallest_radius(d, p, ratio)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1e-3 <= given <= 1e6:
        raise EarnshawError(f"radius must be proof, smallest or a number from 0.001 to 1e6, not {given!r}")
    if gammainc(d / 2, given**2 / 2) < 1e-280:
        raise EarnshawError(f"the ball of radius {given} in dimension {d} has no probability in double precision")
    return float(given)


def _growth(unit: Activation, cosine: float, p: float) -> float:
    """The largest |f(x)|/‖x‖^p in the plane of the two units, where it is largest."""
    value = jax.vmap(unit.function)
    omega = math.acos(cosine)
    sides = [LENGTHS[:, None] * np.cos(DIRECTIONS - shift) for shift in (0.0, omega)]
    first, second = (np.asarray(value(side.ravel())).reshape(side.shape) for side in sides)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        logarithms = np.log(np.abs(first)) + np.log(np.abs(second)) - p * np.log(LENGTHS[:, None])
        # Where one unit vanishes and the other overflows nothing is known, so growth is not bounded.
        return float(np.exp(np.max(np.where(np.isnan(logarithms), np.inf, logarithms))))


def _look_over(d: int, p: float, c: float, epsilon: float, cosine: float) -> None:
    if not 1 <= d <= 1000:
        raise EarnshawError(f"the dimension d must be between 1 and 1000, not {d}")
    if not 0 <= p <= 100:
        raise EarnshawError(f"the exponent p must be between 0 and 100, not {p}")
    for name, value in (("c", c), ("epsilon", epsilon)):
        if not 1e-100 <= value <= 1e100:
            raise EarnshawError(f"{name} must be between 1e-100 and 1e100, not {value}")
    if not -1 <= cosine <= 1:
        raise EarnshawError(f"cosine must be between -1 and 1, not {cosine}")


theorem = Theorem(
    id="zps17-LB.1",
    source="Zhang, Panigrahy, Sachdeva (2017), Lemma B.1",
    title="Truncating a Gaussian hardly changes expectations of polynomial growth",
    statement=(
        "If |f(x)| ≤ c‖x‖^p, a radius B that is a polynomial of d, p and log(c/ε) is enough for E f(X) and "
        "E[f(X) | ‖X‖ ≤ B] to differ by at most ε, X standard Gaussian in R^d. Printed without the c, which fails: "
        "radius=smallest, printed=true, c=100."
    ),
    check=_check,
    parameters={
        "f": POWER,
        "d": 3,
        "p": 2.0,
        "c": 1.0,
        "epsilon": 1e-6,
        "cosine": 0.5,
        "radius": None,
        "printed": False,
    },
)
