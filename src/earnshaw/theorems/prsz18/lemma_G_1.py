"""prsz18, Lemma G.1: signs on the circle have no strict minimum but the protons."""

from typing import Any

import numpy as np

from earnshaw.theorems.limits import whole
from earnshaw.theorems.sign_circle import vertices
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    protons: int = 4,
    electrons: int = 4,
    teachers: int = 6,
    attracting: bool = False,
) -> Verdict:
    whole("protons", protons, 1, 6)
    whole("electrons", electrons, 1, 6)
    whole("teachers", teachers, 1, 1000)
    hypotheses = (
        Hypothesis("as many electrons as protons", electrons == protons, f"{electrons} and {protons}"),
        Hypothesis("b = 1 and a = −1", True, "all"),
    )
    if not hypotheses[0].met:
        return Verdict("prsz18-LG.1", "not-applicable", hypotheses, predicted="no strict minimum but the protons")
    random = np.random.default_rng(seed)
    looked, strict, flat, off = 0, 0, 0, 0
    counterexample: dict[str, Any] | None = None
    missing = 0
    for _ in range(teachers):
        angles = random.uniform(0, 2 * np.pi, protons)
        found = vertices(angles, electrons, -1 if attracting else 1)
        matched = np.all(found.sites == np.arange(protons), axis=1)
        minimal = found.least > 0
        looked += len(matched)
        strict += int(np.sum(minimal))
        flat += int(np.sum(found.least == 0))
        off += int(np.sum(minimal & ~matched))
        missing += int(np.sum(matched & ~minimal))
        if counterexample is None and (np.any(minimal & ~matched) or np.any(matched & ~minimal)):
            worst = np.flatnonzero((minimal & ~matched) | (matched & ~minimal))[0]
            counterexample = {"protons at angles": angles, "electrons at proton (+K: antipode)": found.sites[worst],
                              "least slope in units of 4/π": found.least[worst]}  # fmt: skip
    return decide(
        "prsz18-LG.1",
        hypotheses,
        {"strict minima off the protons": 0, "protons matched, and a strict minimum": teachers},
        {
            "vertices looked at": looked,
            "strict minima": strict,
            "strict minima off the protons": off,
            "protons matched, and no strict minimum": missing,
            "minima that are not strict, or rest on flat directions": flat,
        },
        1 if off + missing == 0 else -(off + missing),
        counterexample=counterexample,
        note="All vertices are listed and slopes are whole numbers, so nothing is left to a search: an electron off "
        "all axes turns, with those that share or oppose its place, along a line on which L is linear.",
    )


theorem = Theorem(
    id="prsz18-LG.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma G.1",
    title="Signs on the circle have no strict minimum but the protons",
    statement=(
        "On the circle, with Φ = 1 − 2α/π, all b = 1 and a = −1, and as many electrons as protons of which no two are "
        "opposite, the only strict local minima are the arrangements with one electron on each proton."
    ),
    check=_check,
    parameters={"protons": 4, "electrons": 4, "teachers": 6, "attracting": False},
)
