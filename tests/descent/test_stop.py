import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes import Landscape, Quadratic

#: x_t = 0.9^t and x_t = 1.1^t.
DOWN, UP, STEP = Quadratic(jnp.eye(2)), Quadratic(-jnp.eye(2)), GradientDescent(0.1)
X = np.array([[0.6, 0.8]])


def first(condition):
    return next(t for t in range(10_000) if condition(t))


@pytest.mark.parametrize(
    ("landscape", "rule", "outcome", "steps"),
    [
        (DOWN, {"gradient_norm": 1e-3}, "converged", first(lambda t: 0.9**t <= 1e-3)),
        (DOWN, {"loss": 0.01}, "low loss", first(lambda t: 0.5 * 0.9 ** (2 * t) <= 0.01)),
        (DOWN, {"time": 2.95}, "out of time", 30),
        (DOWN, {"steps": 33}, "out of steps", 33),
        (DOWN, {"steps": 0}, "out of steps", 0),
        (DOWN, {"gradient_norm": 1.5}, "converged", 0),
        (UP, {"escape": 10}, "escaped", first(lambda t: 1.1**t > 10)),
        (UP, {"divergence": 50.0}, "diverged", first(lambda t: 0.5 * 1.1 ** (2 * t) > 50)),
        (UP, {"divergence": None, "steps": 10_000}, "not finite", 3721),
    ],
)  # fmt: skip
def test_each_rule_ends_at_its_step_with_its_word(landscape, rule, outcome, steps):
    # The overflow is within a few steps of 1.1^{2t} = 10³⁰⁸·…, depending on what is squared first.
    slack = 10 if outcome == "not finite" else 0
    settings = {"steps": 500, "gradient_norm": None} | rule
    trajectory = descend(landscape, STEP, X, stop=Stop(**settings))
    assert trajectory.outcome.values.tolist() == [outcome]
    assert abs(int(trajectory.steps.values[0]) - steps) <= slack


def test_an_ended_start_is_frozen_at_its_last_step():
    x = np.concatenate([X, 1e-3 * X, 1e3 * X])
    trajectory = descend(DOWN, STEP, x, stop=Stop(steps=200, gradient_norm=1e-4))
    steps = trajectory.steps.values
    assert len(set(steps)) == 3
    np.testing.assert_allclose(trajectory.parameters, x * 0.9 ** steps[:, None], rtol=1e-11)
    np.testing.assert_allclose(trajectory.final_time, 0.1 * steps, rtol=1e-11)


class Cliff(Landscape):
    """Slopes down to a place where the loss is not a number."""

    manifold: Manifold = Euclidean()
    scale: float = eqx.field(static=True, default=1.0)

    def loss(self, params):
        return jnp.where(params[0] > 0.5, params[0] * self.scale, jnp.nan)

    def init(self, key):
        return jax.random.uniform(key, (1,)) + 1.0


def test_a_start_that_stops_being_a_number_does_not_disturb_the_others():
    trajectory = descend(Cliff(), STEP, np.array([[0.95], [30.0]]), stop=Stop(steps=100))
    assert trajectory.outcome.values.tolist() == ["not finite", "out of steps"]
    assert trajectory.steps.values.tolist() == [5, 100]
    assert trajectory.final_loss.values[1] == pytest.approx(20.0)


def test_escape_looks_at_points_and_not_at_their_number():
    # A hundred points of norm 0.9 have a large norm together, but none is beyond radius 1.
    class Flat(Landscape):
        manifold: Manifold = Euclidean()

        def loss(self, params):
            return -1e-3 * jnp.sum(params)

        def init(self, key):
            return jnp.zeros((100, 2))

    x = np.zeros((1, 100, 2))
    x[..., 0] = 0.9
    trajectory = descend(Flat(), GradientDescent(1.0), x, stop=Stop(steps=1000, escape=1.0))
    assert trajectory.outcome.item() == "escaped"
    assert int(trajectory.steps.item()) == first(lambda t: np.hypot(0.9 + 1e-3 * t, 1e-3 * t) > 1)


@pytest.mark.parametrize(
    "rule",
    [
        {"steps": -1},
        {"gradient_norm": -1.0},
        {"escape": -1},
        {"time": -2.0},
        {"divergence": -1.0},
        {"loss": float("nan")},
    ],
)
def test_impossible_rules_are_refused(rule):
    with pytest.raises(EarnshawError):
        Stop(**rule)
