"""The almost 1-harmonic potential of the sphere: a polynomial of θᵀw whose Laplacian is itself but for one term
(zps17, Theorem 4.4)."""

import math
from functools import lru_cache

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.zonal import PowerSeries, Zonal
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import dimension, positive_number, whole_number

HIGHEST_DEGREE = 100_000


class AlmostOneHarmonic(PowerSeries):
    """f(ρ) = Σ_{n ≤ N} c_n ρⁿ with Δf = f − c_N k_N ρᴺ on S^{d−1}, k_N = N² + (d − 2)N + 1.

    The recurrence c_{n+2} (n + 2)(n + 1) = c_n (n(n − 1) + (d − 1)n + 1) starts at c_0 = 1, c_1 = 0 and keeps every
    coefficient nonnegative, so the potential is realizable. It is not normalised: f(1) > 1. `normalised=True`
    divides by f(1).

    >>> AlmostOneHarmonic(5, 4).coefficients
    (1.0, 0.0, 0.5, 0.0, 0.4583333333333333)
    """

    d: int = eqx.field(static=True)
    degree: int = eqx.field(static=True)

    def __init__(self, d: int, degree: int, *, normalised: bool = False):
        d = dimension(d, 2)
        degree = whole_number("the even degree N of the almost 1-harmonic polynomial", degree, 2, HIGHEST_DEGREE)
        if degree % 2:
            raise EarnshawError(
                f"the degree N of the almost 1-harmonic polynomial must be even and at least 2, got {degree}"
            )
        coefficients = _recurrence(d, degree)
        if not math.isfinite(math.fsum(coefficients[:-1]) + coefficients[-1] * _growth(d, degree)):
            raise EarnshawError(
                f"the coefficients for d = {d} and degree N = {degree} leave the range of double precision; "
                "take a smaller degree"
            )
        if normalised:
            total = math.fsum(coefficients)
            coefficients = tuple(c / total for c in coefficients)
        self.d = d
        self.degree = degree
        self.coefficients = coefficients

    @property
    def at_coincidence(self) -> float:
        """f(1) = Φ(θ, θ)."""
        return math.fsum(self.coefficients)

    @property
    def residual_coefficient(self) -> float:
        """c_N k_N, with which Δf = f − c_N k_N ρᴺ."""
        return self.coefficients[-1] * _growth(self.d, self.degree)

    def residual(self, rho: float | Float[Array, "..."] | Float[np.ndarray, "..."]) -> Float[Array, "..."]:
        """Δf − f = −c_N k_N ρᴺ: how far f is from being 1-harmonic."""
        return -self.residual_coefficient * jnp.asarray(rho, float) ** self.degree


def almost_one_harmonic(d: int, degree: int, *, normalised: bool = False) -> Zonal:
    """The almost 1-harmonic potential on S^{d−1} of even degree N (zps17, Theorem 4.4).

    >>> potential = almost_one_harmonic(5, 10)
    >>> round(float(potential.profile.residual(1.0)), 6)
    -56.370468
    """
    return Zonal(AlmostOneHarmonic(d, degree, normalised=normalised), label="almost 1-harmonic")


def sufficient_degree(d: int, eps: float, charge: float = 1.0) -> int:
    """The smallest even N with 2 c_N k_N · charge · (1 − ε)ᴺ ≤ ε/2, as the proof of zps17's Theorem 4.4 asks.

    `charge` bounds Σ|b_j| + Σ|a_j|. Beyond an inner product of 1 − ε nothing is claimed; below it the residual of such
    a degree cannot turn the sign of the Laplacian of a charge larger than ε. N grows like log(d · charge / ε)/ε.

    >>> sufficient_degree(5, 0.5)
    10
    """
    d, eps, charge = dimension(d, 2), positive_number("eps", eps), positive_number("charge", charge)
    if not 1e-6 <= eps < 1:
        raise EarnshawError(f"eps must lie between 0 and 1, and be at least 1e-6, got {eps:g}")
    n, log_c = 0, 0.0
    while n == 0 or math.log(2 * charge * _growth(d, n)) + log_c + n * math.log1p(-eps) > math.log(eps / 2):
        log_c += math.log(_growth(d, n) / ((n + 2) * (n + 1)))
        n += 2
    return n


@lru_cache(maxsize=64)
def _recurrence(d: int, degree: int) -> tuple[float, ...]:
    coefficients = [1.0]
    for n in range(0, degree, 2):
        coefficients += [0.0, coefficients[-1] * _growth(d, n) / ((n + 2) * (n + 1))]
    return tuple(coefficients)


def _growth(d: int, n: int) -> int:
    return n * n + (d - 2) * n + 1
