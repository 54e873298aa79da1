"""zps17, Theorem 3.11: on the circle an electron under the sign's potential ends on a proton."""

from earnshaw.theorems.sign_forces import COMMON, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-3.11", seed, **parameters)


theorem = Theorem(
    id="zps17-3.11",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 3.11",
    title="On the circle the sign finds one of the units",
    statement=(
        "On the circle, for almost all charges, one electron with its charge under Φ = 1 − 2α/π ends on some ±wⱼ, by "
        "gradient descent with steps that tend to 0 from almost every start: the forces of the protons have constant "
        "size and cancel nowhere."
    ),
    check=_check,
    parameters={"d": 2, "k": 4, "charges": "mixed"} | COMMON,
)
