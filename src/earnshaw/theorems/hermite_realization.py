"""One check for two theorems: an activation from the Taylor coefficients of a zonal potential.

zps17 Theorem 2.5 and prsz18 Theorem B.2: σ = Σ √cₙ hₙ has the dual Σ cₙρⁿ. Both print the sum from n = 1; without
n = 0 it loses the constant c₀.
"""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.polynomial import hermite_e

from earnshaw.duality import Zonal, activations, potentials
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.taylor import remaining_mass, taylor_coefficients
from earnshaw.errors import EarnshawError
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

PARAMETERS = {
    "potential": "sphere_exponential",
    "coefficients": [],
    "claimed": "",
    "first_index": 0,
    "tolerance": 1e-10,
}
COSINES = np.linspace(-0.95, 0.95, 11)
MOST_TERMS = 40
NODES = 96


def check(theorem: str, potential: Any, coefficients: Any, claimed: Any, first_index: int, tolerance: float) -> Verdict:
    """Recompute E σ(X)σ(Y) for correlated Gaussians from σ = Σ √cₙ hₙ by quadrature in the plane.

    - `potential`: a name or a `Zonal`; `coefficients` gives Σ cₙρⁿ instead. `claimed`: what E σσ is said to be.
    - `first_index`: where the sum starts; the printed 1 leaves c₀ out.
    """
    if not all(isinstance(c, int | float) and not isinstance(c, bool) for c in coefficients):
        raise EarnshawError(f"the Taylor coefficients of a potential are numbers, got {list(coefficients)}")
    potential = potentials.polynomial(*map(float, coefficients)) if len(coefficients) else potentials.get(potential)
    claimed = potential if isinstance(claimed, str) and not claimed else potentials.get(claimed)
    if not isinstance(potential, Zonal) or not isinstance(claimed, Zonal):
        raise EarnshawError(f"{theorem} is about potentials of the inner product, and {potential.name} is not one")
    if first_index not in (0, 1):
        raise EarnshawError(f"the sum starts at 0, or at the printed 1, not at {first_index}")
    if not (math.isfinite(tolerance) and tolerance > 0):
        raise EarnshawError(f"the tolerance must be positive, got {tolerance}")
    found, errors = taylor_coefficients(potential.profile, MOST_TERMS)
    found, errors = found[:MOST_TERMS], errors[:MOST_TERMS]
    lowest = int(np.argmin(found + 3 * errors))
    left = remaining_mass(potential.profile, found)
    hypotheses = (
        Hypothesis("all Taylor coefficients are nonnegative", bool(np.all(found + 3 * errors >= 0)),
                   f"the smallest is c_{lowest} = {found[lowest]:.6g} ± {errors[lowest]:.1e}"),
        Hypothesis(f"the first {found.size} coefficients carry all but {tolerance:g} of Φ(θ, θ)",
                   abs(left) <= tolerance, f"{left:.1e} is left"),
    )  # fmt: skip
    if not all(h.met for h in hypotheses):
        return decide(theorem, hypotheses, "E σσ = Σ cₙρⁿ", hypotheses[0].value, math.nan)
    kept = np.where(found > 3 * errors, found, 0.0)
    kept[:first_index] = 0.0
    recomputed = _dual_by_quadrature(activations.from_hermite(tuple(float(c) for c in np.sqrt(kept))))
    expected = on_arrays(claimed.profile)(COSINES)
    difference = np.abs(recomputed - expected)
    worst = int(np.argmax(difference))
    return decide(
        theorem,
        hypotheses,
        {"cosine": COSINES[worst], "potential": expected[worst]},
        {"cosine": COSINES[worst], "potential": recomputed[worst], "difference": difference[worst]},
        tolerance - float(difference[worst]),
        counterexample={"potential": potential.name, "claimed": claimed.name, "cosine": COSINES[worst]},
    )


def _dual_by_quadrature(activation) -> np.ndarray:
    """E σ(X)σ(Y), Cov(X, Y) = ρ, by Gauss-Hermite in the plane: exact for Hermite sums of degree below the nodes."""
    nodes, weights = hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    x = nodes[:, None]
    values = []
    for rho in COSINES:
        y = rho * x + math.sqrt(1 - rho**2) * nodes[None, :]
        products = np.asarray(activation(jnp.asarray(x))) * np.asarray(activation(jnp.asarray(y)))
        values.append(float(weights @ products @ weights))
    return np.array(values)
