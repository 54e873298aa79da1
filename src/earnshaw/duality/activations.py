"""The ready-made activations, by name.

Most are functions of θᵀx. Two, `gaussian` and `bessel`, are functions of x − θ, with a weight that depends on x.
"""

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
from numpy.polynomial import hermite_e

from earnshaw.duality.activation import Activation
from earnshaw.duality.bessel_pair import bessel_activation
from earnshaw.duality.closed_forms import (
    ErrorFunction,
    Exponential,
    Gelu,
    PiecewiseLinear,
    Sinusoid,
    Threshold,
)
from earnshaw.duality.functions import GaussianFactor, HermiteSum, LeakyRelu, Polynomial, ShiftedExponential
from earnshaw.duality.radial_activation import RadialActivation, SeparableActivation
from earnshaw.errors import EarnshawError, check_settings, unknown_name
from earnshaw.numerics.arguments import finite_number, shown, whole_number

#: The coefficients of higher powers cancel: at degree 30 an accuracy of 1e-11 is left, relative to the norms.
HIGHEST_HERMITE = 30


def linear() -> Activation:
    """σ(z) = z."""
    return Activation(
        _identity, "linear", degree=1.0, parity="odd", closed_form=PiecewiseLinear(1.0, 0.0), powers=(0.0, 1.0)
    )


def sign() -> Activation:
    """σ(z) = sgn z, with sgn 0 = 0."""
    return Activation(jnp.sign, "sign", degree=0.0, smoothness=-1, parity="odd", closed_form=Threshold(0.0, 1.0))


def step() -> Activation:
    """σ(z) = 1 for z > 0, 0 for z < 0, ½ at 0."""
    return Activation(_step, "step", degree=0.0, smoothness=-1, closed_form=Threshold(0.5, 0.5))


def relu() -> Activation:
    """σ(z) = max(z, 0)."""
    return Activation(jax.nn.relu, "relu", degree=1.0, smoothness=0, closed_form=PiecewiseLinear(0.5, 0.5))


def leaky_relu(slope: float = 0.01) -> Activation:
    """σ(z) = z for z > 0 and slope·z for z < 0."""
    slope = finite_number("the slope", slope)
    form = PiecewiseLinear((1 + slope) / 2, (1 - slope) / 2)
    return Activation(LeakyRelu(slope), f"leaky_relu({slope:g})", degree=1.0, smoothness=0, closed_form=form)


def quadratic() -> Activation:
    """σ(z) = z²."""
    return Activation(jnp.square, "quadratic", degree=2.0, parity="even", powers=(0.0, 0.0, 1.0))


def hermite(m: int = 3) -> Activation:
    """The normalised Hermite polynomial hₘ = Heₘ/√m!, whose dual on the sphere is ρᵐ."""
    m = whole_number("the degree of a Hermite polynomial", m, 0, HIGHEST_HERMITE)
    parity = "odd" if m % 2 else "even"
    powers = hermite_e.herme2poly([0.0] * m + [1.0]) / math.sqrt(math.factorial(m))
    return from_powers(tuple(float(c) for c in powers), f"hermite({m})", parity=parity)


def from_powers(powers: tuple[float, ...], name: str = "polynomial", parity=None) -> Activation:
    """The polynomial activation Σ powersᵢzⁱ."""
    powers = _coefficients("a polynomial activation", powers)
    return Activation(Polynomial(powers), name, parity=parity, powers=powers)


def from_hermite(coefficients: tuple[float, ...], name: str = "hermite series") -> Activation:
    """The activation Σ cₙhₙ, whose dual on the sphere is Σ cₙ²ρⁿ (Thm 2.5 of zps17, B.2 of prsz18).

    >>> from earnshaw.duality.dual import Dual
    >>> import jax.numpy as jnp
    >>> phi = Dual(from_hermite((1.0, 0.0, 2.0))).on_sphere()
    >>> float(phi(jnp.array([1.0, 0.0]), jnp.array([0.5, 0.75**0.5])))
    2.0
    """
    expansion = _coefficients("a Hermite series", coefficients)
    return Activation(HermiteSum(expansion), name, expansion=expansion)


def exponential(shift: float = -1.0) -> Activation:
    """σ(z) = exp(z − 1), whose dual on the sphere is exp(θᵀw − 1)."""
    shift = finite_number("the shift", shift)
    return Activation(ShiftedExponential(shift), "exponential", closed_form=Exponential(shift))


