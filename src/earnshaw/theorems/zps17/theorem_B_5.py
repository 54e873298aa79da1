"""zps17, Theorem B.5: from almost every start gradient descent ends at no saddle."""

from earnshaw.theorems.convergence_to_minima import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-B.5", seed, to_global=False, **parameters)


theorem = Theorem(
    id="zps17-B.5",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem B.5",
    title="From almost every start gradient descent ends at no saddle",
    statement=(
        "If ‖∇²f‖ ≤ L on Ω and a step of size 1/(2L) stays in Ω, then gradient descent with that step size from a "
        "random start, where it converges, almost surely does not converge to a point with a negative curvature. "
        "(Printed as if it always converged, which fails: landscape=runaway, printed=true.)"
    ),
    check=_check,
    parameters=PARAMETERS,
)
