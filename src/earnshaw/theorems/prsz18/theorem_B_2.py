"""prsz18, Theorem B.2: a zonal potential with nonnegative Taylor coefficients has an activation."""

from earnshaw.theorems.hermite_realization import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("prsz18-B.2", **parameters)


theorem = Theorem(
    id="prsz18-B.2",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem B.2",
    title="Activation of a zonal potential by Hermite series",
    statement=(
        "If f has nonnegative Taylor coefficients cₙ and Σ √cₙ hₙ converges almost everywhere, that sum, n = 0 "
        "included, is an activation with E σ(θᵀx)σ(wᵀx) = f(θᵀw) on the sphere."
    ),
    check=_check,
    parameters=PARAMETERS,
)
