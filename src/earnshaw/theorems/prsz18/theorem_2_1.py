"""prsz18, Theorem 2.1: a potential with nonnegative integrable Fourier transform has an activation."""

from earnshaw.theorems.spectral_realization import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("prsz18-2.1", square_integrable=True, **parameters)


theorem = Theorem(
    id="prsz18-2.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 2.1",
    title="Activation from a square-integrable potential of nonnegative Fourier transform",
    statement=(
        "If Φ(θ − w) is square-integrable with a nonnegative integrable Fourier transform, then "
        "σ(x, θ) = (2π)^{d/4} e^{‖x‖²/4} h(x − θ), where h has the square root of that transform, "
        "gives E σ(x, θ)σ(x, w) = Φ(θ, w) for Gaussian x."
    ),
    check=_check,
    parameters=PARAMETERS,
)
