"""prsz18, Lemma E.2: one almost critical electron that lowers the loss is near a proton."""

from typing import Any

from earnshaw.theorems.almost_critical.points import check_points, gain_is_small
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
        "prsz18-LE.2",
        gain_is_small,
        "√L(0) − √L < √(2dδ′) wherever the electron is not within ε of a proton",
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
    id="prsz18-LE.2",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma E.2",
    title="One almost critical electron that lowers the loss is near a proton",
    statement=(
        "Under the conditions of Lemma E.1, let √L be at least δ below its value without the electron, and let the "
        "gradient and the negative curvature be at most δ′ = δ²/(2d). Then the electron is within ε of a proton."
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
