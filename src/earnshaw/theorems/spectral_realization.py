"""One check for two theorems: an activation from the square root of a potential's Fourier transform.

prsz18 Theorem 2.1 and zps17 Theorem 2.4 make the same construction, σ(x, θ) = weight·e^{‖x‖²/4}·h(x − θ) with
h = F⁻¹√(FΦ). Both proofs print the weight (2π)^{1/4}; in R^d it has to be (2π)^{d/4}.
"""

import math
from typing import Any

import numpy as np

from earnshaw.duality import Radial, potentials
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.radial_activation import RadialActivation
from earnshaw.duality.realizability import realizability
from earnshaw.errors import EarnshawError
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

PARAMETERS = {"potential": "gaussian", "d": 3, "claimed": "", "weight": "d/4", "tolerance": 1e-4}
RADII = np.array([0.25, 0.5, 1.0, 1.5, 2.5])
WEIGHTS = {"d/4": lambda d: d / 4, "1/4": lambda d: 0.25}


def check(
    theorem: str, potential: Any, d: int, claimed: Any, weight: str, tolerance: float, square_integrable: bool
) -> Verdict:
    """Recompute E σσ from the constructed activation and compare it with the potential that is claimed for it.

    - `potential`: what σ is made from, a name or a `Radial`. `claimed`: what E σσ is said to be; the same if empty.
    - `weight`: the exponent of 2π in σ, "d/4" or the printed "1/4".
    """
    potential = potentials.get(potential)
    claimed = potential if isinstance(claimed, str) and not claimed else potentials.get(claimed)
    if not isinstance(potential, Radial) or not isinstance(claimed, Radial):
        raise EarnshawError(f"{theorem} is checked for radial potentials, and {potential.name} is not one")
    if weight not in WEIGHTS:
        raise EarnshawError(f"the weight of the activation is 'd/4' or '1/4', not {weight!r}")
    if not (math.isfinite(tolerance) and tolerance > 0):
        raise EarnshawError(f"the tolerance must be positive, got {tolerance}")
    answer = realizability(potential, d)
    evidence = answer.evidence
    hypotheses = [
        Hypothesis(
            "the Fourier transform exists and is nonnegative, and Φ(θ, θ) is finite",
            answer.realizable is True,
            answer.reason
            if evidence is None
            else f"{answer.reason} {evidence.what} {evidence.place:g}: {evidence.value:g}",
        )
    ]
    if square_integrable:
        far = float(on_arrays(potential.profile)(np.array([60.0]))[0]) ** 2 * 60.0**d
        hypotheses.append(Hypothesis("Φ is square-integrable", far < 1e-2, f"Φ(60)²·60^{d} = {far:.1e}"))
    activation = answer.activation
    if not isinstance(activation, RadialActivation) or not all(h.met for h in hypotheses):
        return decide(theorem, tuple(hypotheses), "E σ(x, θ)σ(x, w) = Φ(θ, w)", answer.reason, math.nan)
    # the activation carries (2π)^{d/4}; another exponent changes E σσ by the square of the ratio
    factor = (2 * math.pi) ** (2 * WEIGHTS[weight](d) - d / 2)
    recomputed = factor * activation.potential_at(RADII)
    expected = on_arrays(claimed.profile)(RADII)
    difference = np.abs(recomputed - expected)
    worst = int(np.argmax(difference))
    at_zero = float(on_arrays(claimed.profile)(np.zeros(1))[0])
    return decide(
        theorem,
        tuple(hypotheses),
        {"radius": RADII[worst], "potential": expected[worst]},
        {"radius": RADII[worst], "potential": recomputed[worst], "difference": difference[worst]},
        tolerance * at_zero - float(difference[worst]),
        counterexample={"potential": potential.name, "claimed": claimed.name, "d": d, "radius": RADII[worst]},
    )
