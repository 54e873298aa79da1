"""zps17, Theorem 2.2: gradient flow on half the loss is electron-proton dynamics."""

from earnshaw.theorems.equivalence import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-2.2", "without-constant", seed=seed, **parameters)


theorem = Theorem(
    id="zps17-2.2",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 2.2",
    title="Gradient flow on half the loss is electron-proton dynamics",
    statement=(
        "If Φ(θ, θ) is constant, continuous gradient descent on ½L in the positions θ moves them like electrons of "
        "charges a among fixed protons w of charges b, with velocity −Σ aᵢqⱼ∇Φ: in R^d, on the sphere, and with any "
        "electrons fixed."
    ),
    check=_check,
    parameters=PARAMETERS,
)
