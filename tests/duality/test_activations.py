"""Activations: derivatives, facts, Hermite coefficients."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.duality import Activation, Dual, activations, potentials
from earnshaw.errors import EarnshawError

NAMES = sorted(activations.CATALOGUE)
Z = jnp.linspace(-2.9, 3.1, 41)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_slopes_away_from_kinks(name):
    activation = activations.get(name)
    h = 1e-6
    assert np.allclose(activation.derivative(Z), (activation(Z + h) - activation(Z - h)) / (2 * h), atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_stated_symmetries_hold(name):
    activation = activations.get(name)
    sign = {"even": 1, "odd": -1}.get(activation.parity)
    if sign is None:
        assert not np.allclose(activation(-Z), activation(Z))
        assert not np.allclose(activation(-Z), -activation(Z))
    else:
        assert np.allclose(activation(-Z), sign * activation(Z), atol=1e-14)
    if activation.degree is not None:
        assert np.allclose(activation(2.5 * Z), 2.5**activation.degree * activation(Z), atol=1e-12)


@pytest.mark.parametrize("m", [0, 1, 2, 5])
def test_hermite_activations_have_a_monomial_as_dual(m):
    x, y = jnp.array([1.0, 0.0]), jnp.array([0.6, 0.8])
    assert float(Dual(activations.hermite(m))(x, y)) == pytest.approx(0.6**m, abs=1e-14)
    coefficients = activations.hermite(m).hermite_coefficients(8)
    assert np.allclose(coefficients, np.eye(8)[m], atol=1e-13)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(st.floats(-2, 2), min_size=1, max_size=6))
def test_a_hermite_sum_has_the_coefficients_it_was_made_of(coefficients):
    activation = activations.from_hermite(tuple(coefficients))
    found = activation.hermite_coefficients(len(coefficients) + 2)
    assert np.allclose(found, [*coefficients, 0.0, 0.0], atol=1e-12)
    rho = 0.37
    x, y = jnp.array([1.0, 0.0]), jnp.array([rho, np.sqrt(1 - rho**2)])
    expected = sum(c**2 * rho**n for n, c in enumerate(coefficients))
    assert float(Dual(activation).on_sphere()(x, y)) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("name", ["tanh", "softplus", "erf"])
def test_hermite_coefficients_sum_to_the_second_moment(name):
    activation = activations.get(name)
    coefficients = activation.hermite_coefficients(160, scale=0.8)
    phi = Dual(activation)
    assert np.sum(coefficients**2) == pytest.approx(float(phi.self_energy(jnp.array([[0.8]]))[0]), rel=1e-12)


@pytest.mark.parametrize("name", ["relu", "quadratic", "tanh", "erf"])
def test_scaling_an_activation_scales_its_dual_twice(name):
    x, y = jnp.array([0.6, 0.1]), jnp.array([0.3, 0.4])
    scaled = activations.get(name).scaled(3.0)
    assert float(scaled(jnp.array(0.7))) == pytest.approx(3 * float(activations.get(name)(jnp.array(0.7))))
    assert float(Dual(scaled)(x, y)) == pytest.approx(9 * float(Dual(name)(x, y)), rel=1e-11)


def test_a_users_own_function_works_wherever_a_name_does():
    x, y = jnp.array([0.6, 0.1]), jnp.array([0.3, 0.4])
    own = Activation(lambda z: jnp.tanh(z), name="mine")
    assert float(Dual(own)(x, y)) == pytest.approx(float(Dual("tanh")(x, y)), rel=1e-12)
    assert float(Dual(jnp.tanh)(x, y)) == pytest.approx(float(Dual("tanh")(x, y)), rel=1e-12)


def test_equal_settings_make_equal_activations():
    assert activations.leaky_relu(0.1) == activations.leaky_relu(0.1)
    assert hash(activations.hermite(3)) == hash(activations.hermite(3))
    assert activations.leaky_relu(0.1) != activations.leaky_relu(0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: activations.get("tahn"), "did you mean 'tanh'"),
        (lambda: activations.get("relu", slope=1.0), "unknown setting of the activation 'relu' 'slope'"),
        (lambda: activations.get("gaussian"), "function of x − θ"),
        (lambda: Dual(activations.bessel(2)), "function of x − θ"),
        (lambda: activations.hermite(-1), "whole number from 0 to 30"),
        (lambda: activations.from_powers(()), "at least one coefficient"),
        (lambda: activations.from_hermite((float("inf"),)), "finite"),
        (lambda: activations.relu().hermite_coefficients(0), "from 1 to 2048"),
        (lambda: Activation(jnp.log, "log"), "is not finite at z = -3"),
        (lambda: Activation("relu"), "needs a scalar JAX function"),
        (lambda: Activation(lambda z: np.sin(np.asarray(z)), "numpy"), "cannot be applied|one number"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_nan_from_an_activation_is_reported_with_its_place():
    with pytest.raises(EarnshawError, match="not finite"):
        Dual(Activation(lambda z: jnp.where(jnp.abs(z) > 5, jnp.nan, z), "holed"))


def test_activations_of_differences_have_the_potentials_of_their_names():
    radii = np.array([0.3, 1.0, 2.5])
    assert activations.gaussian(2).check(potentials.gaussian().profile, radii) < 1e-9
    assert activations.bessel(2).check(potentials.bessel().profile, radii) < 1e-9


def test_activations_apply_elementwise_under_jit():
    for name in NAMES:
        activation = activations.get(name)
        assert jax.jit(activation)(Z.reshape(1, -1)).shape == (1, Z.size)
