"""The rows of the table of activations and potentials: each pair, in closed form and from the activation."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import Activation, Dual, Potential, PowerSeries, Zonal, activations, potentials

Values = Callable[[Float[np.ndarray, " n"]], Float[np.ndarray, " n"]]


@dataclass(frozen=True)
class DualRow:
    """One activation and its potential.

    `from_activation` computes Φ from σ at inner products (sphere) or distances (R^d); `None` where the table has no σ.
    """

    name: str
    activation: str
    formula: str
    closed_form: Potential
    from_activation: Values | None
    dimension: int


@dataclass(frozen=True)
class Sizes:
    """What the rows depend on: the dimensions of space and of the sphere's surroundings, the degree N, the radius ε."""

    dimension: int
    sphere_dimension: int
    degree: int
    eps: float


def row(name: str, sizes: Sizes) -> DualRow:
    """One row of zps17 Table 1 or prsz18 Table 1, or one of the two potentials that no activation has."""
    return DualRow(name, *MAKERS[name](sizes))


def _synthetic(sizes: Sizes) -> tuple:
    phi = potentials.almost_one_harmonic(sizes.sphere_dimension, sizes.degree)
    sigma = activations.from_hermite(tuple(math.sqrt(c) for c in phi.profile.coefficients), "synthetic")
    n = sizes.degree
    return f"Σ √cₙ hₙ(θᵀx), n ≤ {n}", f"Σ cₙρⁿ, n ≤ {n}", phi, _series(sigma), sizes.sphere_dimension


#: What makes a row: σ and Φ in words, Φ, Φ from σ, and the dimension it is judged in.
MAKERS: dict[str, Callable[[Sizes], tuple]] = {
    "sign": lambda s: ("sgn θᵀx", "1 − (2/π) arccos ρ", Zonal(_sign_dual, "sign"), _ridge(activations.sign()),
                       s.sphere_dimension),
    "ReLU": lambda s: ("√2·max(θᵀx, 0)", "(√(1 − ρ²) + ρ(π − arccos ρ))/π", Zonal(_relu_dual, "ReLU"),
                       _ridge(activations.relu().scaled(math.sqrt(2.0))), s.sphere_dimension),
    "Hermite": lambda s: ("h₃(θᵀx)", "ρ³", potentials.monomial(3), _series(activations.hermite(3)),
                          s.sphere_dimension),
    "exponential": lambda s: ("exp(θᵀx − 1)", "exp(ρ − 1)", potentials.sphere_exponential(),
                              _series(activations.exponential()), s.sphere_dimension),
    "synthetic": _synthetic,
    "Gaussian": lambda s: ("2^{d/2} e^{‖x‖²/4} e^{−‖x−θ‖²}", "exp(−r²/2)", potentials.gaussian(),
                           activations.gaussian(s.dimension).potential_at, s.dimension),
    "Bessel": lambda s: ("(2/π)^{3d/4} e^{‖x‖²/4} ∏ K₀(|xₗ − θₗ|)", "exp(−‖θ − w‖₁)", potentials.bessel(),
                         activations.bessel(1).factor.potential_at, 1),
    "almost λ-harmonic": lambda s: ("by Fourier transform", "e^{−r}/r for r ≥ ε (d = 3)",
                                    potentials.almost_harmonic(s.dimension, s.eps), None, s.dimension),
    "Coulomb": lambda s: ("none", "r^{2−d}", potentials.coulomb(s.dimension), None, s.dimension),
    "distance": lambda s: ("none", "r", potentials.distance(), None, s.dimension),
}  # fmt: skip


def _ridge(activation: Activation) -> Values:
    """Φ of unit vectors at given inner products, by the library's rule for this activation."""
    return _at_cosines(Dual(activation))


def _series(activation: Activation) -> Values:
    """The same from the function alone: without its facts the library has to expand it."""
    return _at_cosines(Dual(Activation(activation.function, activation.name)))


def _at_cosines(phi: Dual) -> Values:
    def values(rho):
        y = jnp.stack([jnp.asarray(rho), jnp.sqrt(1 - jnp.asarray(rho) ** 2)], axis=1)
        return np.asarray(phi.matrix(jnp.array([[1.0, 0.0]]), y)[0])

    return values


def rebuilt_values(expansion: tuple[float, ...]) -> Values:
    """Φ at given inner products from the Hermite coefficients of a rebuilt σ."""
    series = PowerSeries(tuple(c**2 for c in expansion))
    return lambda rho: np.asarray(series(jnp.asarray(rho)))


def _sign_dual(rho):
    return 1 - 2 / jnp.pi * jnp.arccos(rho)


def _relu_dual(rho):
    return (jnp.sqrt(1 - rho**2) + rho * (jnp.pi - jnp.arccos(rho))) / jnp.pi
