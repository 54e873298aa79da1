"""zps17, Theorem 4.5: node-wise descent with optimal charges learns orthonormal polynomial units."""

from typing import Any

import numpy as np

from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.node_recovery import interval, learn_often, one_by_one, steps_used
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    d: int = 4,
    l: int = 3,  # noqa: E741  (the paper's name)
    largest: float = 2.0,
    starts: int = 16,
    tilt: float = 0.0,
    law: Any = "",
    epsilon: float = 1e-3,
    step_size: Any = None,
    steps: int = 1000,
    tries: int = 256,
    chance: float = 0.9,
) -> Verdict:
    whole("d", d, 2, 30)
    whole("l", l, 1, 20)
    whole("starts", starts, 1, 10_000)
    whole("steps", steps, 1, 100_000)
    whole("tries", tries, 1, 100_000)
    above("largest", largest, 0.0, 1e3)
    above("epsilon", epsilon, 0.0, 0.1)
    above("chance", chance, 0.0, 1.0)
    if not abs(tilt) <= 1.5:
        raise EarnshawError(f"tilt must be an angle from -1.5 to 1.5, not {tilt}")
    random = np.random.default_rng(seed)
    protons = np.linalg.qr(random.normal(size=(d, d)))[0]
    protons[1] = np.cos(tilt) * protons[1] + np.sin(tilt) * protons[0]
    charges = random.choice([-1.0, 1.0], size=d) * random.uniform(min(1.0, largest), max(1.0, largest), size=d)
    claimed = potentials.monomial(l)
    phi = claimed if isinstance(law, str) and not law else named_potential(law, d, "sphere")
    landscape = Particles(
        phi, protons, charges, learn_charges=True, form="without-constant", manifold=Sphere(),
        parity="odd" if l % 2 else "even",
    )  # fmt: skip
    algorithm = one_by_one(
        step_size, epsilon, steps, epsilon, charge="optimal", placing="sampled", error=epsilon, tries=tries, joint=True
    )
    # How near a point of M_ε is to the minimum depends on the curvature there, at least 2l·min b² in the positions.
    near = 10 * epsilon
    ends, distances, made = learn_often(landscape, algorithm, starts, seed, near)
    found = (distances <= near) & ends.is_global & (ends.label == "minimum")
    low, high = interval(int(np.sum(found)), starts)
    missed = int(np.argmin(found))
    angles = float(np.max(np.abs(protons @ protons.T - np.eye(d))))
    return decide(
        "zps17-4.5",
        (
            Hypothesis("w₁, …, w_d are orthonormal", angles < 1e-9, angles),
            Hypothesis("Φ = (θᵀw)^l with l ≥ 3", l >= 3, l),
            Hypothesis("1 ≤ |bⱼ|", float(np.min(np.abs(charges))) >= 1, float(np.min(np.abs(charges)))),
        ),
        {"distance from the global minimum, at most": near, "chance of finding it, at least": chance},
        {
            "starts that find all protons": f"{int(np.sum(found))} of {starts}",
            "chance, 95 %": [low, high],
            "ends": ends.counts(),
            "median distance": float(np.median(distances)),
            "median steps": float(np.median(made)),
        },
        high - chance,
        counterexample={
            "law": phi.name, "protons": protons, "proton charges": charges, "ended as": ends.label[missed],
            "electrons": np.asarray(ends.at(missed).positions), "electron charges": np.asarray(ends.at(missed).charges),
            "distance": distances[missed],
        },
        note=steps_used(step_size),
    )  # fmt: skip


theorem = Theorem(
    id="zps17-4.5",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 4.5",
    title="Node-wise descent with optimal charges learns orthonormal polynomial units",
    statement=(
        "For Φ = (θᵀw)^l on the sphere, l ≥ 3, and d orthonormal protons with |b| ≥ 1: descending node by node from "
        "sampled starts, each charge set to its best value before every step and all of them after every node, very "
        "probably ends near the global minimum."
    ),
    check=_check,
    parameters={
        "d": 4,
        "l": 3,
        "largest": 2.0,
        "starts": 16,
        "tilt": 0.0,
        "law": "",
        "epsilon": 1e-3,
        "step_size": None,
        "steps": 1000,
        "tries": 256,
        "chance": 0.9,
    },
)
