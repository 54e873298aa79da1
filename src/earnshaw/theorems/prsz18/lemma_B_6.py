"""prsz18, Lemma B.6: a mixture of realizable potentials with nonnegative weights is realizable."""

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.special import betainc, gamma

from earnshaw.duality import potentials
from earnshaw.duality.fourier import bessel_kernel, radial_fourier
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.two_units import composite
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

Member = Callable[[Any, int, float], Any]
PANELS = 12
FREQUENCIES = np.concatenate([[0.0], np.geomspace(0.1, 30.0, 20)])


def _gaussian(r: Any, d: int, x: float) -> Any:
    return np.exp(-x * r**2 / 2)


def _gaussian_transform(k: Any, d: int, x: float) -> Any:
    return x ** (-d / 2) * np.exp(-(k**2) / (2 * x))


def _exponential(r: Any, d: int, x: float) -> Any:
    return np.exp(-r / x)


def _exponential_transform(k: Any, d: int, x: float) -> Any:
    return 2 ** (d / 2) * gamma((d + 1) / 2) / math.sqrt(math.pi) * x**d / (1 + (x * k) ** 2) ** ((d + 1) / 2)


def _overlap(r: Any, d: int, x: float) -> Any:
    """The share of a ball of diameter x that a ball at distance r covers: an incomplete Beta function."""
    return betainc((d + 1) / 2, 0.5, np.clip(1 - (r / x) ** 2, 0.0, 1.0))


def _overlap_transform(k: Any, d: int, x: float) -> Any:
    """(2π)^{d/2} times the square of the ball's own transform; 1 at distance 0 means dividing by the ball's volume."""
    ball = (x / 2) ** d * bessel_kernel(d + 2, k * x / 2)
    return (2 * math.pi) ** (d / 2) * ball**2 / (math.pi ** (d / 2) / math.gamma(d / 2 + 1) * (x / 2) ** d)


#: Φ_x at distance r, and its unitary transform: Gaussians of precision x, exponentials of length x, overlaps of balls
#: of diameter x.
FAMILIES: dict[str, tuple[Member, Member]] = {
    "gaussian": (_gaussian, _gaussian_transform),
    "exponential": (_exponential, _exponential_transform),
    "overlap": (_overlap, _overlap_transform),
}


def _check(
    seed: int = 0,
    family: str = "gaussian",
    d: int = 3,
    low: float = 0.5,
    high: float = 2.0,
    exponent: float = -2.0,
    shift: float = 0.0,
    claimed: Any = "",
    tolerance: float = 1e-8,
) -> Verdict:
    if family not in FAMILIES:
        raise unknown_name("family of potentials", family, FAMILIES)
    whole("d", d, 1, 30)
    above("high", high, above("low", low, 0.0))
    above("tolerance", tolerance, 0.0)
    if not (math.isfinite(exponent) and math.isfinite(shift)):
        raise EarnshawError(f"exponent and shift must be finite, not {exponent} and {shift}")
    member, transform = FAMILIES[family]
    x, weights = composite(np.linspace(low, high, PANELS + 1))
    density = x**exponent - shift
    ends = np.array([low, high]) ** exponent - shift
    alone = [float(np.min(transform(FREQUENCIES, d, at))) for at in (low, high)]
    hypotheses = (
        Hypothesis("the weight is nonnegative", bool(min(ends) >= 0), f"smallest w(x) = {min(ends):.6g}"),
        Hypothesis("its integral is finite", bool(np.isfinite(weights @ density)), float(weights @ density)),
        Hypothesis("each Φ_x is realizable", min(alone) >= 0, f"smallest transform {min(alone):.3g}"),
    )

    def mixture(r: float) -> float:
        return float(weights @ (density * np.array([member(np.array(r), d, one) for one in x]).ravel()))

    own = isinstance(claimed, str) and not claimed
    phi = None if own else potentials.get(claimed)
    if phi is not None and not isinstance(phi, Radial):
        raise EarnshawError(f"a mixture of radial potentials is radial, and {phi.name} is not")
    tables = np.array([transform(FREQUENCIES, d, one) for one in x])
    predicted = (weights * density) @ tables
    compact = own and family == "overlap"
    measured, errors = radial_fourier(
        _tabulated(member, d, x, weights * density) if phi is None else phi.profile, d, FREQUENCIES,
        breakpoints=(low, high) if compact else (), support=high if compact else None, tolerance=1e-5,
    )  # fmt: skip
    size = float(np.max(np.abs(predicted)))
    off = np.abs(measured - predicted) - errors
    slack = {
        "the transform is the mixture of the transforms": tolerance - float(np.max(off)) / size,
        "the transform is nonnegative": tolerance + float(np.min(measured + errors)) / size,
        "Φ(0) is the integral of the weights": tolerance
        - abs((mixture(0.0) if phi is None else float(phi.profile(jnp.zeros(())))) / float(weights @ density) - 1),
    }
    claim = min(slack, key=lambda name: slack[name])
    return decide(
        "prsz18-LB.6",
        hypotheses,
        "every claim holds with slack ≥ 0",
        slack,
        slack[claim],
        counterexample={"family": family, "d": d, "low": low, "high": high, "claim": claim, "slack": slack[claim]},
        note=f"w(x) = x^{exponent:g} − {shift:g} on [{low:g}, {high:g}]; Φ_x(0) = 1.",
    )


def _tabulated(
    member: Member, d: int, x: Float[np.ndarray, " q"], mass: Float[np.ndarray, " q"]
) -> Callable[[Any], Any]:
    """∫ w(x)Φ_x(r) dx for a distance or an array of them."""

    def profile(r: Any) -> Any:
        r = np.asarray(r, float)
        return sum((weight * member(r, d, one) for one, weight in zip(x, mass, strict=True)), np.zeros(r.shape))

    return profile


theorem = Theorem(
    id="prsz18-LB.6",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.6",
    title="Mixtures of realizable potentials are realizable",
    statement=(
        "If every Φ_x is square-integrable and realizable with an integrable Fourier transform, and w ≥ 0 has a "
        "finite integral over [a, b], then ∫ w(x)Φ_x dx is such a potential too: its transform is the mixture of "
        "theirs, hence nonnegative."
    ),
    check=_check,
    parameters={
        "family": "gaussian",
        "d": 3,
        "low": 0.5,
        "high": 2.0,
        "exponent": -2.0,
        "shift": 0.0,
        "claimed": "",
        "tolerance": 1e-8,
    },
)
