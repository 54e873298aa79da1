"""Uniform laws, against their exact moments and distribution functions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from earnshaw.geometry import Sphere, uniform_ball, uniform_sphere

N = 20_000


@pytest.mark.parametrize("d", [1, 2, 5])
def test_uniform_points_of_the_sphere_have_the_right_moments(d):
    x = np.asarray(uniform_sphere(jax.random.key(d), (N, d)))
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, rtol=1e-14)
    # E x = 0, E x xᵀ = I/d, E x₁⁴ = 3/(d(d + 2)), each within 5 standard errors of a bounded variable
    band = 5 / np.sqrt(N)
    assert np.abs(x.mean(axis=0)).max() < band
    assert np.abs(x.T @ x / N - np.eye(d) / d).max() < band
    assert abs(np.mean(x[:, 0] ** 4) - 3 / (d * (d + 2))) < band


def test_first_coordinate_on_the_two_sphere_is_uniform():
    """Archimedes: the area of a zone depends on its height alone."""
    x = np.asarray(Sphere().uniform(jax.random.key(0), (N, 3)))[:, 0]
    assert scipy.stats.kstest(x, scipy.stats.uniform(-1, 2).cdf).pvalue > 1e-3


@pytest.mark.parametrize("d", [1, 3, 8])
def test_uniform_points_of_the_ball(d):
    x = np.asarray(uniform_ball(jax.random.key(d), (N, d), radius=2.5))
    lengths = np.linalg.norm(x, axis=1)
    assert scipy.stats.kstest((lengths / 2.5) ** d, "uniform").pvalue > 1e-3
    directions = x / lengths[:, None]
    assert np.abs(directions.T @ directions / N - np.eye(d) / d).max() < 5 / np.sqrt(N)


def test_shapes_and_keys():
    key = jax.random.key(3)
    assert uniform_ball(key, (2, 4, 3)).shape == (2, 4, 3)
    assert uniform_sphere(key, (3,)).shape == (3,)
    assert jnp.array_equal(uniform_ball(key, (5, 2)), uniform_ball(key, (5, 2)))
    assert not jnp.array_equal(uniform_ball(key, (5, 2)), uniform_ball(jax.random.key(4), (5, 2)))
