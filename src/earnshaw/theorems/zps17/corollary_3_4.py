"""zps17, Corollary 3.4: under the Coulomb potential distinct electrons rest on the protons, one on each."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.errors import EarnshawError
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_harmonic
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.pairing_off import pair_off
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    potential: Any = "coulomb",
    law: Any = "",
    d: int = 3,
    k: int = 2,
    starts: int = 32,
    collision: float = 1e-3,
) -> Verdict:
    whole("d", d, 2, 50)
    whole("k", k, 1, 12)
    whole("starts", starts, 1, 10_000)
    above("collision", collision, 0.0, 0.1)
    phi = named_potential(potential, d, "euclidean")
    acting = phi if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    for one in (phi, acting):
        if one.space != "euclidean":
            raise EarnshawError(f"the corollary is about potentials of R^d, and {one.name} lives on the sphere")
    axis = jnp.eye(d)[0]
    attracting = bool(phi(axis, axis * (1 + collision)) > phi(axis, 2 * axis))
    facts = (is_harmonic(phi, d), Hypothesis("Φ grows towards coincidence", attracting, phi.name))
    if not all(fact.met for fact in facts):
        return decide("zps17-C3.4", facts, "one electron on each proton", None, 0.0)
    random = np.random.default_rng(seed)
    protons, places = random.normal(size=(k, d)), 1.5 * random.normal(size=(starts, k, d))
    ends = pair_off(acting, protons, places, collision=collision)
    spurious = np.flatnonzero(ends.rest == "minimum")
    met = int(np.sum(ends.rest == "met"))
    share = float(np.mean(ends.complete[ends.rest != "met"])) if met < starts else float("nan")
    counterexample: dict[str, Any] = {"law": acting.name, "protons": protons}
    if len(spurious):
        counterexample |= {"electrons": ends.positions[spurious[0]], "proton of each": ends.partner[spurious[0]]}
    return decide(
        "zps17-C3.4",
        (
            *facts,
            Hypothesis("the electrons are distinct where descents end that are judged", True, f"{starts - met} starts"),
        ),
        "every descent ends with one electron on each proton, none at a strict minimum elsewhere",
        {
            "one electron on each proton": int(np.sum(ends.complete)),
            "starts": starts,
            "at a strict minimum with free electrons": len(spurious),
            "two electrons met": met,
        },
        -len(spurious) / starts if len(spurious) else share if share == 1 else float("nan"),
        counterexample=counterexample,
        note=(
            "The energy is −∞ as soon as one electron is on a proton; that pair is taken out, as it acts on nobody, "
            "and the others descend on. Charges are b = 1 and a = −1: with a permutation in place, the pairs cancel."
        ),
    )


theorem = Theorem(
    id="zps17-C3.4",
    source="Zhang, Panigrahy, Sachdeva (2017), Corollary 3.4",
    title="Distinct electrons rest on the protons under the Coulomb potential",
    statement=(
        "For Φ = ‖θ − w‖^{2−d} (−log ‖θ − w‖ in the plane) and distinct electrons, the only strict local minima have "
        "one electron on each proton."
    ),
    check=_check,
    parameters={"potential": "coulomb", "law": "", "d": 3, "k": 2, "starts": 32, "collision": 1e-3},
)
