"""zps17, Corollary 4.3: node-wise descent under the exponential potential of the sphere with fixed charges."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import potentials
from earnshaw.geometry import uniform_sphere
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.node_recovery import interval, learn, one_by_one, steps_used
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    d: int = 30,
    k: int = 4,
    c: Any = None,
    teachers: int = 12,
    law: Any = "",
    charge: float = 1.0,
    epsilon: Any = None,
    step_size: Any = None,
    steps: int = 150,
    radius: Any = None,
    chance: float = 0.75,
) -> Verdict:
    whole("d", d, 2, 100)
    whole("k", k, 1, 20)
    whole("teachers", teachers, 1, 1000)
    whole("steps", steps, 1, 100_000)
    above("chance", chance, 0.0, 1.0)
    above("charge", charge, 0.0, 1e6)
    c = float(d) if c is None else above("c", c, 0.0, 1e6)
    epsilon = math.exp(-3.0 * c) if epsilon is None else above("epsilon", epsilon, 0.0, 1.0)
    radius = math.exp(-d / 4) if radius is None else above("radius", radius, 0.0)
    phi = potentials.sphere_exponential(c) if isinstance(law, str) and not law else named_potential(law, d, "sphere")
    keys = jax.random.split(jax.random.key(seed), 2)
    protons = np.asarray(uniform_sphere(keys[0], (teachers, k, d)))
    # θ = 0, as printed, is no point of the sphere; all nodes begin at one random point instead.
    starts = np.broadcast_to(np.asarray(uniform_sphere(keys[1], (teachers, 1, d))), (teachers, k, d))
    landscapes = [
        Particles(phi, w, charge * np.ones(k), form="interaction", electron_charges=-np.ones(k)) for w in protons
    ]
    algorithm = one_by_one(step_size, epsilon, steps, epsilon, charge="fixed", placing="given")
    runs = learn(landscapes, algorithm, [Electrons(jnp.asarray(start)) for start in starts], seed)
    found = [run.distance <= radius and run.label == "minimum" for run in runs]
    low, high = interval(sum(found), len(runs))
    missed = found.index(False) if False in found else 0
    return decide(
        "zps17-C4.3",
        (
            Hypothesis("c is a polynomial of d", c >= 1, {"c": c, "d": d, "log c / log d": math.log(c) / math.log(d)}),
            Hypothesis("all charges are fixed: b = 1, a = −1", charge == 1, {"b": charge}),
        ),
        {"distance from the global minimum, at most": radius, "chance of finding it, at least": chance},
        {
            "teachers found": f"{sum(found)} of {len(runs)}",
            "chance, 95 %": [low, high],
            "median distance": float(np.median([run.distance for run in runs])),
            "largest distance": max(run.distance for run in runs),
            "epsilon": epsilon,
        },
        high - chance,
        counterexample={
            "law": phi.name, "protons": protons[missed], "electrons": runs[missed].positions,
            "ended as": runs[missed].label, "distance": runs[missed].distance, "epsilon": epsilon,
        },
        note=steps_used(step_size)
        + " All nodes begin at one random point: θ = 0, as printed, is not on the sphere.",
    )  # fmt: skip


theorem = Theorem(
    id="zps17-C4.3",
    source="Zhang, Panigrahy, Sachdeva (2017), Corollary 4.3",
    title="Node-wise descent finds all protons of an exponential potential on the sphere",
    statement=(
        "Under Φ = e^{c(θᵀw − 1)} on the sphere, c a polynomial of d, with all b = 1 and a = −1 fixed and protons "
        "drawn uniformly: descending node by node to almost critical points very probably finds all protons up to an "
        "error that is exponentially small in d."
    ),
    check=_check,
    parameters={
        "d": 30,
        "k": 4,
        "c": None,
        "teachers": 12,
        "law": "",
        "charge": 1.0,
        "epsilon": None,
        "step_size": None,
        "steps": 150,
        "radius": None,
        "chance": 0.75,
    },
)
