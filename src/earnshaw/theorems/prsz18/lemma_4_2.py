"""prsz18, Lemma 4.2 (the case λ = 1 of Lemma B.9): realizable potentials that are almost λ-harmonic."""

import math
from typing import Any

import jax.numpy as jnp

from earnshaw.duality import Radial, potentials
from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.errors import EarnshawError
from earnshaw.theorems.almost_harmonic import alternation, bounds, spectrum, worst_residual
from earnshaw.theorems.limits import above
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0, d: int = 3, eps: float = 0.1, lam: float = 1.0, potential: Any = "", tolerance: float = 1e-8
) -> Verdict:
    construction = AlmostHarmonic(d, eps, lam)
    above("tolerance", tolerance, 0.0)
    if eps >= 1:
        raise EarnshawError(f"the lemma is about eps < 1, got {eps}")
    own = isinstance(potential, str) and not potential
    phi = Radial(construction, "almost harmonic") if own else potentials.get(potential)
    if not isinstance(phi, Radial):
        raise EarnshawError(f"the lemma is about radial potentials, and {phi.name} is not one")
    slack = {
        "λ-harmonic for r ≥ ε": tolerance - worst_residual(phi, d, eps, lam),
        "derivatives alternate in sign": alternation(phi, d, eps, tolerance),
        "bounds on Φ and Φ′": bounds(phi, construction, tolerance),
        "Fourier transform nonnegative": spectrum(phi, construction, own, tolerance),
        "Φ(0) = 1": tolerance - abs(float(phi.profile(jnp.array(0.0))) - 1),
    }
    worst = min(slack, key=lambda claim: slack[claim] if not math.isnan(slack[claim]) else -math.inf)
    return decide(
        "prsz18-L4.2",
        (Hypothesis("d ≡ 3 mod 4 and 0 < ε < 1", True, f"d = {d}, ε = {eps:g}, λ = {lam:g}"),),
        "every claim holds with slack ≥ 0",
        slack,
        slack[worst],
        counterexample={"potential": phi.name, "claim": worst, "slack": slack[worst], "d": d, "eps": eps, "lam": lam},
    )


theorem = Theorem(
    id="prsz18-L4.2",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemmas 4.2 and B.9",
    title="Realizable potentials that are λ-harmonic outside a small ball",
    statement=(
        "For d ≡ 3 mod 4 and 0 < ε < 1 there is a realizable radial potential that satisfies ΔΦ = λΦ for r ≥ ε, with "
        "derivatives of alternating signs and explicit bounds on Φ and Φ′."
    ),
    check=_check,
    parameters={"d": 3, "eps": 0.1, "lam": 1.0, "potential": "", "tolerance": 1e-8},
)
