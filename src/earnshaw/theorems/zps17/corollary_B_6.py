"""zps17, Corollary B.6: where all minima are global, gradient descent finds one from almost every start."""

from earnshaw.theorems.convergence_to_minima import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-CB.6", seed, to_global=True, **parameters)


theorem = Theorem(
    id="zps17-CB.6",
    source="Zhang, Panigrahy, Sachdeva (2017), Corollary B.6",
    title="Where all minima are global, gradient descent finds one from almost every start",
    statement=(
        "If ‖∇²f‖ ≤ L on Ω, a step of size 1/(2L) stays in Ω, and every critical point is a global minimum or has a "
        "negative curvature, then gradient descent with that step size from a random start, where it converges, almost "
        "surely converges to a global minimum. (Printed as if it always converged, which fails: landscape=runaway, "
        "printed=true.)"
    ),
    check=_check,
    parameters=PARAMETERS,
)
