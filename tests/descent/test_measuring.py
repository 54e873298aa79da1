"""Step sizes that are measured where the step goes, and the direction of least curvature."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent.curvature import DENSE, least_curvature, only_if
from earnshaw.descent.measuring import Line, measured_size, promised_decrease
from earnshaw.descent.step_sizes import Constant, Decaying, Measured, described
from earnshaw.duality.radial import Radial
from earnshaw.landscapes import Electrons, Particles, Quadratic, RayleighQuotient

YES = jnp.array(True)
UNKNOWN = jnp.zeros(2)


def trial_of(landscape, x, direction, speed, curving=False, guess=UNKNOWN, reach=10.0):
    line = Line(direction, jnp.asarray(speed), jnp.asarray(curving))
    size = jax.jit(lambda line, guess: measured_size(Measured(reach), landscape, x, line, guess, YES))
    return size(line, guess)


@pytest.mark.parametrize("curvature", [0.25, 4.0])
def test_against_a_gradient_the_step_is_one_over_the_largest_curvature_along_it(curvature):
    bowl, x = Quadratic(np.diag([curvature, 100.0])), jnp.array([1.0, 0.0])
    trial = trial_of(bowl, x, jnp.array([-1.0, 0.0]), curvature)
    assert bool(trial.accepted)
    assert trial.bounds[0] == pytest.approx(curvature, rel=1e-9)
    # No other direction counts, so the step can lead to the minimum at once.
    assert 0.5 / curvature <= trial.size <= 1.000002 / curvature


def test_along_a_curvature_the_step_is_one_over_the_third_derivative():
    class Cubic(Quadratic):
        def loss(self, params):
            return -(params[0] ** 2) + 7 * params[0] ** 3 / 6

    trial = trial_of(Cubic(np.eye(1)), jnp.zeros(1), jnp.array([-1.0]), 2.0, curving=True)
    assert trial.bounds[1] == pytest.approx(7.0, rel=1e-6)
    assert trial.size <= 1.00001 / 7
    # That way the cubic term helps; the other way it hurts as much as the lemma allows for.
    trial = trial_of(Cubic(np.eye(1)), jnp.zeros(1), jnp.array([1.0]), 2.0, curving=True)
    fall = 2.0**2 * trial.size**2 - 7 * (2 * trial.size) ** 3 / 6
    line = Line(jnp.ones(1), jnp.asarray(2.0), YES)
    assert bool(trial.accepted)
    assert fall >= promised_decrease(line, trial.size) * (1 - 1e-5)


def test_half_of_alpha_squared_gamma_cubed_is_more_than_the_lemma_can_promise():
    # −γx²/2 + B₃x³/6 at x = αγ with α = 1/B₃: the fall is exactly α²γ³/3.
    gamma, third = 0.8, 5.0
    x = gamma / third
    fall = gamma * x**2 / 2 - third * x**3 / 6
    promised = promised_decrease(Line(jnp.ones(1), jnp.asarray(gamma), YES), jnp.asarray(1 / third))
    assert fall == pytest.approx(float(promised), rel=1e-12)
    assert fall < gamma**3 / third**2 / 2


def test_no_step_leads_across_a_cusp():
    cusp = Particles(Radial(lambda r: jnp.exp(-r)), [[0.0]], electron_charges=[-1.0])
    for x in (1.0, 1e-3, 1e-6):
        params = Electrons(jnp.array([[x]]))
        gradient = cusp.gradient(params).positions[0, 0]
        trial = trial_of(cusp, params, Electrons(jnp.array([[-1.0]])), gradient)
        assert 0 < trial.size * gradient < 2 * x


def test_a_step_that_nobody_needs_costs_nothing_and_is_none():
    bowl = Quadratic(np.eye(1))
    line = Line(jnp.ones(1), jnp.asarray(1.0), jnp.array(False))
    trial = measured_size(Measured(), bowl, jnp.ones(1), line, jnp.array([3.0, 4.0]), jnp.array(False))
    assert trial.size == 0
    assert not trial.accepted
    assert trial.bounds.tolist() == [3.0, 4.0]


def test_uphill_no_size_is_allowed():
    trial = trial_of(Quadratic(np.eye(1)), jnp.ones(1), jnp.array([1.0]), 1.0)
    assert not trial.accepted
    assert trial.size == 0


@pytest.mark.parametrize("size", [DENSE // 2, 2 * DENSE])
def test_least_curvature_dense_and_by_lanczos(size):
    random = np.random.default_rng(size)
    values = np.append(-1.5, random.uniform(-1, 3, size - 1))
    q, _ = np.linalg.qr(random.normal(size=(size, size)))
    matrix = q @ np.diag(values) @ q.T
    pair = jax.jit(lambda x: least_curvature(Quadratic(matrix), x))(jnp.zeros(size))
    assert pair.value == pytest.approx(-1.5, abs=1e-9)
    assert pair.residual < 1e-8
    vector = q[:, 0] * np.sign(q[np.argmax(np.abs(q[:, 0])), 0])
    np.testing.assert_allclose(pair.vector, vector, atol=1e-6)
    x = q[:, 1]  # on the sphere: 2(λ₀ − λ₁) at the eigenvector of λ₁
    pair = jax.jit(lambda x: least_curvature(RayleighQuotient(matrix), x))(jnp.asarray(x))
    assert pair.value == pytest.approx(2 * (-1.5 - values[1]), abs=1e-8)
    np.testing.assert_allclose(np.abs(pair.vector @ vector), 1, atol=1e-8)
    assert abs(pair.vector @ x) < 1e-8


def test_only_if_computes_for_those_who_need_it():
    square = jax.vmap(lambda needed, x: only_if(needed, lambda: x**2))
    assert square(jnp.array([True, False]), jnp.array([3.0, 3.0])).tolist() == [9.0, 0.0]


def test_the_words_for_a_step_size():
    assert described(Measured()) == "measured on the path"
    assert described(Constant(0.25)) == "constant 0.25"
    assert described(Decaying(0.1)) == "a schedule"
