"""Slips in the realizability theorems and constructions: the printed form fails, the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import math

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy.special import k1

from earnshaw.duality import activations
from earnshaw.duality.dual import Dual
from earnshaw.duality.fourier import radial_fourier
from earnshaw.duality.radial_activation import RadialActivation
from earnshaw.duality.yukawa import AlmostHarmonic, Yukawa, harmonic_polynomials


@pytest.mark.parametrize(("first", "is_right"), [(0, True), (1, False)])
def test_23_the_hermite_sum_starts_at_zero(first, is_right):
    taylor = [math.exp(-1) / math.factorial(n) if n >= first else 0.0 for n in range(25)]
    sigma = activations.from_hermite(tuple(np.sqrt(taylor)))
    rho = 0.37
    value = float(Dual(sigma).on_sphere()(jnp.array([1.0, 0.0]), jnp.array([rho, math.sqrt(1 - rho**2)])))
    assert (abs(value - math.exp(rho - 1)) < 1e-12) == is_right
    if not is_right:
        assert value == pytest.approx(0.1647, abs=1e-4)


def test_24_overlaps_average_to_a_tent_in_three_dimensions_only():
    # ∫_r^t x^{−2}Φ_x(r) dx with Φ_x′ = −(x² − r²)^{(d−1)/2}/(d − 1)!, differentiated d − 1 times in all
    def derivative(d, r, t):
        def slope(r):
            return -mp.quad(lambda x: (x**2 - r**2) ** ((d - 1) // 2) / x**2, [r, t]) / mp.factorial(d - 1)

        with mp.workdps(40):
            return float(mp.diff(slope, mp.mpf(r), d - 2))

    assert derivative(3, 1, 2) == pytest.approx(0.5, abs=1e-9)
    assert derivative(7, 1, 2) != pytest.approx(0.5, abs=0.1)
    assert derivative(7, 1, 2) == pytest.approx(8 / 15 - 0.5, abs=1e-9)


def test_25_the_derivative_bound_cannot_vanish_at_the_origin():
    profile = AlmostHarmonic(3, 0.1)
    at_zero = float(profile(0.0))
    printed = profile.derivative_bound(0) * 0.0
    assert at_zero == pytest.approx(1.0)
    assert not at_zero <= printed
    assert at_zero <= profile.derivative_bound(0)


@pytest.mark.parametrize(("lowered", "is_right"), [(3, True), (2, False)])
def test_26_the_polynomials_of_the_derivatives(lowered, is_right):
    d, r = 7, 0.5
    p = np.polynomial.Polynomial(harmonic_polynomials(d, 1)[0])
    following = (d - lowered + 1 + r) * p(r) - r * p.deriv()(r)
    slope = -following * math.exp(-r) / r ** (d - 1)
    exact = float(jax.grad(Yukawa(d, 1.0))(r))
    assert exact == pytest.approx(-312.161, abs=1e-3)
    assert math.isclose(slope, exact, rel_tol=1e-10) == is_right


@pytest.mark.parametrize(("power", "is_right"), [(0, True), (1, False)])
def test_27_the_transform_of_the_yukawa_potential(power, is_right):
    k = np.array([0.5, 1.0, 2.0, 4.0])
    values, _ = radial_fourier(lambda r: np.exp(-r) / r, 3, k)
    ratio = values / (k**power / (1 + k**2))
    assert np.allclose(ratio, ratio[0], rtol=1e-9) == is_right


@pytest.mark.parametrize(("scale", "is_right"), [(math.pi**-1.5, True), (1.0, False)])
def test_28_the_constant_of_the_bessel_activation(scale, is_right):
    activation = RadialActivation(lambda r: scale * k1(r) / r, 3)
    value = float(activation.potential_at(np.array([1.0]))[0])
    assert math.isclose(value, math.exp(-1), rel_tol=1e-8) == is_right
    if not is_right:
        assert value == pytest.approx(11.41, abs=0.01)


@pytest.mark.parametrize(("weight", "is_right"), [(1.0, True), ((2 * math.pi) ** 0.25, False)])
def test_29_in_the_unitary_convention_the_prefactor_cancels(weight, is_right):
    # d = 1, Φ = exp(−r²/2): its unitary transform is itself, and h is the inverse transform of the root
    r = np.linspace(-8.0, 8.0, 1601)
    values, _ = radial_fourier(lambda k: np.exp(-(k**2) / 4), 1, np.abs(r))
    sigma = weight * np.exp(r**2 / 4) * values
    moment = float(np.sum(sigma**2 * np.exp(-(r**2) / 2)) / math.sqrt(2 * math.pi) * (r[1] - r[0]))
    assert math.isclose(moment, 1.0, rel_tol=1e-9) == is_right
    if not is_right:
        assert moment == pytest.approx(2.507, abs=1e-3)


def test_30_the_overlapping_balls_have_half_the_radius():
    # one dimension: the overlap of two intervals of half-length a ends at distance 2a, and the lemma's potential at t
    t = 1.3
    x = np.linspace(-3, 3, 60001)

    def overlap(half_length, r):
        inside = (np.abs(x) <= half_length) & (np.abs(x - r) <= half_length)
        return float(np.sum(inside) * (x[1] - x[0]))

    assert overlap(t / 2, 1.05 * t) == 0.0
    assert overlap(t, 1.05 * t) > 0.5


def test_31_the_exponents_of_the_inner_bound_are_those_of_the_statement():
    # the induction starts from a constant bound: integrating it once gives (ε − r)¹, not (ε − r)²
    profile = AlmostHarmonic(3, 0.5)
    eps, r = 0.5, 0.1
    size = [abs(float(profile.derivative(eps, order))) for order in range(3)]
    k = 1  # a bound on the derivative of order d − 1 − k
    actual = abs(float(profile.derivative(r, 2 - k)))
    statement = size[2 - k] + (eps - r) ** 1 * size[2]
    last_line = size[2 - k] + (eps - r) ** 2 / 2 * size[2]
    assert actual <= statement
    assert not actual <= last_line
