"""prsz18, Lemma E.1: one almost critical electron is near a proton or hardly charged."""

from typing import Any

from earnshaw.theorems.almost_critical.points import charges_are_small, check_points
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 5,
    eps: float = 0.1,
    spread: float = 1.0,
    potential: Any = "",
    starts: int = 24,
    steps: int = 30,
    teachers: int = 2,
    factor: float = 1.0,
) -> Verdict:
    return check_points(
        "prsz18-LE.1",
        charges_are_small,
        "a₁² < 2dδ wherever the electron is not within ε of a proton",
        all_at_once=False,
        seed=seed,
        d=d,
        k=k,
        eps=eps,
        spread=spread,
        potential=potential,
        starts=starts,
        steps=steps,
        teachers=teachers,
        factor=factor,
    )


theorem = Theorem(
    id="prsz18-LE.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma E.1",
    title="One almost critical electron is near a proton or hardly charged",
    statement=(
        "For one electron among protons, without regularisation, under a potential that is 1-harmonic for r ≥ ε: at a "
        "point whose gradient is at most δ < 1 and whose Hessian is above −δ, it is within ε of a proton or has "
        "a₁² < 2dδ."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 5,
        "eps": 0.1,
        "spread": 1.0,
        "potential": "",
        "starts": 24,
        "steps": 30,
        "teachers": 2,
        "factor": 1.0,
    },
)
