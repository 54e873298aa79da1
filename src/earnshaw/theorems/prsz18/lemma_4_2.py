"""prsz18, Lemma 4.2 (the case λ = 1 of Lemma B.9): realizable potentials that are almost λ-harmonic."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import Radial, potentials
from earnshaw.duality.fourier import radial_fourier
from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.errors import EarnshawError
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0, d: int = 3, eps: float = 0.1, lam: float = 1.0, potential: Any = "", tolerance: float = 1e-8
) -> Verdict:
    construction = AlmostHarmonic(d, eps, lam)
    if eps >= 1:
        raise EarnshawError(f"the lemma is about eps < 1, got {eps}")
    own = isinstance(potential, str) and not potential
    phi = Radial(construction, "almost harmonic") if own else potentials.get(potential)
    if not isinstance(phi, Radial):
        raise EarnshawError(f"the lemma is about radial potentials, and {phi.name} is not one")
    slack = {
        "λ-harmonic for r ≥ ε": tolerance - _worst_residual(phi, d, eps, lam),
        "derivatives alternate in sign": _alternation(phi, d, eps, tolerance),
        "bounds on Φ and Φ′": _bounds(phi, construction, tolerance),
        "Fourier transform nonnegative": _spectrum(phi, construction, own, tolerance),
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


def _worst_residual(phi: Radial, d: int, eps: float, lam: float) -> float:
    """The largest |ΔΦ − λΦ| for r ≥ ε, relative to the size of the terms that cancel."""
    r = jnp.asarray(eps * (1 + 1e-9) + np.concatenate([np.geomspace(1e-6, 1.0, 60), np.linspace(1.1, 20.0, 60)]))
    value = jax.vmap(phi.profile)(r)
    first = jax.vmap(jax.grad(phi.profile))(r)
    second = jax.vmap(jax.grad(jax.grad(phi.profile)))(r)
    scale = jnp.abs(second) + (d - 1) / r * jnp.abs(first) + lam * jnp.abs(value)
    return float(jnp.max(jnp.abs(second + (d - 1) / r * first - lam * value) / scale))


def _alternation(phi: Radial, d: int, eps: float, tolerance: float) -> float:
    """The smallest (−1)^k Φ^(k) for k ≤ d − 2, relative to its largest size, inside and outside of ε."""
    r = jnp.asarray(np.concatenate([eps * np.linspace(0.02, 0.98, 25), eps + np.geomspace(1e-3, 10.0, 25)]))
    smallest = math.inf
    derivative = phi.profile
    for k in range(d - 1):
        values = np.asarray(jax.vmap(derivative)(r)) * (-1) ** k
        smallest = min(smallest, float(np.min(values) / np.max(np.abs(values))))
        derivative = jax.grad(derivative)
    return smallest + tolerance


def _bounds(phi: Radial, construction: AlmostHarmonic, tolerance: float) -> float:
    """The smallest relative distance to the four bounds for r ≥ ε; negative where one is broken."""
    r = jnp.asarray(construction.eps + np.geomspace(1e-6, 20.0, 200))
    value, slope = jax.vmap(phi.profile)(r), jnp.abs(jax.vmap(jax.grad(phi.profile))(r))
    ratios = [
        value / construction.lower_bound(r) - 1,
        1 - value / construction.upper_bound(r),
        slope / construction.slope_lower_bound(r) - 1,
        1 - slope / construction.slope_upper_bound(r),
    ]
    return float(min(jnp.min(ratio) for ratio in ratios)) + tolerance


def _spectrum(phi: Radial, construction: AlmostHarmonic, own: bool, tolerance: float) -> float:
    """The smallest value of the Fourier transform, relative to its largest, with its error on the safe side."""
    k = np.concatenate([np.linspace(0.0, 10.0, 41), np.geomspace(11.0, 40.0 / construction.eps, 60)])
    if own:
        values, errors = construction.fourier(k)
    else:
        values, errors = radial_fourier(phi.profile, construction.d, k[k < 60.0], tolerance=1e-7)
    return float(np.min(values + 3 * errors) / np.max(np.abs(values))) + tolerance


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
