"""zps17, Corollary 3.12: among at most two protons an electron under the sign's potential ends on one."""

from earnshaw.theorems.sign_forces import COMMON, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-C3.12", seed, **parameters)


theorem = Theorem(
    id="zps17-C3.12",
    source="Zhang, Panigrahy, Sachdeva (2017), Corollary 3.12",
    title="On any sphere the sign finds one of at most two units",
    statement=(
        "On the sphere of any dimension, for k ≤ 2 and |b₁| ≠ |b₂| (which is not printed), one electron with its "
        "charge under Φ = 1 − 2α/π ends on some ±wⱼ, by gradient descent with steps that tend to 0 from almost every "
        "start."
    ),
    check=_check,
    parameters={"d": 4, "k": 2, "charges": "mixed"} | COMMON,
)
