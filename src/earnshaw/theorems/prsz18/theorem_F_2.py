"""prsz18, Theorem F.2: under a strictly subharmonic potential with a pole electrons only rest on protons."""

from functools import cache
from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.duality.potential import Potential
from earnshaw.duality.potentials import Power
from earnshaw.duality.radial import Radial
from earnshaw.duality.zonal import Zonal
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.joint_strictness import joint_curvature, strictness
from earnshaw.theorems.laplacian_facts import is_strictly_subharmonic
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.search import critical_points, search
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


@cache
def singular(name: str, d: int, excess: float) -> Potential | None:
    """ "power": r^{2−d−excess} in R^d; "logarithm": −log(1 − ρ) on S^{d−1}, whose Laplacian there is
    (d − 2) − (d − 3)/(1 − ρ), so 1 for d = 3.

    >>> round(float(singular("power", 3, 1.0)(jnp.zeros(3), jnp.array([2.0, 0.0, 0.0]))), 12)
    0.25
    """
    if name == "power":
        return Radial(Power(2.0 - d - excess), "power")
    return Zonal(_minus_log, "logarithm") if name == "logarithm" else None


def _minus_log(rho):
    # A point meets itself at ρ = 1, where a derivative must stay finite even if nobody uses the value.
    apart = 1 - rho > 1e-15
    return jnp.where(apart, -jnp.log(jnp.where(apart, 1 - rho, 1.0)), jnp.inf)


def _check(
    seed: int = 0,
    potential: Any = "power",
    law: Any = "",
    d: int = 3,
    excess: float = 1.0,
    k: int = 2,
    starts: int = 24,
    collision: float = 1e-3,
    tolerance: float = 1e-9,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("k", k, 1, 12)
    whole("starts", starts, 1, 10_000)
    above("excess", excess, -20.0, 20.0)
    above("collision", collision, 0.0, 0.1)
    above("tolerance", tolerance, 0.0, 1.0)
    phi = _named(potential, d, excess)
    acting = phi if isinstance(law, str) and not law else _named(law, d, excess)
    on_sphere = acting.space == "sphere"
    at_coincidence = float(phi.self_energy(jnp.eye(max(d, 1))[:1])[0])
    hypotheses = (
        is_strictly_subharmonic(phi, d),
        Hypothesis("Φ(θ, θ) = ∞", bool(np.isposinf(at_coincidence)), at_coincidence),
        Hypothesis("b = 1 and a = −1", True, k),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict("prsz18-F.2", "not-applicable", hypotheses, predicted="electrons rest only on protons")
    random = np.random.default_rng(seed)
    protons = draw_teacher(random, d, k, "equal", on_sphere=on_sphere, scale=1.5).protons
    landscape = Particles(acting, protons, form="interaction")
    places = 1.5 * random.normal(size=(starts, k, d))
    places = Electrons(landscape.place.project(jnp.asarray(places)))
    curved = strictness(landscape, np.asarray(places.positions))
    wanted = joint_curvature(phi, np.asarray(landscape.protons), np.asarray(places.positions))
    errors = np.abs(curved.joint / wanted - 1)

    # Newton's method finds the saddles among the protons only if it begins there.
    middle = protons.mean(axis=0)
    spread = np.sqrt(np.mean(np.sum((protons - middle) ** 2, axis=1)))
    among = landscape.place.project(jnp.asarray(middle + 0.4 * spread * random.normal(size=(starts, k, d))))
    found = critical_points(landscape, Electrons(among), collision=collision)
    ended = search(landscape, places, collision=collision)
    minima = int(np.sum(found.label == "minimum") + np.sum(ended.label == "minimum"))
    unmatched = int(np.sum((ended.label == "collapsed") & (ended.collapsed_onto < 0)))
    undecided = int(np.sum(~np.isin(ended.label, ("collapsed", "saddle"))))
    slack = {
        "joint motions have the average curvature −2ΣΣΔΦ/(k dim M) < 0": tolerance - float(np.max(errors)),
        "λ_min ≤ the average curvature of joint motions": -float(np.max(curved.smallest - curved.joint)),
        "no local minimum with free electrons": -float(minima) or 0.0,
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmax(errors))
    return decide(
        "prsz18-F.2",
        hypotheses,
        "every descent ends on a proton; every other critical point has a direction down",
        {
            "largest average curvature of joint motions": float(np.max(curved.joint)),
            "largest relative error of it": float(np.max(errors)),
            "ends of descents": ended.counts(),
            "of them on a proton": int(np.sum(ended.collapsed_onto >= 0)),
            "on another electron": unmatched,
            "undecided": undecided,
            "critical points": found.counts(),
        },
        slack[claim] if slack[claim] < 0 or undecided < starts else float("nan"),
        counterexample={
            "law": acting.name, "claim": claim, "slack": slack[claim], "protons": protons,
            "electrons": places.positions[worst], "average curvature": curved.joint[worst], "predicted": wanted[worst],
        },
        note="Joint motions are translations, and on the sphere rotations: there the second derivatives along all "
        "rotations in coordinate planes add up to the Laplacian.",
    )  # fmt: skip


def _named(name: Any, d: int, excess: float) -> Potential:
    own = singular(name, d, float(excess)) if isinstance(name, str) else None
    if own is not None:
        return own
    return named_potential(name, d, "euclidean")


theorem = Theorem(
    id="prsz18-F.2",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem F.2",
    title="Under a strictly subharmonic potential with a pole electrons only rest on protons",
    statement=(
        "If ΔΦ > 0 except at coincidence, where Φ = ∞, and all b = 1 and a = −1, then the interaction energy has no "
        "local minimum without an electron on a proton: moving all electrons together lowers it in some direction."
    ),
    check=_check,
    parameters={
        "potential": "power",
        "law": "",
        "d": 3,
        "excess": 1.0,
        "k": 2,
        "starts": 24,
        "collision": 1e-3,
        "tolerance": 1e-9,
    },
)
