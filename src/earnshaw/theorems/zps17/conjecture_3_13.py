"""zps17, Conjecture 3.13: under the potential of the sign, with learned charges, there are no spurious minima.

It fails. Two electrons on one proton, their charges of one sign and large enough against the pull of an unmatched
proton, are at a local minimum: neither can leave alone, and together it costs more than the sum. The smallest instance
is exact: w₁ ⊥ w₂, b = (3, 1), both electrons on w₁ with a = −3/2, loss 1.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.duality import potentials
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.theorems.conjectures import Hunt, conclude, hunt
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

COSINES = jnp.linspace(-0.99, 0.99, 41)


def _check(seed: int = 0, potential: Any = "sign", **sizes: Any) -> Verdict:
    hunted = Hunt("sign", **sizes)
    phi = potentials.get(potential)
    if not isinstance(phi, Zonal):
        raise EarnshawError(f"the conjecture is about a potential of the sphere, unlike {phi.name}")
    values = np.array([float(phi.profile(rho)) for rho in COSINES])
    off = float(np.max(np.abs(values - (1 - 2 / np.pi * np.arccos(np.asarray(COSINES))))))
    fact = Hypothesis("Φ is the potential of the sign", off < 1e-12, off)
    if not fact.met:
        return decide("zps17-3.13", (fact,), "every local minimum with charges other than 0 is global", None, 0.0)
    found = hunt(hunted, seed)
    nonzero = Hypothesis("b ≠ 0", bool(np.min(np.abs(found.charges)) > 0), float(np.min(np.abs(found.charges))))
    return conclude(
        "zps17-3.13",
        found.counts(),
        found.evidence(),
        (fact, nonzero),
        "Gradient descent with steps that tend to 0; ends are put on their protons and judged by slopes out of the "
        "kinks and the Hessian in all other directions, and the counterexample again with 40 digits.",
    )


theorem = Theorem(
    id="zps17-3.13",
    source="Zhang, Panigrahy, Sachdeva (2017), Conjecture 3.13",
    title="No spurious minima under the potential of the sign (a conjecture)",
    statement=(
        "Conjectured: for the potential of the sign on the sphere and learned charges, every local minimum with "
        "charges other than 0 is global, and descent with steps that tend to 0 finds a global one from almost every "
        "start."
    ),
    check=_check,
    parameters={
        "potential": "sign",
        "d": 3,
        "k": 3,
        "charges": "mixed",
        "starts": 64,
        "steps": 4000,
        "first_step": 0.1,
    },
)
