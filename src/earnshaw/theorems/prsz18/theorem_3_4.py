"""prsz18, Theorem 3.4 (Earnshaw): charges under a harmonic potential have no strict minimum where L is smooth."""

from earnshaw.theorems.harmonic_minima import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("prsz18-3.4", seed, **parameters)


theorem = Theorem(
    id="prsz18-3.4",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 3.4",
    title="A harmonic potential has no differentiable strict minimum",
    statement=(
        "If Φ is harmonic except at coincidence, the energy Σ_{i≠j} aᵢaⱼΦ(θᵢ, θⱼ) + 2Σ aᵢbⱼΦ(θᵢ, wⱼ) has no strict "
        "local minimum at which it is differentiable, that is, with all electrons apart from all other particles."
    ),
    check=_check,
    parameters=PARAMETERS,
)
