"""zps17, Theorem 2.5: a zonal potential with nonnegative Taylor coefficients has an activation."""

from earnshaw.theorems.hermite_realization import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-2.5", **parameters)


theorem = Theorem(
    id="zps17-2.5",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 2.5",
    title="Activation of a rotation-invariant potential by Hermite series",
    statement=(
        "If f has nonnegative Taylor coefficients cₙ and Σ √cₙ hₙ converges almost everywhere, then "
        "Φ(θ, w) = f(θᵀw) is realizable on the sphere, by that sum with n = 0 included."
    ),
    check=_check,
    parameters=PARAMETERS,
)
