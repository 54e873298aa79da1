"""zps17, Theorem 2.4: a translation-invariant potential with nonnegative Fourier transform has an activation."""

from earnshaw.theorems.spectral_realization import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-2.4", square_integrable=False, **parameters)


theorem = Theorem(
    id="zps17-2.4",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 2.4",
    title="Activation from a translation-invariant potential",
    statement=(
        "If the Fourier transform of f is nonnegative and the inverse transform of its square root is bounded almost "
        "everywhere, then Φ(θ, w) = f(θ − w) is E σ(x, θ)σ(x, w) for an activation σ and Gaussian x. "
        "The weight in its proof has to be (2π)^{d/4}."
    ),
    check=_check,
    parameters=PARAMETERS,
)
