"""prsz18 Algorithms 1 and 2, against the same written out in NumPy, in flat space and on the sphere."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from descent_by_hand import Flat, Round, hessian_descent, second_gd
from earnshaw.descent import HessianDescent, Measured, SecondOrder, Stop, descend, endpoints
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Electrons, Particles, Quadratic, RayleighQuotient

FOREVER = Stop(steps=400, gradient_norm=None)
MATRIX = np.random.default_rng(2).normal(size=(4, 4))
MATRIX = (MATRIX + MATRIX.T) / 2
BENT = np.diag([1.0, 0.5, -2.0])


def double_well():
    return Flat(
        lambda x: (x[0] ** 2 - 1) ** 2 / 4 + np.sum(x[1:] ** 2) / 2,
        lambda x: np.append(x[0] * (x[0] ** 2 - 1), x[1:]),
    )


def visited(landscape, algorithm, x, steps):
    step = jax.jit(lambda state: algorithm.step(landscape, state))
    state = algorithm.init(landscape, jnp.asarray(x), jax.random.key(0))
    states = [state]
    for _ in range(steps):
        states.append(step(states[-1]))
        if int(states[-1].outcome):
            break
    return states


@pytest.mark.parametrize("start", [[0.0, 0.0], [0.3, -0.2], [-0.3, 0.4]])
def test_hessian_descent_is_algorithm_1(start):
    problem, x = double_well(), np.array(start)
    for state in visited(DoubleWell(2), HessianDescent(0.2), start, 6)[1:]:
        x = hessian_descent(problem, x, 0.2)
        np.testing.assert_allclose(state.params, x, atol=1e-8)


def test_hessian_descent_goes_down_where_the_printed_sign_goes_up():
    well, x = DoubleWell(2), jnp.array([0.1, 0.0])
    algorithm = HessianDescent(0.05)
    state = algorithm.init(well, x, jax.random.key(0))
    ahead = algorithm.step(well, state)
    printed = 2 * x - ahead.params  # the same step with β of the other sign
    assert ahead.loss < state.loss < well.loss(printed)


def test_hessian_descent_ends_where_no_curvature_is_negative():
    states = visited(DoubleWell(2), HessianDescent(0.1), [0.9, 0.3], 3)
    assert len(states) == 2
    np.testing.assert_array_equal(states[1].params, states[0].params)
    trajectory = descend(DoubleWell(2), HessianDescent("measured"), jnp.array([[0.0, 0.1]]))
    # 3x² = 1 is where the curvature of the well changes its sign
    assert trajectory.outcome.item() in ("stopped", "stalled")
    assert abs(trajectory.parameters.values[0, 0]) == pytest.approx(3**-0.5, abs=1e-4)


@pytest.mark.parametrize(("alpha", "share"), [(0.1, 0.5), (0.1, 1 / 3), (1.9, 0.5)])
@pytest.mark.parametrize("start", [[0.0, 0.7], [-1.6, 0.2]])
def test_second_order_is_algorithm_2(alpha, share, start):
    algorithm = SecondOrder(alpha, eta=0.05, gamma=0.1, curvature_share=share)
    states = visited(DoubleWell(2), algorithm, start, 200)
    path, returned = second_gd(double_well(), np.array(start), 200, alpha, 0.05, 0.1, share)
    kept = states[:-1] if returned else states
    assert len(kept) == len(path)
    np.testing.assert_allclose(np.array([state.params for state in kept]), path, atol=1e-7)
    if returned:
        np.testing.assert_array_equal(states[-1].params, states[-2].params)


def test_second_order_on_the_sphere_is_algorithm_2():
    values, vectors = np.linalg.eigh(MATRIX)
    start = vectors[:, 2]  # a saddle
    algorithm = SecondOrder(0.05, eta=1e-2, gamma=0.1)
    states = visited(RayleighQuotient(MATRIX), algorithm, start, 400)
    path, returned = second_gd(Round(MATRIX), start, 400, 0.05, 1e-2, 0.1)
    assert returned
    assert len(states) - 1 == len(path)
    # From the saddle itself both sides are equally good.
    ours = np.array([state.params for state in states[:-1]])
    mirrored = path - 2 * np.outer((path - path @ np.outer(start, start)) @ vectors[:, 0], vectors[:, 0])
    assert min(np.max(np.abs(ours - path)), np.max(np.abs(ours - mirrored))) < 1e-6
    assert states[-1].loss == pytest.approx(values[0], abs=1e-3)
    assert states[-1].outcome == 1


def test_the_rule_returns_the_point_before_a_step_that_gains_too_little():
    # On ½x² a gradient step of size α gains x²(α − α²/2); with α = ½ that is 3x²/8, and the rule asks for η²/4.
    algorithm = SecondOrder(0.5, eta=0.1, gamma=10.0)
    states = visited(Quadratic(np.eye(1)), algorithm, [1.0], 50)
    path = [float(state.params[0]) for state in states]
    assert path[-1] == path[-2]
    assert path[-1] < 0.1 <= path[-3]
    assert [3 * x**2 / 8 > 0.1**2 / 4 for x in path[:-2]] == [True] * (len(path) - 2)
    assert states[-1].curvature == pytest.approx(1.0)
    assert states[-1].steps == len(path) - 2


def test_too_large_a_step_stalls_and_a_measured_one_does_not():
    bowl = Quadratic(np.diag([1.0, 5.0]))
    starts = jnp.array([[1.0, 1.0], [0.3, -2.0]])
    stalled = descend(bowl, SecondOrder(0.5, eta=1e-6, gamma=1e-3), starts)
    assert set(stalled.outcome.values) == {"stalled"}
    np.testing.assert_array_equal(endpoints(stalled, bowl), starts)
    found = descend(bowl, SecondOrder("measured", eta=1e-6, gamma=1e-3), starts)
    assert set(found.outcome.values) == {"converged"}
    assert np.all(found.final_gradient_norm < 1e-6)


def test_measured_steps_leave_saddles_in_flat_space_and_on_the_sphere():
    protons = jnp.array([[2.0, 0.0], [-2.0, 0.0]])
    landscape = Particles(potentials.gaussian(), protons, electrons=1, electron_charges=[-1.0])
    saddle = Electrons(jnp.zeros((1, 1, 2)))
    algorithm = SecondOrder(Measured(reach=0.5), eta=1e-7, gamma=1e-4)
    trajectory = descend(landscape, algorithm, saddle, stop=FOREVER)
    assert trajectory.outcome.item() == "converged"
    assert abs(abs(trajectory.positions.values[0, 0, 0]) - 2) < 1e-2
    quotient = RayleighQuotient(MATRIX)
    _, vectors = np.linalg.eigh(MATRIX)
    trajectory = descend(quotient, algorithm, vectors[:, 1:].T, stop=FOREVER)
    np.testing.assert_allclose(trajectory.final_loss, np.linalg.eigvalsh(MATRIX)[0], atol=1e-8)


def test_more_parameters_than_a_dense_decomposition_allows():
    matrix = np.diag(np.append(-0.5, np.linspace(0.1, 2, 99)))
    algorithm = HessianDescent(0.5)
    states = visited(Quadratic(matrix), algorithm, np.full(100, 0.1), 1)
    np.testing.assert_allclose(states[1].params - 0.1, 0.25 * np.eye(100)[0], atol=1e-9)


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: SecondOrder(-0.1, 1e-3, 1e-3), "finite number that is not negative"),
        (lambda: SecondOrder(0.1, float("nan"), 1e-3), "eta must be a finite number"),
        (lambda: SecondOrder(0.1, 1e-3, -1.0), "gamma must be a finite number"),
        (lambda: SecondOrder(0.1, 1e-3, 1e-3, curvature_share="half"), "curvature_share must be a number"),
        (lambda: SecondOrder("mesured", 1e-3, 1e-3), 'or "measured", not'),
        (lambda: HessianDescent(None), "step size must be a number"),
        (lambda: Measured(reach=-1.0), "reach must be a finite number"),
        (lambda: Measured(trials=0), "trials must be a whole number"),
    ],
)
def test_bad_input_is_one_sentence(build, says):
    with pytest.raises(EarnshawError, match=says):
        build()
