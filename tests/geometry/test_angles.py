"""Angles against 60-digit arithmetic, and at the places where the textbook formula breaks."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.test_util import check_grads

from earnshaw.geometry import angle, normalise, pairwise_angles, pairwise_distances, rejection, safe_norm

FAST_ANGLE = jax.jit(angle)
DERIVATIVES = jax.jit(lambda u, v: (jax.grad(angle, (0, 1))(u, v), jax.hessian(angle, (0, 1))(u, v)))


def exact_angle(u, v):
    with mpmath.workdps(80):
        u, v = ([mpmath.mpf(float(t)) for t in x] for x in (u, v))
        dot = sum(a * b for a, b in zip(u, v, strict=True))
        squares = sum(a * a for a in u) * sum(b * b for b in v)
        return mpmath.atan2(mpmath.sqrt(squares - dot * dot), dot)


def relative_error(computed, u, v, from_pi=False):
    with mpmath.workdps(80):
        exact = exact_angle(u, v)
        return float(abs(mpmath.mpf(float(computed)) - exact) / (mpmath.pi - exact if from_pi else exact))


def pair_at(theta, ratio, d, seed):
    rng = np.random.default_rng(seed)
    u, p = rng.normal(size=(2, d))
    u /= np.linalg.norm(u)
    p -= (p @ u) * u
    p /= np.linalg.norm(p)
    return 1.7 * u, 1.7 * ratio * (np.cos(theta) * u + np.sin(theta) * p)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    exponent=st.floats(-9.0, 0.4),
    ratio=st.floats(1e-3, 1e3),
    seed=st.integers(0, 10**6),
)
def test_small_angles_have_twelve_digits(exponent, ratio, seed):
    u, v = pair_at(10.0**exponent, ratio, 5, seed)
    assert relative_error(FAST_ANGLE(u, v), u, v) < 1e-12


@pytest.mark.parametrize("theta", [1e-12, 1e-15])
def test_smaller_angles_lose_digits_gracefully(theta):
    for seed in range(10):
        u, v = pair_at(theta, 1.3, 5, seed)
        assert relative_error(FAST_ANGLE(u, v), u, v) < 1e-24 / theta**2 * 10


def test_angles_near_pi_are_right_to_rounding():
    for seed in range(10):
        u, v = pair_at(np.pi - 1e-9, 2.3, 5, seed)
        assert abs(float(FAST_ANGLE(u, v)) - float(exact_angle(u, v))) < 1e-15


@settings(deadline=None, derandomize=True, max_examples=30)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-300, 1e-5, 1.0, 1e300]))
def test_symmetry_scale_and_supplement(seed, scale):
    u, v = np.random.default_rng(seed).normal(size=(2, 5))
    theta = FAST_ANGLE(u, v)
    np.testing.assert_allclose(FAST_ANGLE(v, u), theta, rtol=1e-14)
    np.testing.assert_allclose(FAST_ANGLE(scale * u, v), theta, rtol=1e-13)
    np.testing.assert_allclose(FAST_ANGLE(-u, v), np.pi - theta, rtol=1e-13)


@pytest.mark.parametrize("value", ["coincident", "opposite", "zero", "both zero"])
def test_degenerate_pairs_have_a_value_and_finite_derivatives(value):
    u = jnp.array([1.0, 2.0, 3.0])
    pairs = {
        "coincident": (u, 2 * u, 0.0),
        "opposite": (u, -u, np.pi),
        "zero": (jnp.zeros(3), u, np.pi / 2),
        "both zero": (jnp.zeros(3), jnp.zeros(3), np.pi / 2),
    }
    a, b, expected = pairs[value]
    assert float(FAST_ANGLE(a, b)) == pytest.approx(expected, abs=1e-15)
    gradients, hessians = DERIVATIVES(a, b)
    for gradient in gradients:
        assert jnp.array_equal(gradient, jnp.zeros(3))
    assert all(jnp.all(jnp.isfinite(block)) for row in hessians for block in row)


def test_derivatives_match_finite_differences():
    u, v = (jnp.array(x) for x in pair_at(0.7, 1.4, 3, 0))

    @jax.jit
    def everything(a, b):
        return angle(a, b) + jnp.sum(rejection(a, b) ** 3) + jnp.sum(normalise(a) ** 3) + safe_norm(b) ** 3

    # finite differences step outside of JAX, so their points come back as NumPy's
    check_grads(lambda a, b: everything(jnp.asarray(a), jnp.asarray(b)), (u, v), order=2, modes=("rev",), rtol=1e-6)


def test_gradient_is_a_unit_vector_over_the_length_at_a_tiny_angle():
    u, v = (jnp.array(x) for x in pair_at(1e-9, 1.0, 3, 3))
    gradient = DERIVATIVES(u, v)[0][0]
    np.testing.assert_allclose(safe_norm(gradient) * safe_norm(u), 1, rtol=1e-12)
    np.testing.assert_allclose(gradient @ u, 0, atol=1e-12)


def test_broadcasting_and_pairs_agree_with_single_calls():
    x, y = np.random.default_rng(1).normal(size=(2, 4, 3))
    table = jax.jit(pairwise_angles)(x, y[:2])
    distances = jax.jit(pairwise_distances)(x, y[:2])
    for i in range(4):
        for j in range(2):
            np.testing.assert_allclose(table[i, j], FAST_ANGLE(x[i], y[j]), rtol=1e-14)
            np.testing.assert_allclose(distances[i, j], np.linalg.norm(x[i] - y[j]), rtol=1e-14)


def test_safe_norm_at_the_ends_of_the_range_of_numbers():
    everything = jax.jit(lambda x: (safe_norm(x), normalise(x), jax.grad(safe_norm)(x), jax.hessian(safe_norm)(x)))
    for size in (1e-300, 1e-160, 1e160, 1e300):
        length, direction, gradient, _ = everything(np.array([3.0, -4.0]) * size)
        np.testing.assert_allclose(length, 5 * size, rtol=1e-14)
        np.testing.assert_allclose(direction, [0.6, -0.8], rtol=1e-14)
        np.testing.assert_allclose(gradient, [0.6, -0.8], rtol=1e-14)
    length, direction, gradient, hessian = everything(np.zeros(2))
    assert length == 0
    assert jnp.array_equal(direction, jnp.array([1.0, 0.0]))
    assert not np.any(gradient)
    assert not np.any(hessian)


def test_distance_of_coincident_rows_has_zero_gradient():
    x = jnp.array([[1.0, 2.0], [1.0, 2.0]])
    gradient = jax.jit(jax.grad(lambda a: jnp.sum(pairwise_distances(a, x))))(x)
    assert jnp.array_equal(gradient, jnp.zeros_like(x))


def test_single_precision_keeps_its_type_and_its_digits():
    u = jnp.array([1.0, 0.0], dtype=jnp.float32)
    v = jnp.array([1.3, 1e-6], dtype=jnp.float32)
    assert rejection(v, u).dtype == jnp.float32
    np.testing.assert_allclose(angle(u, v), 1e-6 / 1.3, rtol=1e-6)
