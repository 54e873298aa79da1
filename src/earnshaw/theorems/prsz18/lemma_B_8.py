"""prsz18, Lemma B.8: potentials with derivatives of alternating signs are realizable but for a small ball."""

import math

import numpy as np
from scipy.integrate import quad

from earnshaw.duality.yukawa import require_three_mod_four
from earnshaw.errors import EarnshawError
from earnshaw.theorems.continued_inwards import ContinuedInwards, Derivatives, family, smallest_transform
from earnshaw.theorems.limits import above
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    profile: str = "exponential",
    size: float = 1.0,
    d: int = 3,
    eps: float = 0.25,
    flat: bool = False,
    tolerance: float = 1e-7,
) -> Verdict:
    require_three_mod_four(d)
    if d > 19:
        raise EarnshawError(f"polynomials of degree d lose their digits beyond d = 19, got d = {d}")
    above("size", size, 0.0, 100.0)
    above("eps", eps, 0.0, 100.0)
    above("tolerance", tolerance, 0.0)
    outer = family(profile, d, size)
    radii = np.geomspace(1e-3 * eps, 1e3, 400)
    signs = min(float(np.min((-1) ** k * outer(radii, k))) for k in range(d + 2))
    growth = _growth(outer, d, eps)
    hypotheses = (
        Hypothesis("d ≡ 3 mod 4", True, d),
        Hypothesis("derivatives up to order d + 1 alternate in sign", signs >= 0, f"smallest (−1)^k Φ^(k) {signs:.3g}"),
        Hypothesis(
            "Φ is square-integrable beyond ε", growth < 0.95, f"the integral grows {growth:.3g}-fold per doubling"
        ),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict(
            "prsz18-LB.8", "not-applicable", hypotheses, predicted="a realizable potential equal to Φ beyond ε"
        )
    found = ContinuedInwards(outer, d, eps, flat)
    slack = {
        "Fourier transform nonnegative": smallest_transform(found, d, eps, size if profile == "tent" else None),
        "derivatives alternate in sign": _alternation(found) + tolerance,
        "the bounds for r < ε": _bounds(found) + tolerance,
        "an average of potentials with tents": tolerance - _off_average(found),
    }
    worst = min(slack, key=lambda claim: slack[claim])
    return decide(
        "prsz18-LB.8",
        hypotheses,
        "every claim holds with slack ≥ 0",
        slack,
        slack[worst],
        counterexample={"profile": profile, "size": size, "d": d, "eps": eps, "flat": flat, "claim": worst},
        note="Square-integrability, which Fourier-integrability includes, does not follow from derivatives that tend "
        "to 0: 1/r in R³ has these.",
    )


def _growth(outer: Derivatives, d: int, eps: float) -> float:
    """By what factor ∫Φ² r^{d−1} over [R, 2R] grows when R is doubled, at a large R."""

    def piece(low: float) -> float:
        return quad(lambda r: float(outer(r, 0)) ** 2 * r ** (d - 1), low, 2 * low, epsabs=0)[0]

    first, second = piece(2.0**9 * eps), piece(2.0**10 * eps)
    return second / first if first > 0 else 0.0


def _alternation(found: ContinuedInwards) -> float:
    """The smallest (−1)^k Φ̄^{(k)} for k ≤ d − 2 and of Φ̄^{(d−1)}, relative to the largest size, on both sides of ε."""
    radii = found.eps * np.concatenate([np.linspace(0.02, 0.98, 25), np.linspace(1.0, 20.0, 25)])
    values = [(-1) ** k * found(radii, k) for k in range(found.d)]
    return min(float(np.min(value) / np.max(np.abs(value))) if np.any(value) else 0.0 for value in values)


def _bounds(found: ContinuedInwards) -> float:
    """The smallest relative room below |Φ^{(d−1−k)}(ε)| + Σⱼ (ε − r)^{k−j+1}/(k − j + 1)! |Φ^{(d−j)}(ε)|, for r < ε."""
    d, eps = found.d, found.eps
    size = [abs(float(found.outer(eps, order))) for order in range(d)]
    room = math.inf
    for r in eps * np.linspace(0.0, 0.99, 23):
        for k in range(d):
            allowed = size[d - 1 - k] + sum(
                (eps - r) ** (k - j + 1) / math.factorial(k - j + 1) * size[d - j] for j in range(1, k + 1)
            )
            room = min(room, 1.0 - abs(float(found(r, d - 1 - k))) / allowed)
    return float(room)


def _off_average(found: ContinuedInwards) -> float:
    """How far Φ̄ is from ∫_ε^∞ Φ^{(d+1)}(x) Φ_x dx, Φ_x from Lemma B.7, relative to Φ̄(0)."""
    d, eps = found.d, found.eps
    off = 0.0
    for r in eps * np.array([0.0, 0.3, 0.9, 1.5, 3.0]):

        def integrand(x: float, r: float = float(r)) -> float:
            member = ContinuedInwards(family("tent", d, x), d, eps)
            return float(found.outer(x, d + 1)) * float(member(r))

        low = max(float(r), eps)
        total = (
            quad(integrand, low, low + 2 * eps, epsrel=1e-9)[0] + quad(integrand, low + 2 * eps, np.inf, epsrel=1e-9)[0]
        )
        off = max(off, abs(total / float(found(r)) - 1) * float(found(r)) / float(found(0.0)))
    return off


theorem = Theorem(
    id="prsz18-LB.8",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.8",
    title="Alternating derivatives make a potential realizable but for a small ball",
    statement=(
        "For d ≡ 3 mod 4, a radial Φ with (−1)^k Φ^(k) ≥ 0 that is square-integrable far out agrees for r ≥ ε, up to "
        "its derivatives of order d − 1, with a realizable potential whose derivatives alternate in sign too and are "
        "bounded for r < ε by those at ε."
    ),
    check=_check,
    parameters={"profile": "exponential", "size": 1.0, "d": 3, "eps": 0.25, "flat": False, "tolerance": 1e-7},
)
