"""Owen's T and the bivariate normal distribution against SciPy and quadrature."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.special import owens_t as scipy_owens_t

from earnshaw.numerics.binormal import binormal_cdf, owens_t


def test_owens_t_agrees_with_scipy_for_all_sizes_of_both_arguments():
    rng = np.random.default_rng(0)
    h, a = 3 * rng.normal(size=4000), np.tan(rng.uniform(-1.57, 1.57, size=4000))
    assert np.max(np.abs(np.asarray(owens_t(jnp.array(h), jnp.array(a))) - scipy_owens_t(h, a))) < 1e-15
    assert float(owens_t(jnp.array(0.0), jnp.array(jnp.inf))) == 0.25


def distribution(h, k, rho):
    root = np.sqrt(1 - rho**2)
    arguments = (h, k, (h - rho * k) / root, (k - rho * h) / root, np.arccos(rho))
    return float(binormal_cdf(*(jnp.asarray(a) for a in arguments)))


def by_quadrature(h, k, rho):
    def density(x):
        return np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * ndtr((k - rho * x) / np.sqrt(1 - rho**2))

    turn = k / rho if rho else 0.0
    return quad(density, -12, h, epsabs=1e-14, epsrel=1e-12, limit=400, points=[min(max(turn, -11.9), h - 1e-9)])[0]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-0.98, 0.98))
def test_the_distribution_function_agrees_with_quadrature(h, k, rho):
    assert abs(distribution(h, k, rho) - by_quadrature(h, k, rho)) < 1e-11


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.3])
def test_the_orthant_probability_is_an_arcsine(rho):
    assert distribution(0.0, 0.0, rho) == pytest.approx(0.25 + np.arcsin(rho) / (2 * np.pi), abs=1e-15)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.99, 0.99))
def test_the_four_orthants_add_up_to_one(h, k, rho):
    total = sum(distribution(s * h, t * k, s * t * rho) for s in (1, -1) for t in (1, -1))
    assert total == pytest.approx(1.0, abs=1e-13)
