import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg

from earnshaw.descent import GradientFlow, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes import Landscape, Quadratic, RayleighQuotient

FOREVER = {"gradient_norm": None, "divergence": None}
RANDOM = np.random.default_rng(0).normal(size=(4, 4))
SYMMETRIC = RANDOM + RANDOM.T


def test_on_a_quadratic_it_is_the_matrix_exponential():
    landscape = Quadratic(SYMMETRIC)
    x = np.random.default_rng(1).normal(size=(3, 4))
    trajectory = descend(landscape, GradientFlow(0.25), x, stop=Stop(steps=8, **FOREVER))
    expected = x @ scipy.linalg.expm(-2.0 * SYMMETRIC)
    np.testing.assert_allclose(endpoints(trajectory, landscape), expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(trajectory.final_time, 2.0, rtol=1e-14)


def test_on_the_sphere_the_rayleigh_quotient_is_a_normalised_exponential():
    landscape = RayleighQuotient(SYMMETRIC)
    trajectory = descend(landscape, GradientFlow(0.1), 4, stop=Stop(steps=7, **FOREVER), key=3)
    starts = jax.vmap(lambda i: landscape.init(jax.random.split(jax.random.fold_in(jax.random.key(3), i))[0]))
    # d/dt x = −2(A − xᵀAx)x, solved by e^{−2At}x up to its length.
    flown = np.asarray(starts(jnp.arange(4))) @ scipy.linalg.expm(-2 * 0.7 * SYMMETRIC)
    expected = flown / np.linalg.norm(flown, axis=1, keepdims=True)
    np.testing.assert_allclose(endpoints(trajectory, landscape), expected, atol=1e-9)


def test_the_error_follows_the_tolerance():
    landscape = Quadratic(SYMMETRIC)
    x = np.ones((1, 4))
    exact = x @ scipy.linalg.expm(-1.0 * SYMMETRIC)
    tolerances = np.array([1e-4, 1e-6, 1e-8, 1e-10])
    errors = []
    for tolerance in tolerances:
        flow = GradientFlow(1.0, rtol=tolerance, atol=tolerance, solver=diffrax.Tsit5())
        trajectory = descend(landscape, flow, x, stop=Stop(steps=1, **FOREVER))
        errors.append(np.abs(trajectory.parameters.values - exact).max())
    slope = np.polyfit(np.log(tolerances), np.log(errors), 1)[0]
    assert 0.7 < slope < 1.2
    assert errors[-1] < 1e-7


def test_an_event_ends_the_start_where_it_happens():
    landscape = Quadratic(jnp.eye(2))
    flow = GradientFlow(0.5, event=lambda x: jnp.linalg.norm(x) - 0.3)
    x = np.array([[1.0, 0.0], [0.0, 2.0], [0.1, 0.0]])
    trajectory = descend(landscape, flow, x, stop=Stop(steps=6, **FOREVER))
    assert trajectory.outcome.values.tolist() == ["event", "event", "out of steps"]
    np.testing.assert_allclose(trajectory.final_time[:2], np.log([1 / 0.3, 2 / 0.3]), rtol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(trajectory.parameters[:2], axis=1), 0.3, rtol=1e-7)


class Collapse(Landscape):
    """−1/x for x > 0: reaches 0 at the finite time x³/3, infinitely fast."""

    manifold: Manifold = Euclidean()

    def loss(self, params):
        return -1 / params[0]

    def init(self, key):
        return jnp.ones(1)


def test_a_start_that_collapses_in_finite_time_ends_before_and_alone():
    flow = GradientFlow(0.2, max_inner_steps=200)
    x = np.array([[1.0], [2.0]])
    trajectory = descend(Collapse(), flow, x, stop=Stop(steps=4, **FOREVER))
    assert trajectory.outcome.values.tolist() == ["stiff", "out of steps"]
    # The collapse is at 1/3, in the second interval.
    assert trajectory.steps.values.tolist() == [1, 4]
    np.testing.assert_allclose(trajectory.parameters[:, 0], [(1 - 0.6) ** (1 / 3), (8 - 2.4) ** (1 / 3)], rtol=1e-8)


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_bad_settings_are_refused(bad):
    for settings in ({"interval": bad}, {"interval": 1.0, "rtol": bad}, {"interval": 1.0, "atol": bad}):
        with pytest.raises(EarnshawError, match="finite number above 0"):
            GradientFlow(**settings)
    with pytest.raises(EarnshawError, match="max_inner_steps"):
        GradientFlow(1.0, max_inner_steps=0)
