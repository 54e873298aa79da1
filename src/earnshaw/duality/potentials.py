"""The ready-made potentials, by name."""

import math
from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Inexact

from earnshaw.duality import activations
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.duality.radial import Radial
from earnshaw.duality.separable import Separable
from earnshaw.duality.synthetic import almost_one_harmonic
from earnshaw.duality.yukawa import almost_harmonic, harmonic_yukawa
from earnshaw.duality.zonal import PowerSeries, Zonal
from earnshaw.errors import EarnshawError, check_settings, unknown_name
from earnshaw.numerics.arguments import finite_number, positive_number, whole_number

#: Beyond it the binomial coefficients of a Matérn function leave the range of double precision.
MOST_SMOOTH = 80
#: A power of the inner product that is higher is 0 in double precision for all but coincident points.
HIGHEST_DEGREE = 100_000


class Gaussian(eqx.Module):
    """exp(−c r²/2)."""

    c: float = eqx.field(static=True)

    def __call__(self, r: Inexact[Array, "..."]) -> Inexact[Array, "..."]:
        """The value at distance r."""
        return jnp.exp(-self.c * r**2 / 2)


class Power(eqx.Module):
    """r^exponent."""

    exponent: float = eqx.field(static=True)

    def __call__(self, r: Inexact[Array, "..."]) -> Inexact[Array, "..."]:
        """The value at distance r."""
        return r**self.exponent


class InverseMultiquadric(eqx.Module):
    """(1 + r²)^{−β}."""

    beta: float = eqx.field(static=True)

    def __call__(self, r: Inexact[Array, "..."]) -> Inexact[Array, "..."]:
        """The value at distance r."""
        return (1 + r**2) ** (-self.beta)


class Matern(eqx.Module):
    """The Matérn function of half-integer smoothness ν = p + ½: a polynomial of degree p times exp(−√(2ν)r/ℓ)."""

    p: int = eqx.field(static=True)
    length: float = eqx.field(static=True)

    def __call__(self, r: Inexact[Array, "..."]) -> Inexact[Array, "..."]:
        """The value at distance r."""
        x = math.sqrt(2 * self.p + 1) * r / self.length
        value = jnp.zeros_like(x)
        for i in range(self.p + 1):
            numerator = math.factorial(self.p + i) * math.factorial(self.p)
            weight = numerator / (math.factorial(i) * math.factorial(self.p - i) * math.factorial(2 * self.p))
            value = value + weight * (2 * x) ** (self.p - i)
        return value * jnp.exp(-x)


class SphereExponential(eqx.Module):
    """exp(c(ρ − 1))."""

    c: float = eqx.field(static=True)

    def __call__(self, rho: Inexact[Array, "..."]) -> Inexact[Array, "..."]:
        """The value at inner product ρ."""
        return jnp.exp(self.c * (rho - 1))


def gaussian(c: float = 1.0) -> Radial:
    """exp(−c‖θ − w‖²/2)."""
    return Radial(Gaussian(positive_number("c", c)), "gaussian")


def coulomb(d: int = 3) -> Radial:
    """‖θ − w‖^{2−d}, harmonic in R^d; −log‖θ − w‖ for d = 2."""
    d = whole_number("the dimension of a Coulomb potential", d, 1)
    return logarithmic() if d == 2 else Radial(Power(float(2 - d)), f"coulomb({d})")


def logarithmic() -> Radial:
    """−log‖θ − w‖, harmonic in the plane."""
    return Radial(_minus_log, "logarithmic")


def distance() -> Radial:
    """‖θ − w‖."""
    return Radial(Power(1.0), "distance")


def yukawa(d: int = 3, lam: float = 1.0) -> Radial:
    """The λ-harmonic potential p(r)·exp(−√λ r)/r^{d−2} of R^d, d odd."""
    return harmonic_yukawa(d, lam)


def matern(nu: float = 1.5, length: float = 1.0) -> Radial:
    """The Matérn kernel of half-integer smoothness ν = ½, 3/2, 5/2, …"""
    nu = positive_number("the smoothness of a Matérn potential", nu)
    p = nu - 0.5
    if p != int(p) or p > MOST_SMOOTH:
        raise EarnshawError(
            f"the smoothness of a Matérn potential must be ½, 3/2, 5/2, … up to {MOST_SMOOTH}½, got {nu:g}"
        )
    return Radial(Matern(int(p), positive_number("length", length)), f"matern({nu:g})")


def exponential(length: float = 1.0) -> Radial:
    """exp(−‖θ − w‖/ℓ), the Matérn kernel with ν = ½."""
    return Radial(Matern(0, positive_number("length", length)), "exponential")


def inverse_multiquadric(beta: float = 0.5) -> Radial:
    """(1 + ‖θ − w‖²)^{−β}."""
    return Radial(InverseMultiquadric(positive_number("beta", beta)), "inverse_multiquadric")


def bessel() -> Separable:
    """exp(−‖θ − w‖₁), the potential of the Bessel activation."""
    return Separable(_two_sided_exponential, "bessel")


def monomial(m: int = 3) -> Zonal:
    """(θᵀw)^m on the sphere."""
    m = whole_number("the degree of a monomial", m, 0, HIGHEST_DEGREE)
    return Zonal(PowerSeries((0.0,) * m + (1.0,)), f"monomial({m})")


def polynomial(*coefficients: float) -> Zonal:
    """Σ cₙ(θᵀw)ⁿ on the sphere."""
    if not coefficients:
        raise EarnshawError("a polynomial potential needs at least one coefficient")
    return Zonal(PowerSeries(tuple(finite_number("a coefficient", c) for c in coefficients)), "polynomial")


def sphere_exponential(c: float = 1.0) -> Zonal:
    """exp(c(θᵀw − 1)) on the sphere: the Gaussian potential between unit vectors."""
    return Zonal(SphereExponential(positive_number("c", c)), "sphere_exponential")


def sign() -> Zonal:
    """1 − (2/π)·arccos θᵀw on the sphere, the dual of the sign."""
    return Dual(activations.sign()).on_sphere()


def relu() -> Zonal:
    """The dual of √2·ReLU on the sphere: (√(1 − ρ²) + ρ(π − arccos ρ))/π."""
    return Dual(activations.relu().scaled(math.sqrt(2.0))).on_sphere()


CATALOGUE: dict[str, Callable[..., Potential]] = {
    function.__name__: function
    for function in (
        gaussian, coulomb, logarithmic, distance, yukawa, matern, exponential, inverse_multiquadric, bessel, monomial,
        polynomial, sphere_exponential, sign, relu, almost_harmonic, almost_one_harmonic,
    )
}  # fmt: skip


def get(name: str | Potential, **settings) -> Potential:
    """The potential of that name; a `Potential` is returned as it is.

    >>> get("coulomb", d=5).name
    'coulomb(5)'
    """
    if isinstance(name, Potential):
        return name
    if not isinstance(name, str) or name not in CATALOGUE:
        raise unknown_name("potential", name, CATALOGUE)
    check_settings("potential", name, CATALOGUE[name], settings)
    return CATALOGUE[name](**settings)


def _minus_log(r):
    return -jnp.log(r)


def _two_sided_exponential(r):
    return jnp.exp(-jnp.abs(r))
