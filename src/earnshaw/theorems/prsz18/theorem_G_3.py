"""prsz18, Theorem G.3: under Φ = (θᵀw)^l an electron among orthonormal protons has minima only on their axes."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.duality import potentials
from earnshaw.landscapes import Electrons
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.orthonormal_monomial import lone_electron, random_places
from earnshaw.theorems.orthonormal_powers import MOST_PROTONS, critical_points, orthonormal
from earnshaw.theorems.search import classify, search
from earnshaw.theorems.search.end_points import MINIMUM
from earnshaw.theorems.search.local import ACCURACY, look
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    degree: int = 3,
    claimed_degree: int = 0,
    d: int = 4,
    protons: int = 3,
    starts: int = 32,
    tilt: float = 0.0,
    printed: bool = False,
    tolerance: float = 1e-7,
) -> Verdict:
    whole("degree", degree, 1, 60)
    whole("claimed_degree", claimed_degree, 0, 60)
    whole("d", d, 2, 20)
    whole("protons", protons, 1, min(MOST_PROTONS, d))
    whole("starts", starts, 1, 10_000)
    above("tolerance", tolerance, 0.0)
    random = np.random.default_rng(seed)
    w = orthonormal(random, protons, d, tilt)
    b = random.uniform(0.5, 1.5, protons) * np.where(np.arange(protons) % 2 == 0, 1.0, -1.0)
    off = float(np.max(np.abs(w @ w.T - np.eye(protons))))
    hypotheses = (
        Hypothesis("l ≥ 3", degree >= 3, degree),
        Hypothesis("the protons are orthonormal", off < 1e-12, f"largest entry of |WWᵀ − I| {off:.3g}"),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict("prsz18-G.3", "not-applicable", hypotheses, predicted="no minima off the axes of the protons")
    landscape = lone_electron(potentials.monomial(claimed_degree or degree), w, b, parity=None)

    listed = critical_points(w, b, degree)
    # As many as the starts of the search, so that both are looked at by one compiled program.
    chosen = [listed[i % len(listed)] for i in range(max(starts, len(listed)))]
    points = Electrons(
        jnp.asarray(np.array([point.position for point in chosen]))[:, None, :],
        jnp.asarray([[point.charge] for point in chosen]),
    )
    there = classify(landscape, points, reach=tolerance)
    expected = np.array([point.eigenvalues for point in chosen])
    spectra = np.asarray(
        look(landscape, points, *(jnp.asarray(v, float) for v in (tolerance, 0.0, ACCURACY))).eigenvalues
    )
    wrong = float(np.max(np.abs(spectra - expected) / np.max(np.abs(expected), axis=1, keepdims=True)))
    wrong = wrong if there.critical.all() else np.inf
    saddles = int(np.sum((there.smallest < -there.error)[: len(listed)]))

    ends = search(landscape, random_places(landscape, random, starts))
    minima = ends.label == MINIMUM
    aims = w if printed else np.concatenate([w, -w])
    distances = np.min(np.linalg.norm(np.asarray(ends.points.positions) - aims, axis=2), axis=1)
    distances = np.where(minima, distances, 0.0)
    worst = int(np.argmax(distances))
    undecided = int(np.sum(~minima))
    margin = min(tolerance - float(distances[worst]), tolerance - wrong)
    return decide(
        "prsz18-G.3",
        hypotheses,
        {
            "minima": "θ = wⱼ only" if printed else "θ = ±wⱼ only",
            "smallest eigenvalue on m > 1 protons": f"−2l(l − 2)a² = {_saddle(listed):.6g} at most",
        },
        {
            "minima found": int(np.sum(minima)),
            "farthest of them from an axis": float(distances[worst]),
            "critical points listed": len(listed),
            "saddles among them": saddles,
            "worst error of their predicted spectra": wrong,
            "descents that ended elsewhere": undecided,
        },
        margin if undecided < starts else float("nan"),
        counterexample={
            "degree": claimed_degree or degree, "protons": w, "charges": b,
            "position": ends.at(worst).positions[0], "charge": ends.at(worst).charges[0],
            "distance": float(distances[worst]), "error of the spectra": wrong,
        },
        note="Every descent starts at the best charge, so that none ends at charge 0.",
    )  # fmt: skip


def _saddle(listed: Any) -> float:
    curved = [point.eigenvalues[0] for point in listed if point.support > 1]
    return float(max(curved)) if curved else float("nan")


theorem = Theorem(
    id="prsz18-G.3",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem G.3",
    title="Monomial potentials among orthonormal protons have minima only on their axes",
    statement=(
        "On S^{d−1} with orthonormal w₁, …, w_k and Φ = (θᵀw)^l, l ≥ 3, the loss a² + 2aΣ bⱼ(θᵀwⱼ)^l of one electron "
        "has no local minimum with a ≠ 0 but at θ = ±wⱼ. (The source says wⱼ; −wⱼ with the charge (−1)^l a is the "
        "same unit.)"
    ),
    check=_check,
    parameters={
        "degree": 3,
        "claimed_degree": 0,
        "d": 4,
        "protons": 3,
        "starts": 32,
        "tilt": 0.0,
        "printed": False,
        "tolerance": 1e-7,
    },
)
