"""prsz18, Lemma B.10: the Yukawa potential of R³ comes from a modified Bessel function."""

from typing import Any

import numpy as np

from earnshaw.duality import Radial, potentials
from earnshaw.duality.bessel_pair import yukawa_activation
from earnshaw.duality.fourier import on_arrays
from earnshaw.errors import EarnshawError
from earnshaw.theorems.limits import above
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

RADII = np.array([0.1, 0.25, 0.5, 1.0, 2.0, 4.0])


def _check(seed: int = 0, potential: Any = "yukawa", scale: float = 1.0, tolerance: float = 1e-8) -> Verdict:
    potential = potentials.get(potential)
    if not isinstance(potential, Radial):
        raise EarnshawError(f"the potential of a radial activation is radial, and {potential.name} is not")
    above("scale", scale, 0.0, 1e100)
    above("tolerance", tolerance, 0.0)
    activation = yukawa_activation()
    recomputed = scale**2 * activation.potential_at(RADII)
    expected = on_arrays(potential.profile)(RADII)
    relative = np.abs(recomputed / expected - 1)
    worst = int(np.argmax(relative))
    near = float(activation.potential_at(np.array([1e-3]))[0])
    return decide(
        "prsz18-LB.10",
        (Hypothesis("the points are distinct, since E σ² is infinite", True, f"Φ = {near:.4g} at distance 0.001"),),
        {"radius": RADII[worst], "potential": expected[worst]},
        {"radius": RADII[worst], "potential": recomputed[worst], "relative difference": relative[worst]},
        tolerance - float(relative[worst]),
        counterexample={"potential": potential.name, "scale": scale, "radius": RADII[worst]},
        note="With σ(x, θ) = (2/π)^{3/4} e^{‖x‖²/4} K₁(r)/r, r = ‖x − θ‖: the lemma leaves the constant out.",
    )


theorem = Theorem(
    id="prsz18-LB.10",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.10",
    title="The Yukawa potential of R³ from K₁(r)/r",
    statement="In R³ the λ-harmonic potential e^{−r}/r is realized by an activation proportional to K₁(r)/r.",
    check=_check,
    parameters={"potential": "yukawa", "scale": 1.0, "tolerance": 1e-8},
)
