"""The dual of every activation against independent integrals, differences and Monte Carlo."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from earnshaw.duality import Activation, Dual, activations
from earnshaw.duality.closed_forms import ClosedForm
from earnshaw.errors import EarnshawError

NAMES = sorted(activations.CATALOGUE)
ROUGH = {"sign": 0.0, "step": 0.0, "relu": 0.0, "leaky_relu": 0.0}
X = np.array([0.6, 0.3, -0.2, 0.3])
Y = np.array([0.4, -1.0, 0.9, -0.7])


def points(bias):
    return (jnp.array(X), jnp.array(Y)) if bias else (jnp.array(X[:3]), jnp.array(Y[:3]))


def conditional_quadrature(activation, x, y, bias):
    """E σ(u)σ(v) by adaptive quadrature over u and, inside, over v given u, with breaks at the kinks."""
    (w, a), (v, b) = ((x[:-1], x[-1]), (y[:-1], y[-1])) if bias else ((x, 0.0), (y, 0.0))
    s, c = np.linalg.norm(w), w @ v
    spread = np.sqrt(v @ v - c**2 / s**2)
    function = np.vectorize(jax.jit(lambda z: activation(z)), otypes=[float])
    nodes, weights = np.polynomial.legendre.leggauss(120)

    def inner(mean):
        kink = -mean / spread
        cuts = sorted({-11.0, min(max(kink, -11.0), 11.0), 11.0})
        total = 0.0
        for low, high in itertools.pairwise(cuts):
            z = (high + low) / 2 + (high - low) / 2 * nodes
            density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
            total += (high - low) / 2 * np.sum(weights * density * np.asarray(activation(jnp.array(mean + spread * z))))
        return total

    def outer(z):
        return float(function(s * z + a)) * inner(b + c / s * z) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

    nodes_out, weights_out = np.polynomial.legendre.leggauss(60)
    cuts = sorted({-11.0, min(max(-a / s, -11.0), 11.0), 11.0})
    total = 0.0
    for low, high in itertools.pairwise(cuts):
        z = (high + low) / 2 + (high - low) / 2 * nodes_out
        total += (high - low) / 2 * np.sum(weights_out * np.array([outer(t) for t in z]))
    return total


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_the_dual_is_the_gaussian_expectation(name, bias):
    phi = Dual(name, bias=bias, max_norm=2.0)
    x, y = points(bias)
    expected = conditional_quadrature(phi.activation, np.asarray(x), np.asarray(y), bias)
    assert float(phi(x, y)) == pytest.approx(expected, abs=3e-12)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_gradients_means_and_self_energies_follow_from_the_dual(name, bias):
    phi = Dual(name, bias=bias, max_norm=2.0)
    x, y = points(bias)
    value = jax.jit(phi)
    h = 1e-5
    differences = [(value(x + h * e, y) - value(x - h * e, y)) / (2 * h) for e in np.eye(x.size)]
    assert np.allclose(jax.jit(jax.grad(phi))(x, y), differences, atol=1e-8)
    assert float(phi.self_energy(x[None])[0]) == pytest.approx(float(phi(x, x)), abs=1e-12)
    # σ(v) = 1 at a unit with no weights and a bias makes the mean a dual with the constant activation
    s, a = float(jnp.linalg.norm(x[:3])), float(x[3]) if bias else 0.0

    def integrand(z):
        return float(phi.activation(jnp.array(s * z + a))) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

    expected = quad(integrand, -12, 12, points=[-a / s], epsabs=1e-11)[0]
    assert float(phi.mean(x[None])[0]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_sphere_form_agrees_with_the_dual_at_unit_norm(name):
    x, y = jnp.array([0.6, 0.8, 0.0]), jnp.array([0.0, 0.6, -0.8])
    phi = Dual(name)
    assert float(phi.on_sphere()(x, y)) == pytest.approx(float(phi(x, y)), abs=1e-13)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.sampled_from(["relu", "erf", "gelu", "softplus", "quadratic"]), st.integers(0, 2**31))
def test_the_dual_is_symmetric_rotation_invariant_and_positive(name, seed):
    rng = np.random.default_rng(seed)
    x = jnp.array(rng.normal(size=(5, 3)) / 3)
    rotation = jnp.array(np.linalg.qr(rng.normal(size=(3, 3)))[0])
    phi = Dual(name, max_norm=1.5)
    matrix = phi.matrix(x, x)
    assert np.allclose(matrix, matrix.T, atol=1e-13)
    assert np.allclose(phi.matrix(x @ rotation, x @ rotation), matrix, atol=1e-11)
    assert np.min(np.linalg.eigvalsh(np.asarray(matrix))) > -1e-12


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.sampled_from(["relu", "leaky_relu", "sign", "quadratic", "linear"]), st.floats(0.1, 10.0))
def test_homogeneous_activations_scale_by_their_degree(name, factor):
    activation = activations.get(name)
    phi = Dual(activation)
    x, y = points(False)
    assert float(phi(factor * x, y)) == pytest.approx(factor**activation.degree * float(phi(x, y)), rel=1e-11)


def test_the_relu_dual_agrees_with_monte_carlo():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(400_000, 3))
    products = np.maximum(z @ X[:3] + X[3], 0) * np.maximum(z @ Y[:3] + Y[3], 0)
    error = products.std() / np.sqrt(len(products))
    assert abs(float(Dual("relu", bias=True)(*points(True))) - products.mean()) < 4 * error


@pytest.mark.parametrize(
    ("name", "form"), [("relu", "closed"), ("erf", "closed"), ("gelu", "closed"), ("sin", "closed")]
)
def test_closed_forms_agree_with_the_series_of_the_same_function(name, form):
    activation = activations.get(name)
    assert isinstance(Dual(activation).rule, ClosedForm)
    tolerance = 2e-2 if name == "relu" else 1e-12
    series = Dual(Activation(activation.function, name), tolerance=tolerance, max_norm=1.5)
    x, y = points(False)
    # away from parallel vectors a truncated series is far better than its guarantee
    assert float(series(x, y)) == pytest.approx(float(Dual(name)(x, y)), abs=1e-9 if name == "relu" else 1e-12)


@pytest.mark.parametrize("m", [12, 25, 30])
def test_hermite_polynomials_of_high_degree_keep_their_digits_at_any_norm(m):
    # hₘ(sz) = Σ √(m!/n!)/(k! 2ᵏ) sⁿ(s² − 1)ᵏ hₙ(z) with n = m − 2k, in which the powers of z do not appear
    def coefficient(n, s):
        k = (m - n) // 2
        return math.sqrt(math.factorial(m) // math.factorial(n)) / math.factorial(k) / 2**k * s**n * (s * s - 1) ** k

    phi = Dual(activations.hermite(m), max_norm=1.5)
    for s, t, rho in ((1.0, 1.0, 0.37), (0.7, 1.2, 0.37), (1.0, 0.5, -0.8)):
        x, y = jnp.array([s, 0.0]), t * jnp.array([rho, (1 - rho**2) ** 0.5])
        expected = math.fsum(coefficient(n, s) * coefficient(n, t) * rho**n for n in range(m % 2, m + 1, 2))
        scale = jnp.sqrt(phi(x, x) * phi(y, y))
        assert float(phi(x, y)) == pytest.approx(expected, abs=1e-11 * float(scale))


def test_the_truncation_error_is_below_the_tolerance_and_bounds_the_error():
    exact, coarse = Dual("tanh", max_norm=1.5), Dual("tanh", tolerance=1e-4, max_norm=1.5)
    assert exact.truncation_error <= 1e-12
    assert coarse.truncation_error <= 1e-4
    assert coarse.rule.terms < exact.rule.terms
    x = jnp.array([[0.9, 0.5], [1.2, -0.3]])
    scale = jnp.sqrt(exact.self_energy(x)[:, None] * exact.self_energy(x)[None, :])
    error = jnp.abs(coarse.matrix(x, x) - exact.matrix(x, x)) / scale
    assert 0 < float(jnp.max(error)) <= coarse.truncation_error


def test_concrete_points_of_any_norm_are_accurate_and_traced_ones_beyond_the_range_are_nan():
    phi = Dual("softplus")
    x, y = jnp.array([3.0, 1.0]), jnp.array([0.5, 4.0])
    assert float(phi(x, y)) == pytest.approx(conditional_quadrature(phi.activation, np.array(x), np.array(y), False))
    assert np.isnan(float(jax.jit(phi)(x, y)))
    resolved = phi.resolved_for(4.1)
    assert float(jax.jit(resolved)(x, y)) == pytest.approx(float(phi(x, y)), rel=1e-12)
    assert resolved.resolved_for(4.0) is resolved


def test_an_activation_too_rough_for_the_tolerance_is_refused_with_the_tolerance_reached():
    with pytest.raises(EarnshawError, match=r"ask for a tolerance above \d\.\de-\d\d"):
        Dual(Activation(lambda z: jnp.abs(z) ** 1.5, "rough"))
    rough = Dual(Activation(lambda z: jnp.abs(z) ** 1.5, "rough"), tolerance=1e-3)
    assert rough.rule.smooth_order == 1
    x, y = jnp.array([0.6, 0.0]), jnp.array([0.3, 0.4])
    h = 1e-5
    difference = (rough(x + jnp.array([h, 0]), y) - rough(x - jnp.array([h, 0]), y)) / (2 * h)
    assert float(jax.grad(rough)(x, y)[0]) == pytest.approx(float(difference), rel=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"activation": "rellu"}, "did you mean 'relu'"),
        ({"activation": "relu", "tolerance": 0.0}, "tolerance of a dual must be between"),
        ({"activation": "relu", "tolerance": -1.0}, "tolerance of a dual must be between"),
        ({"activation": "relu", "max_norm": float("nan")}, "largest norm"),
        ({"activation": lambda z: jnp.stack([z, z])}, "must return one number"),
        ({"activation": lambda z: z / 0.0}, "is not finite at z"),
        ({"activation": lambda z: z @ z}, "cannot be applied to one number"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        Dual(**arguments)
    assert "\n" not in str(caught.value)
