"""prsz18, Corollary F.3: if Φ is finite too, all electrons rest on protons, one on each."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.duality.potential import Potential
from earnshaw.duality.potentials import Power
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.joint_strictness import joint_curvature, strictness
from earnshaw.theorems.laplacian_facts import is_strictly_subharmonic
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.pairing_off import pair_off
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    potential: Any = "exponential",
    law: Any = "",
    d: int = 1,
    k: int = 2,
    excess: float = 0.5,
    starts: int = 24,
    collision: float = 1e-3,
    tolerance: float = 1e-9,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("k", k, 1, 12)
    whole("starts", starts, 1, 10_000)
    above("excess", excess, 0.0, 20.0)
    above("collision", collision, 0.0, 0.1)
    above("tolerance", tolerance, 0.0, 1.0)
    phi = _named(potential, d, excess)
    acting = phi if isinstance(law, str) and not law else _named(law, d, excess)
    at_coincidence = float(phi.self_energy(jnp.zeros((1, d)))[0])
    hypotheses = (
        is_strictly_subharmonic(phi, d),
        Hypothesis("Φ(θ, θ) < ∞", bool(np.isfinite(at_coincidence)), at_coincidence),
        Hypothesis("b = 1 and a = −1", True, k),
    )
    predicted = "electrons rest one on each proton and nowhere else"
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict("prsz18-CF.3", "not-applicable", hypotheses, predicted=predicted)
    random = np.random.default_rng(seed)
    protons = draw_teacher(random, d, k, "equal", scale=1.5).protons
    landscape = Particles(acting, protons, form="interaction")
    places = 1.5 * random.normal(size=(starts, k, d))
    curved, wanted = strictness(landscape, places), joint_curvature(phi, protons, places)
    errors = np.abs(curved.joint / wanted - 1)
    ends = pair_off(acting, protons, places, collision=collision)
    spurious = int(np.sum(ends.rest == "minimum"))
    complete = np.array([set(row) == set(range(k)) for row in ends.partner.tolist()])
    final = np.asarray([float(landscape.loss(Electrons(jnp.asarray(x)))) for x in ends.positions[complete][:1]])
    best = float(landscape.loss(Electrons(jnp.asarray(protons))))
    slack = {
        "joint motions have the average curvature −(2/kd)ΣΣΔΦ < 0": tolerance - float(np.max(errors)),
        "no local minimum with free electrons": -float(spurious) or 0.0,
        "one electron on each proton has the loss of the global minimum": tolerance
        + 2 * k**2 * collision
        - float(np.max(np.abs(final - best), initial=0.0)),
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmax(errors))
    undecided = float(np.mean(~complete))
    return decide(
        "prsz18-CF.3",
        hypotheses,
        predicted,
        {
            "ended one on each proton": int(np.sum(complete)),
            "minima with free electrons": spurious,
            "ended otherwise": int(np.sum(~complete)) - spurious,
            "largest average curvature of joint motions": float(np.max(curved.joint)),
            "largest relative error of it": float(np.max(errors)),
        },
        slack[claim] if slack[claim] < 0 or undecided < 1 else float("nan"),
        counterexample={"law": acting.name, "claim": claim, "protons": protons, "electrons": places[worst],
                        "average curvature": curved.joint[worst], "predicted": wanted[worst]},
        note="An electron on a proton cancels it, and the others descend on without the two, as in the proof's "
        "induction. ‖θ − w‖^{2−d−excess} ('power') is no example: for d = 1 it is superharmonic where it is finite.",
    )  # fmt: skip


def _named(name: Any, d: int, excess: float) -> Potential:
    own = isinstance(name, str) and name == "power"
    phi = Radial(Power(2.0 - d - excess), "power") if own else named_potential(name, d, "euclidean")
    if phi.space != "euclidean":
        raise EarnshawError(f"this check takes potentials of R^d, and {phi.name} lives on the sphere")
    return phi


theorem = Theorem(
    id="prsz18-CF.3",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Corollary F.3",
    title="Under a finite strictly subharmonic potential electrons only rest one on each proton",
    statement=(
        "If ΔΦ > 0 except at coincidence, where Φ is finite, and all b = 1 and a = −1, then the interaction energy has "
        "no local minimum but its global one, with one electron on each proton."
    ),
    check=_check,
    parameters={
        "potential": "exponential",
        "law": "",
        "d": 1,
        "k": 2,
        "excess": 0.5,
        "starts": 24,
        "collision": 1e-3,
        "tolerance": 1e-9,
    },
)
