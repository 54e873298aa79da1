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


def rows(dimension: int, sphere_dimension: int, degree: int, eps: float) -> list[DualRow]:
    """Every row of zps17 Table 1 and prsz18 Table 1, and the two potentials that no activation has."""
    s = sphere_dimension
    synthetic = potentials.almost_one_harmonic(s, degree)
    root = activations.from_hermite(tuple(math.sqrt(c) for c in synthetic.profile.coefficients), "synthetic")
    return [
        DualRow("sign", "sgn θᵀx", "1 − (2/π) arccos ρ", Zonal(_sign_dual, "sign"), _ridge(activations.sign()), s),
        DualRow("ReLU", "√2·max(θᵀx, 0)", "(√(1 − ρ²) + ρ(π − arccos ρ))/π", Zonal(_relu_dual, "ReLU"),
                _ridge(activations.relu().scaled(math.sqrt(2.0))), s),
        DualRow("Hermite", "h₃(θᵀx)", "ρ³", potentials.monomial(3), _series(activations.hermite(3)), s),
        DualRow("exponential", "exp(θᵀx − 1)", "exp(ρ − 1)", potentials.sphere_exponential(),
                _series(activations.exponential()), s),
        DualRow("synthetic", f"Σ √cₙ hₙ(θᵀx), n ≤ {degree}", f"Σ cₙρⁿ, n ≤ {degree}", synthetic, _series(root), s),
        DualRow("Gaussian", "2^{d/2} e^{‖x‖²/4} e^{−‖x−θ‖²}", "exp(−r²/2)", potentials.gaussian(),
                activations.gaussian(dimension).potential_at, dimension),
        DualRow("Bessel", "(2/π)^{3d/4} e^{‖x‖²/4} ∏ K₀(|xₗ − θₗ|)", "exp(−‖θ − w‖₁)", potentials.bessel(),
                activations.bessel(1).factor.potential_at, 1),
        DualRow("almost λ-harmonic", "by Fourier transform", "e^{−r}/r for r ≥ ε (d = 3)",
                potentials.almost_harmonic(dimension, eps), None, dimension),
        DualRow("Coulomb", "none", "r^{2−d}", potentials.coulomb(dimension), None, dimension),
        DualRow("distance", "none", "r", potentials.distance(), None, dimension),
    ]  # fmt: skip


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
