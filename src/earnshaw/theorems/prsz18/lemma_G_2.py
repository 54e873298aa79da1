"""prsz18, Lemma G.2: one sign unit on the circle has its local minima on the axes of the protons."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import whole
from earnshaw.theorems.sign_circle import forces
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Forces that cancel to this share of Σ|bⱼ| are taken to vanish.
CANCELLED = 1e-9


def _check(
    seed: int = 0, protons: int = 4, teachers: int = 8, law: Any = "", charges: Any = "random", grid: int = 3600
) -> Verdict:
    whole("protons", protons, 1, 12)
    whole("teachers", teachers, 1, 1000)
    whole("grid", grid, 100, 1_000_000)
    phi = potentials.sign() if isinstance(law, str) and not law else named_potential(law, 2, "sphere")
    if phi.space != "sphere":
        raise EarnshawError(f"the lemma is about potentials of the circle, and {phi.name} lives in R^d")
    if charges not in ("random", "equal"):
        raise EarnshawError(f"charges are 'random' or 'equal', not {charges!r}")
    matrix = jax.jit(phi.matrix)
    random = np.random.default_rng(seed)
    least, off, minima, worst = math.inf, 0.0, 0, {}
    spacing = 2 * np.pi / grid
    for _ in range(teachers):
        angles = random.uniform(0, 2 * np.pi, protons)
        b = random.uniform(-1, 1, protons) if charges == "random" else np.ones(protons)
        least = min(least, float(np.min(np.abs(forces(angles, b)))) / float(np.sum(np.abs(b))))
        axes = np.mod(np.concatenate([angles, angles + np.pi]), 2 * np.pi)
        places = np.sort(np.concatenate([spacing * np.arange(grid), axes]))
        points, w = (np.stack([np.cos(x), np.sin(x)], axis=1) for x in (places, angles))
        field = np.asarray(matrix(jnp.asarray(points), jnp.asarray(w))) @ b
        # A local minimum in θ and a is one of min_a L = −C(θ)²/Φ(θ, θ), and the other way round.
        energy = -(field**2)
        slack = 1e-13 * float(np.max(field**2))
        lower = (energy <= np.roll(energy, 1) + slack) & (energy <= np.roll(energy, -1) + slack)
        found = places[lower & (energy < -1e-9 * np.max(field**2))]
        distances = np.min(np.abs(np.mod(found[:, None] - axes + np.pi, 2 * np.pi) - np.pi), axis=1)
        minima += len(found)
        if np.max(distances, initial=0.0) > off or not worst:
            off = max(off, float(np.max(distances, initial=0.0)))
            worst = {"law": phi.name, "protons at angles": angles, "charges": b, "minima at angles": found}
    return decide(
        "prsz18-LG.2",
        (Hypothesis("the forces Σ±bⱼ vanish on no arc", least > CANCELLED, f"least share {least:.3g} of Σ|bⱼ|"),),
        "every local minimum is at ±wⱼ for some j",
        {"local minima": minima, "farthest of them from an axis": off, "teachers": teachers, "points looked at": grid},
        1e-9 - off if minima else float("nan"),
        counterexample=worst,
        note="The circle is looked at everywhere, on a grid that contains the axes; forces are constant between these.",
    )


theorem = Theorem(
    id="prsz18-LG.2",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma G.2",
    title="One sign unit on the circle has its minima on the axes of the protons",
    statement=(
        "On the circle, with Φ = 1 − 2α/π and charges b for which no sum Σ±bⱼ over an arc vanishes, as almost all are, "
        "every local minimum of a²+ 2aΣbⱼΦ(θ, wⱼ) has θ = ±wⱼ for some j."
    ),
    check=_check,
    parameters={"protons": 4, "teachers": 8, "law": "", "charges": "random", "grid": 3600},
)
