"""zps17, Conjecture 3.14: under the distance potential there are no spurious minima.

Printed, Φ = +‖θ − w‖ and the charges are learned. Then the loss has no lower bound, and no global minimum to find: Φ
vanishes at coincidence, so the loss is indefinite in the charges. What the text around the conjecture describes, a
force of constant size towards protons, is Φ = −‖θ − w‖ with charges opposite to the protons' ("attracting").
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.duality import potentials
from earnshaw.errors import unknown_name
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.conjectures import Hunt, conclude, hunt
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

READINGS = ("attracting", "printed")
#: A loss that fell this far below the one at the protons falls without end.
FALLEN = -1e4


def _check(seed: int = 0, reading: str = "attracting", **sizes: Any) -> Verdict:
    if reading not in READINGS:
        raise unknown_name("reading of the conjecture", reading, READINGS)
    hunted = Hunt("attraction", **sizes)
    if reading == "printed":
        return _without_bound(hunted, seed)
    found = hunt(hunted, seed)
    equal = Hypothesis("b = 1 and a = −1", bool(np.all(found.charges == 1)), found.charges)
    return conclude(
        "zps17-3.14",
        found.counts(),
        found.evidence(),
        (Hypothesis("Φ = −‖θ − w‖", True, reading), equal),
        "Read with the sign that attracts, and charges opposite to the protons'; as printed see reading='printed'.",
    )


def _without_bound(hunted: Hunt, seed: int) -> Verdict:
    """Charges t and −t on two electrons: the loss falls like −2t²‖θ₁ − θ₂‖. One electron alone flees instead."""
    random = np.random.default_rng(seed)
    protons = random.normal(size=(hunted.k, hunted.d))
    landscape = Particles(potentials.distance(), protons, learn_charges=True, form="without-constant")
    at_protons = float(landscape.loss(Electrons(jnp.asarray(protons), -jnp.ones(hunted.k))))
    sizes = np.array([1e1, 1e2, 1e3])
    if hunted.k == 1:
        rays = [Electrons(jnp.asarray(protons + t * np.eye(hunted.d)[:1]), -jnp.ones(1)) for t in sizes]
    else:
        ends = np.zeros(hunted.k)
        ends[:2] = 1.0, -1.0
        rays = [Electrons(jnp.asarray(protons), jnp.asarray(t * ends)) for t in sizes]
    losses = np.array([float(landscape.loss(ray)) for ray in rays])
    trajectory = descend(
        landscape, GradientDescent(hunted.first_step), hunted.starts, key=seed,
        stop=Stop(steps=hunted.steps, gradient_norm=None, divergence=1e6), progress=False,
    )  # fmt: skip
    final = np.nan_to_num(trajectory.final_loss.values, nan=-np.inf)
    return decide(
        "zps17-3.14",
        (Hypothesis("Φ = ‖θ − w‖ and charges are learned", True, "printed"),),
        "the loss has a global minimum, and descent finds it",
        {
            "loss at the protons": at_protons,
            "loss along a ray": {float(t): float(value) for t, value in zip(sizes, losses, strict=True)},
            "starts": hunted.starts,
            "descents that fall without end": int(np.sum(final < FALLEN)),
        },
        float(losses[-1]) - at_protons,
        counterexample={
            "protons": protons,
            "electrons": rays[-1].positions,
            "electron charges": rays[-1].charges,
            "loss": float(losses[-1]),
        },
        note="With one electron the loss falls linearly, with more it falls with the square of the charges.",
    )


theorem = Theorem(
    id="zps17-3.14",
    source="Zhang, Panigrahy, Sachdeva (2017), Conjecture 3.14",
    title="No spurious minima under the distance potential (a conjecture)",
    statement=(
        "Conjectured: for the distance potential in R^d every local minimum with charges other than 0 is global, and "
        "descent with steps that tend to 0 finds a global one from almost every start."
    ),
    check=_check,
    parameters={
        "reading": "attracting",
        "d": 3,
        "k": 4,
        "charges": "equal",
        "starts": 64,
        "steps": 4000,
        "first_step": 0.1,
    },
)
