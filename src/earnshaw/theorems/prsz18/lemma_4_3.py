"""prsz18, Lemma 4.3: an almost critical electron is near a proton or hardly charged."""

from typing import Any

from earnshaw.theorems.almost_critical.points import charges_are_small, check_points
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
        "prsz18-L4.3",
        charges_are_small,
        "aᵢ² < 2kdδ for every electron that is not within kε of a proton",
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
    id="prsz18-L4.3",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma 4.3",
    title="Almost critical electrons are near a proton or hardly charged",
    statement=(
        "For the loss of k electrons and k protons plus ‖a‖², under a potential that is 1-harmonic for r ≥ ε: at a "
        "point whose gradient is at most δ < 1 and whose Hessian is above −δ, each electron is within kε of a proton "
        "or has aᵢ² < 2kdδ. (Appendix E states it without the d; its proof gives this.)"
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
