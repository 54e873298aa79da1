"""zps17, Theorem 3.10: one electron among orthonormal protons under a monomial of degree l ≥ 3 finds one of them."""

from earnshaw.theorems.orthonormal_monomial import DESCENT, PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-3.10", seed, **parameters)


theorem = Theorem(
    id="zps17-3.10",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 3.10",
    title="A monomial unit finds one of orthonormal units",
    statement=(
        "For orthonormal w₁, …, w_k on the sphere and Φ = (θᵀw)^l, l ≥ 3, the loss of one electron with its charge has "
        "no local minimum with a ≠ 0 but θ = ±wⱼ, a = ∓bⱼ (printed: but the global ones), and descent with steps "
        "1/(4l²C²k), C ≥ 1 a bound of the charges, ends at one of them."
    ),
    check=_check,
    parameters=PARAMETERS | DESCENT,
)
