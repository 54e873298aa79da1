"""Gaussian inputs conditioned on a ball: their law, for balls of every size."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.stats

from earnshaw.errors import EarnshawError
from earnshaw.landscapes import truncated_gaussian
from earnshaw.landscapes.truncated import _log_gamma_cdf

N = 4000


@pytest.mark.parametrize("d", [1, 5])
def test_lengths_have_the_truncated_chi_law_and_directions_are_uniform(d):
    for radius in (0.1, 1.5, 100.0):
        x = np.asarray(truncated_gaussian(jax.random.key(d), N, d, radius))
        lengths = np.linalg.norm(x, axis=1)
        assert lengths.max() <= radius
        law = scipy.stats.chi2(d)
        assert scipy.stats.kstest(law.cdf(lengths**2) / law.cdf(radius**2), "uniform").pvalue > 1e-3
        directions = x / lengths[:, None]
        assert np.abs(directions.T @ directions / N - np.eye(d) / d).max() < 5 / np.sqrt(N)


def test_an_infinite_ball_gives_the_gaussian():
    x = np.asarray(truncated_gaussian(jax.random.key(0), N, 3, np.inf))
    assert scipy.stats.kstest(x.ravel(), "norm").pvalue > 1e-3


def test_balls_of_hardly_any_probability_are_filled_uniformly():
    for radius in (1e-300, 1e-8):
        x = np.asarray(truncated_gaussian(jax.random.key(1), N, 5, radius)) / radius
        lengths = np.linalg.norm(x, axis=1)
        assert scipy.stats.kstest(lengths**5, "uniform").pvalue > 1e-3


def test_the_radius_may_be_traced():
    sample = jax.jit(lambda radius: truncated_gaussian(jax.random.key(0), 10, 5, radius))
    np.testing.assert_allclose(sample(1.5), truncated_gaussian(jax.random.key(0), 10, 5, 1.5), rtol=1e-12)


@pytest.mark.parametrize("a", [0.5, 2.5, 50.0, 500.0])
def test_logarithm_of_the_distribution_function(a):
    x = a * np.array([1e-12, 1e-3, 0.2, 0.49, 0.51, 0.9, 1.5])
    with mpmath.workdps(40):
        exact = [float(mpmath.log(mpmath.gammainc(a, 0, t, regularized=True))) for t in x]
    np.testing.assert_allclose(_log_gamma_cdf(a, jnp.log(x)), exact, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("n", "d", "radius"), [(0, 2, 1.0), (5, 0, 1.0), (5, 2, 0.0), (5, 2, -1.0), (5, 2, np.nan)])
def test_bad_input_is_refused(n, d, radius):
    with pytest.raises(EarnshawError):
        truncated_gaussian(jax.random.key(0), n, d, radius)
