import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality.synthetic import AlmostOneHarmonic, almost_one_harmonic, sufficient_degree
from earnshaw.errors import EarnshawError


@pytest.mark.parametrize(("d", "degree"), [(2, 4), (3, 8), (5, 10), (10, 40)])
@pytest.mark.parametrize("normalised", [False, True])
def test_the_residual_is_the_truncated_term(d, degree, normalised):
    potential = almost_one_harmonic(d, degree, normalised=normalised)
    profile = potential.profile
    rho = jnp.linspace(-1.0, 1.0, 21)
    laplacian = jax.vmap(lambda t: potential.laplacian_profile(t, d))(rho)
    size = float(jnp.max(jnp.abs(laplacian)))
    np.testing.assert_allclose(laplacian - profile(rho), profile.residual(rho), atol=1e-13 * size * degree)


def test_the_residual_carries_the_truncated_coefficient_and_a_minus():
    # Without c_N and with a plus, as first printed, it would be N² + (d − 2)N + 1 = 131.
    potential = almost_one_harmonic(5, 10)
    measured = float(potential.laplacian_profile(jnp.array(1.0), 5) - potential.profile(jnp.array(1.0)))
    assert measured == pytest.approx(-56.370468, abs=1e-6)
    assert float(potential.profile.residual(1.0)) == pytest.approx(measured, rel=1e-11)


def test_the_laplacian_on_the_sphere_itself():
    potential = almost_one_harmonic(4, 12)
    x, y = (v / np.linalg.norm(v) for v in np.random.default_rng(0).normal(size=(2, 4)))
    x, y = jnp.asarray(x), jnp.asarray(y)

    def extended(z):
        return potential(z / jnp.linalg.norm(z), y)

    assert float(jnp.trace(jax.hessian(extended)(x))) == pytest.approx(float(potential.laplacian(x, y)), rel=1e-11)
    assert float(potential.laplacian(x, y)) == pytest.approx(
        float(potential(x, y) + potential.profile.residual(x @ y)), rel=1e-11
    )


def test_coefficients_are_nonnegative_and_normalisation_is_an_option():
    raw, unit = AlmostOneHarmonic(7, 20), AlmostOneHarmonic(7, 20, normalised=True)
    assert min(raw.coefficients) >= 0.0
    assert raw.coefficients[0] == 1.0
    assert raw.coefficients[1::2] == (0.0,) * 10
    assert raw.at_coincidence > 1.0
    assert unit.at_coincidence == pytest.approx(1.0)
    assert unit.residual_coefficient == pytest.approx(raw.residual_coefficient / raw.at_coincidence)


@pytest.mark.parametrize(("d", "eps", "charge"), [(3, 0.5, 1.0), (5, 0.1, 4.0), (20, 0.05, 10.0)])
def test_the_sufficient_degree_is_the_smallest(d, eps, charge):
    n = sufficient_degree(d, eps, charge)

    def excess(degree):
        return 2 * charge * AlmostOneHarmonic(d, degree).residual_coefficient * (1 - eps) ** degree - eps / 2

    assert excess(n) <= 0
    assert all(excess(m) > 0 for m in range(2, n, 2))


def test_the_degree_grows_like_one_over_eps():
    degrees = [sufficient_degree(5, eps) * eps / math.log(1 / eps) for eps in (0.1, 0.01, 0.001)]
    assert max(degrees) < 3 * min(degrees)


@pytest.mark.parametrize("degree", [0, 1, 3, -2])
def test_bad_degree_is_refused(degree):
    with pytest.raises(EarnshawError, match="even"):
        AlmostOneHarmonic(3, degree)


def test_bad_dimension_and_radius_are_refused():
    with pytest.raises(EarnshawError, match="d ≥ 2"):
        AlmostOneHarmonic(1, 4)
    with pytest.raises(EarnshawError, match="between 0 and 1"):
        sufficient_degree(3, 1.0)
    with pytest.raises(EarnshawError, match="charge"):
        sufficient_degree(3, 0.1, 0.0)
