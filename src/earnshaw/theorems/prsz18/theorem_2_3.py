"""prsz18, Theorem 2.3: gradient flow on half the loss is electron-proton dynamics, under Φ and not 2Φ."""

from earnshaw.theorems.equivalence import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("prsz18-2.3", "full", seed=seed, **parameters)


theorem = Theorem(
    id="prsz18-2.3",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 2.3",
    title="Gradient flow on half the loss is electron-proton dynamics under Φ",
    statement=(
        "For a symmetric potential with constant Φ(θ, θ), continuous gradient descent on ½L in the positions is "
        "electron-proton dynamics under Φ, and on L under 2Φ. The printed pair is ½L and 2Φ: "
        "loss_factor=0.5, factor=2."
    ),
    check=_check,
    parameters=PARAMETERS,
)
