"""prsz18, Lemma B.9: almost λ-harmonic potentials for any λ, and the polynomials that they come from."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.duality import Radial, potentials
from earnshaw.duality.yukawa import AlmostHarmonic, harmonic_polynomials
from earnshaw.errors import EarnshawError
from earnshaw.theorems.almost_harmonic import alternation, bounds, spectrum, worst_residual
from earnshaw.theorems.limits import above
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    d: int = 3,
    eps: float = 0.25,
    lam: float = 2.0,
    potential: Any = "",
    printed: bool = False,
    tolerance: float = 1e-8,
) -> Verdict:
    construction = AlmostHarmonic(d, eps, lam)
    above("tolerance", tolerance, 0.0)
    own = isinstance(potential, str) and not potential
    phi = Radial(construction, "almost harmonic") if own else potentials.get(potential)
    if not isinstance(phi, Radial):
        raise EarnshawError(f"the lemma is about radial potentials, and {phi.name} is not one")
    hypotheses = (
        Hypothesis("d ≡ 3 mod 4", True, d),
        Hypothesis("0 < ε < 1", eps < 1, eps),
    )
    if not hypotheses[1].met:
        return Verdict("prsz18-LB.9", "not-applicable", hypotheses, predicted="every claim holds with slack ≥ 0")
    slack = {
        "λ-harmonic for r ≥ ε": tolerance - worst_residual(phi, d, eps, lam),
        "derivatives alternate in sign": alternation(phi, d, eps, tolerance),
        "bounds on Φ and Φ′ for r ≥ ε": bounds(phi, construction, tolerance),
        "bound on every derivative": _derivative_bound(construction, printed),
        "Fourier transform nonnegative": spectrum(phi, construction, own, tolerance),
        "Φ(0) = 1": tolerance - abs(float(phi.profile(jnp.array(0.0))) - 1),
        "p has positive coefficients, and p(r) ≤ (1 + √λ r)^d": _polynomial(d, lam),
    }
    worst = min(slack, key=lambda claim: slack[claim] if not math.isnan(slack[claim]) else -math.inf)
    return decide(
        "prsz18-LB.9",
        hypotheses,
        "every claim holds with slack ≥ 0",
        slack,
        slack[worst],
        counterexample={"potential": phi.name, "claim": worst, "slack": slack[worst], "d": d, "eps": eps, "lam": lam},
        note="The bound on derivatives is 3(2d + √λ)^{2d} ε^{−2d} e^{√λ}; with `printed` it is multiplied by r.",
    )


def _derivative_bound(construction: AlmostHarmonic, printed: bool) -> float:
    """1 − the largest |Φ^(k)(r)|/bound over 0 ≤ k ≤ d − 1, from r = 0 to the far end."""
    radii = np.concatenate(
        [construction.eps * np.linspace(0.0, 1.0, 21), construction.eps + np.geomspace(1e-3, 20, 30)]
    )
    room = math.inf
    for order in range(construction.d):
        sizes = np.abs(np.asarray(construction.derivative(radii, order)))
        allowed = construction.derivative_bound(order) * (radii if printed else np.ones_like(radii))
        # Two infinities of slack are one; only a bound of 0 has to be looked at by itself.
        with np.errstate(divide="ignore", invalid="ignore"):
            room = min(room, float(np.min(1 - np.where(sizes > 0, sizes / allowed, 0.0))))
    return max(room, -1e9)


def _polynomial(d: int, lam: float) -> float:
    """The smallest of the coefficients of p₀, …, p_{d−1} and of 1 − p₀(√λ r)/(1 + √λ r)^d."""
    polynomials = harmonic_polynomials(d, d - 1)
    if len(polynomials[0]) != (d - 3) // 2 + 1 or polynomials[0][0] != 1:
        return -1.0
    z = math.sqrt(lam) * np.geomspace(1e-3, 1e2, 60)
    room = np.min(1 - np.polynomial.Polynomial(polynomials[0])(z) / (1 + z) ** d)
    return float(min(room, min(min(p) for p in polynomials)))


theorem = Theorem(
    id="prsz18-LB.9",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.9",
    title="Almost λ-harmonic potentials for any λ, with bounds",
    statement=(
        "For d ≡ 3 mod 4, 0 < ε < 1 and λ > 0 there is a realizable radial potential of value 1 at 0 that satisfies "
        "ΔΦ = λΦ for r ≥ ε and is there p(r)e^{−√λ r}/r^{d−2} up to a factor, p a polynomial with positive "
        "coefficients; its derivatives alternate in sign and are bounded by 3(2d + √λ)^{2d} ε^{−2d} e^{√λ}."
    ),
    check=_check,
    parameters={"d": 3, "eps": 0.25, "lam": 2.0, "potential": "", "printed": False, "tolerance": 1e-8},
)
