"""prsz18, Lemma B.7: a realizable potential whose derivative of order d − 1 is a tent."""

import math
from typing import Any

import numpy as np
from scipy.special import beta, betainc

from earnshaw.duality.yukawa import require_three_mod_four
from earnshaw.errors import EarnshawError
from earnshaw.theorems.continued_inwards import ContinuedInwards, family, repeated_integral, smallest_transform
from earnshaw.theorems.limits import above
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

CONSTRUCTIONS = ("integration", "overlaps", "flat")


def _check(
    seed: int = 0,
    d: int = 3,
    t: float = 2.0,
    eps: float = 0.25,
    construction: str = "integration",
    tolerance: float = 1e-7,
) -> Verdict:
    require_three_mod_four(d)
    if d > 19:
        raise EarnshawError(f"polynomials of degree d lose their digits beyond d = 19, got d = {d}")
    above("t", t, 0.0, 100.0)
    above("eps", eps, 0.0, 100.0)
    above("tolerance", tolerance, 0.0)
    if construction not in CONSTRUCTIONS:
        raise EarnshawError(f"construction is one of {', '.join(CONSTRUCTIONS)}, not {construction!r}")
    hypotheses = (Hypothesis("d ≡ 3 mod 4", True, d), Hypothesis("ε < t", eps < t, f"ε = {eps:g}, t = {t:g}"))
    if not hypotheses[1].met:
        return Verdict("prsz18-LB.7", "not-applicable", hypotheses, predicted="Φ^(d−1) is the tent, and Φ realizable")

    def top(x: float) -> float:
        return (t - eps) / eps * x if x <= eps else max(t - x, 0.0)

    own = ContinuedInwards(family("tent", d, t), d, eps, flat=construction == "flat")
    profile: Any = (lambda r: _average(np.asarray(r, float), d, t, eps)) if construction == "overlaps" else own
    radii = np.concatenate([eps * np.array([0.05, 0.5, 0.95]), eps + (t - eps) * np.array([0.1, 0.4, 0.8])])
    wanted = np.array([repeated_integral(top, d, float(r), [eps, t]) for r in radii])
    found = np.array([float(profile(r)) for r in radii])
    slack = {
        "Φ^(d−1) is the tent": tolerance - float(np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))),
        "Φ vanishes beyond t": tolerance - float(np.max(np.abs([profile(r) for r in (t, 1.01 * t, 3 * t)]))),
        "Fourier transform nonnegative": smallest_transform(profile, d, eps, support=t),
    }
    worst = min(slack, key=lambda claim: slack[claim])
    return decide(
        "prsz18-LB.7",
        hypotheses,
        "every claim holds with slack ≥ 0",
        slack,
        slack[worst],
        counterexample={"d": d, "t": t, "eps": eps, "construction": construction, "claim": worst,
                        "radii": radii, "wanted": wanted, "found": found},
        note="A continuous function with a nonnegative transform has an integrable one: its integral is Φ(0). "
        "'overlaps' is the source's average of ball overlaps, which has the tent for d = 3 only.",
    )  # fmt: skip


def _average(r: Any, d: int, t: float, eps: float) -> Any:
    """t ∫_ε^t x^{−2} Φ_x(r) dx with the overlaps Φ_x, Φ_x′ = −(x² − r²)^{(d−1)/2}/(d − 1)!."""
    half = (d - 1) // 2
    scale = beta(half + 1, 0.5) / 2 / math.factorial(d - 1)

    nodes, weights = np.polynomial.legendre.leggauss(40)
    low = np.clip(r, eps, t)[..., None]
    x = (t + low) / 2 + (t - low) / 2 * nodes
    covered = betainc(half + 1, 0.5, np.clip(1 - (r[..., None] / x) ** 2, 0.0, 1.0))
    return t * scale * (t - low[..., 0]) / 2 * np.sum(weights * x ** (d - 2) * covered, axis=-1)


theorem = Theorem(
    id="prsz18-LB.7",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.7",
    title="A realizable potential whose derivative of order d − 1 is a tent",
    statement=(
        "For d ≡ 3 mod 4 and 0 < ε < t there is a realizable radial potential that vanishes beyond t and whose "
        "derivative of order d − 1 is t − r for ε < r ≤ t and (t − ε)r/ε for r ≤ ε."
    ),
    check=_check,
    parameters={"d": 3, "t": 2.0, "eps": 0.25, "construction": "integration", "tolerance": 1e-7},
)
