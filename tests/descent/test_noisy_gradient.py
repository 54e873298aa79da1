import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from earnshaw import probes
from earnshaw.descent import Every, NoisyGradient, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Quadratic, RayleighQuotient

SIZE, EPSILON = 0.05, 0.3


def one_step(landscape, algorithm, x, starts):
    """The point after one step from x, for several keys."""
    trajectory = descend(landscape, algorithm, np.tile(x, (starts, 1)), stop=Stop(steps=1, gradient_norm=None))
    return np.asarray(endpoints(trajectory, landscape))


def hitting_times_in_numpy(starts, seed):
    """zps17 Algorithm 4 on the double well, from its saddle, written down once more."""
    rng = np.random.default_rng(seed)
    times = []
    for _ in range(starts):
        x = np.zeros(2)
        for step in range(1, 10_001):
            n = rng.normal(size=2)
            x = x - SIZE * (np.array([x[0] * (x[0] ** 2 - 1), x[1]]) + n / np.linalg.norm(n))
            gradient = np.array([x[0] * (x[0] ** 2 - 1), x[1]])
            curvature = min(3 * x[0] ** 2 - 1, 1.0)
            if np.linalg.norm(gradient) <= 2 * EPSILON / 3 and curvature >= -2 * EPSILON / 3:
                times.append(step)
                break
    return np.array(times)


def test_the_noise_is_uniform_on_the_unit_sphere_whatever_the_gradient():
    landscape = Quadratic(np.diag([2.0, -1.0, 0.5]))
    x = np.array([0.3, -1.0, 2.0])
    ends = one_step(landscape, NoisyGradient(0.1, epsilon=1e-3), x, 4000)
    noise = (x - ends) / 0.1 - np.asarray(landscape.gradient(jnp.asarray(x)))
    np.testing.assert_allclose(np.linalg.norm(noise, axis=1), 1, rtol=1e-12)
    # Each coordinate of a uniform point of S² is uniform on [−1, 1] (Archimedes), and any two are uncorrelated.
    for coordinate in noise.T:
        assert stats.kstest(coordinate, stats.uniform(-1, 2).cdf).pvalue > 1e-3
    assert np.abs(noise.T @ noise / 4000 - np.eye(3) / 3).max() < 4 / 3 / np.sqrt(4000)


def test_it_stops_where_the_printed_algorithm_stops_and_takes_as_long():
    algorithm = NoisyGradient(SIZE, epsilon=EPSILON)
    trajectory = descend(DoubleWell(2), algorithm, np.zeros((400, 2)), probes=[probes.almost_critical(epsilon=EPSILON)])
    assert set(trajectory.outcome.values) == {"converged"}
    assert trajectory.almost_critical[:, -1].values.all()
    assert stats.ks_2samp(trajectory.steps.values, hitting_times_in_numpy(400, 0)).pvalue > 1e-3


def test_it_reports_failure_after_its_last_step():
    landscape = DoubleWell(2)
    trajectory = descend(landscape, NoisyGradient(1e-3, epsilon=0.1, steps=20), np.zeros((3, 2)))
    assert set(trajectory.outcome.values) == {"failed"}
    assert set(trajectory.steps.values) == {20}


def test_it_passes_a_saddle_that_is_only_small_in_gradient():
    # At the saddle the gradient is 0 and λ_min = −1, so a small gradient alone must not end it.
    trajectory = descend(
        DoubleWell(2), NoisyGradient("measured", epsilon=0.1), np.zeros((8, 2)),
        probes=[probes.almost_critical(epsilon=0.1)], schedule=Every(1),
    )  # fmt: skip
    assert not trajectory.almost_critical[:, 0].values.any()
    assert set(trajectory.outcome.values) == {"converged"}
    np.testing.assert_allclose(np.abs(endpoints(trajectory, DoubleWell(2))[:, 0]), 1, atol=0.1)


@pytest.mark.slow
def test_on_the_sphere_a_step_is_projected_and_the_least_eigenvector_is_found():
    landscape = RayleighQuotient(np.diag([1.0, 2.0, 4.0]))
    x = np.array([0.0, 0.6, 0.8])
    ends = one_step(landscape, NoisyGradient(0.1, epsilon=1e-3), x, 50)
    # The ends must be the projections of a ball's surface: x − αg − α·(unit vector) up to a positive factor.
    centre = x - 0.1 * np.asarray(landscape.gradient(jnp.asarray(x)))
    towards = ends @ centre
    distance = np.sqrt(centre @ centre - towards**2)
    assert (distance <= 0.1 + 1e-12).all()
    assert distance.max() > 0.08
    trajectory = descend(landscape, NoisyGradient("measured", epsilon=0.3), 6)
    assert set(trajectory.outcome.values) == {"converged"}
    assert (np.abs(endpoints(trajectory, landscape)[:, 0]) > 0.99).all()


def test_a_measured_step_is_the_best_one_for_the_largest_curvature():
    curvatures = np.array([3.0, -5.0, 1.0])
    landscape = Quadratic(np.diag(curvatures))
    algorithm = NoisyGradient("measured", epsilon=1e-2)
    x = jnp.array([0.1, 0.02, -0.3])
    step = eqx.filter_jit(algorithm.step)
    state = algorithm.init(landscape, x, jax.random.key(0))
    for _ in range(60):  # while the power method learns the curvature
        state = step(landscape, state)
    after = step(landscape, state)
    gradient = float(state.gradient_norm)
    square = max(gradient, 2e-2 / 3) ** 2
    assert after.bound == pytest.approx(5.0, rel=1e-6)
    assert after.step_size == pytest.approx(min(square / (5 * (square + 1)), 1 / (gradient + 1)), rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"epsilon": -1.0}, "epsilon must be a finite number"),
        ({"epsilon": 0.1, "steps": 0}, "steps must be a whole number"),
        ({"epsilon": 0.1, "noise": float("nan")}, "the noise must be a finite number"),
        ({"epsilon": 0.1, "step_size": -1.0}, "the step size must be a finite number"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        NoisyGradient(**{"step_size": 0.1, **settings})


def test_a_membership_needs_a_number():
    with pytest.raises(EarnshawError, match="epsilon must be a finite number"):
        probes.almost_critical(epsilon=-1.0)