def erf() -> Activation:
    """σ(z) = erf z."""
    return Activation(jax.lax.erf, "erf", parity="odd", closed_form=ErrorFunction(0.0, 1.0, 1.0))


def normal_cdf() -> Activation:
    """σ(z) = ½(1 + erf(z/√2)), the normal distribution function."""
    return Activation(jax.scipy.stats.norm.cdf, "normal_cdf", closed_form=ErrorFunction(0.5, 0.5, 1 / math.sqrt(2)))


def gelu() -> Activation:
    """σ(z) = z·Φ(z) with the normal distribution function Φ."""
    return Activation(_gelu, "gelu", closed_form=Gelu())


def silu() -> Activation:
    """σ(z) = z/(1 + e^{−z})."""
    return Activation(jax.nn.silu, "silu")


def softplus() -> Activation:
    """σ(z) = log(1 + e^z)."""
    return Activation(jax.nn.softplus, "softplus")


def sigmoid() -> Activation:
    """σ(z) = 1/(1 + e^{−z})."""
    return Activation(jax.nn.sigmoid, "sigmoid")


def tanh() -> Activation:
    """σ(z) = tanh z."""
    return Activation(jnp.tanh, "tanh", parity="odd")


def sin() -> Activation:
    """σ(z) = sin z."""
    return Activation(jnp.sin, "sin", parity="odd", closed_form=Sinusoid(0.0))


def cos() -> Activation:
    """σ(z) = cos z."""
    return Activation(jnp.cos, "cos", parity="even", closed_form=Sinusoid(math.pi / 2))


def gaussian(d: int = 3) -> RadialActivation:
    """σ(x, θ) = 2^{d/2} e^{‖x‖²/4} e^{−‖x−θ‖²}, whose potential is exp(−‖θ − w‖²/2) in R^d (zps17, Table 1).

    >>> import numpy as np
    >>> bool(abs(gaussian(2).potential_at(np.array([1.0]))[0] - math.exp(-0.5)) < 1e-10)
    True
    """
    d = whole_number("the dimension d", d, 1)
    return RadialActivation(GaussianFactor(d), d, "gaussian")


def bessel(d: int = 1) -> SeparableActivation:
    """σ(x, θ) = (2/π)^{3d/4} e^{‖x‖²/4} ∏ K₀(|xₗ − θₗ|), whose potential is exp(−‖θ − w‖₁) in R^d (zps17, Table 1)."""
    return bessel_activation(whole_number("the dimension d", d, 1))


TRANSLATED: dict[str, Callable[..., RadialActivation | SeparableActivation]] = {"gaussian": gaussian, "bessel": bessel}
"""The activations that are functions of x − θ."""

CATALOGUE: dict[str, Callable[..., Activation]] = {
    function.__name__: function
    for function in (
        linear, sign, step, relu, leaky_relu, quadratic, hermite, exponential, erf, normal_cdf, gelu, silu, softplus,
        sigmoid, tanh, sin, cos,
    )
}  # fmt: skip


def get(name: "str | Activation | Callable", **settings: float) -> Activation:
    """The activation σ(θᵀx) of that name; an `Activation` is returned as it is, a scalar function is wrapped.

    >>> get("leaky_relu", slope=0.1).name
    'leaky_relu(0.1)'
    """
    if isinstance(name, Activation):
        return name
    if callable(name) and not isinstance(name, RadialActivation | SeparableActivation):
        return Activation(name, getattr(name, "__name__", "activation"))
    if (isinstance(name, str) and name in TRANSLATED) or isinstance(name, RadialActivation | SeparableActivation):
        label = name if isinstance(name, str) else name.name
        raise EarnshawError(
            f"the activation {label} is a function of x − θ and not of θᵀx; its potential is potentials.get({label!r})"
        )
    if not isinstance(name, str) or name not in CATALOGUE:
        raise unknown_name("activation", name, CATALOGUE)
    check_settings("activation", name, CATALOGUE[name], settings)
    return CATALOGUE[name](**settings)


def _coefficients(owner: str, values) -> tuple[float, ...]:
    try:
        listed = tuple(values)
    except TypeError:
        raise EarnshawError(f"{owner} needs a list of coefficients, got {shown(values)}") from None
    if not listed:
        raise EarnshawError(f"{owner} needs at least one coefficient")
    return tuple(finite_number("a coefficient", c) for c in listed)


def _identity(z):
    return z


def _step(z):
    return jnp.heaviside(z, 0.5)


def _gelu(z):
    return jax.nn.gelu(z, approximate=False)
