"""prsz18, Lemma 4.4: an almost critical point of lower loss has an electron near a proton."""

from typing import Any

from earnshaw.theorems.almost_critical.points import check_points, gain_is_small
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 3,
    eps: float = 0.1,
    spread: float = 1.0,
    potential: Any = "",
    starts: int = 24,
    steps: int = 30,
    teachers: int = 2,
    factor: float = 1.0,
) -> Verdict:
    return check_points(
        "prsz18-L4.4",
        gain_is_small,
        "√G(0) − √G < √(2k³dδ′) wherever no electron is within kε of a proton",
        all_at_once=True,
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
    id="prsz18-L4.4",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma 4.4",
    title="An almost critical point of lower loss has an electron near a proton",
    statement=(
        "Under the same conditions, let √G be at least δ below its value without electrons, and let the gradient and "
        "the negative curvature be at most δ′ = δ²/(2k³d). Then some electron is within kε of a proton."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 3,
        "eps": 0.1,
        "spread": 1.0,
        "potential": "",
        "starts": 24,
        "steps": 30,
        "teachers": 2,
        "factor": 1.0,
    },
)
