import threading

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import (
    Algorithm,
    Every,
    GradientDescent,
    Outcome,
    Probe,
    State,
    Stop,
    descend,
    endpoints,
)
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes import DoubleWell, Electrons, Landscape, Particles, Quadratic, Rosenbrock, batch

LANDSCAPE = DoubleWell(3, scale=1.5)
ALGORITHM = GradientDescent(0.05)
STOP = Stop(steps=400, gradient_norm=1e-5)


def by_hand(value_and_gradient, step_size, x, stop):
    """The same descent from one start, in plain Python and NumPy."""
    history = []
    for step in range(stop.steps + 1):
        loss, gradient = value_and_gradient(x)
        g = np.asarray(gradient)
        history.append((float(loss), float(np.linalg.norm(g))))
        if history[-1][1] <= stop.gradient_norm:
            return "converged", step, x, history
        if step == stop.steps:
            return "out of steps", step, x, history
        x = x - step_size * g
    raise AssertionError


@pytest.fixture(scope="module")
def many():
    return descend(LANDSCAPE, ALGORITHM, 40, stop=STOP, schedule=Every(7), key=5)


def test_every_start_agrees_with_plain_python(many):
    starts = jax.vmap(lambda i: LANDSCAPE.init(jax.random.split(jax.random.fold_in(jax.random.key(5), i))[0]))
    value_and_gradient = jax.jit(lambda x: LANDSCAPE.value_and_gradient(x))
    ends = endpoints(many, LANDSCAPE)
    for i, x in enumerate(np.asarray(starts(jnp.arange(40)))):
        outcome, steps, end, history = by_hand(value_and_gradient, 0.05, x, STOP)
        assert many.outcome.values[i] == outcome
        assert many.steps.values[i] == steps
        np.testing.assert_allclose(ends[i], end, rtol=1e-12, atol=1e-14)
        # Recorded while it ran, and held at the last value afterwards.
        places = np.minimum(many.step.values, steps)
        np.testing.assert_allclose(many.loss.values[i], [history[p][0] for p in places], rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(many.gradient_norm.values[i], [history[p][1] for p in places], rtol=1e-9)
    assert len(set(many.steps.values)) > 10, "the starts should end at many different steps"


def test_records_are_at_the_scheduled_steps_the_first_and_the_last(many):
    last = int(many.steps.max())
    assert many.step.values.tolist() == sorted({*range(0, last, 7), last})
    np.testing.assert_array_equal(many.loss.isel(step=-1), many.final_loss)


def test_a_start_does_not_depend_on_how_many_others_there_are(many):
    for count in (1, 3, 17):
        few = descend(LANDSCAPE, ALGORITHM, count, stop=STOP, schedule=Every(7), key=5)
        assert few.outcome.values.tolist() == many.outcome.values[:count].tolist()
        assert few.steps.values.tolist() == many.steps.values[:count].tolist()
        np.testing.assert_allclose(few.parameters, many.parameters[:count], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("numbers_per_block", [3, 12, 48])
@pytest.mark.parametrize("threads", [1, 3])
def test_neither_blocks_nor_threads_nor_leaving_the_batch_change_anything(
    many, monkeypatch, numbers_per_block, threads
):
    monkeypatch.setitem(batch.NUMBERS_PER_BLOCK, "cpu", numbers_per_block)
    again = descend(LANDSCAPE, ALGORITHM, 40, stop=STOP, schedule=Every(7), key=5, threads=threads)
    assert again.outcome.equals(many.outcome)
    assert again.steps.equals(many.steps)
    np.testing.assert_allclose(again.loss, many.loss, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(again.parameters, many.parameters, rtol=1e-12, atol=1e-14)


def test_the_length_of_a_call_changes_nothing(many, monkeypatch):
    monkeypatch.setattr("earnshaw.descent.pace.Pace.steps", lambda self, size: 3)
    again = descend(LANDSCAPE, ALGORITHM, 40, stop=STOP, schedule=Every(7), key=5)
    assert again.equals(many)


def test_a_dense_schedule_may_need_many_calls():
    trajectory = descend(
        Quadratic(jnp.eye(1)), GradientDescent(0.01), jnp.ones((1, 1)), stop=Stop(steps=300), schedule=Every(1)
    )
    np.testing.assert_allclose(trajectory.loss[0], 0.5 * 0.99 ** (2 * np.arange(301)), rtol=1e-11)


class Counted(Landscape):
    """A double well in which every lane has its own speed, and which counts how often it is traced."""

    counter: list = eqx.field(static=True)
    manifold: Manifold = Euclidean()

    def loss(self, params):
        self.counter.append(threading.get_ident())
        return 0.5 * params[0] * jnp.sum(params[1:] ** 2) / jax.lax.stop_gradient(params[0])

    def init(self, key):
        return jax.random.normal(key, (3,))


def test_few_compilations_however_many_starts_end_and_leave(monkeypatch):
    monkeypatch.setitem(batch.NUMBERS_PER_BLOCK, "cpu", 3 * 16)
    monkeypatch.setattr("earnshaw.descent.run.STEPS_BEFORE_RESIZING", 0)
    counter = Hashable()
    landscape = Counted(counter)
    x = np.random.default_rng(0).normal(size=(100, 3))
    x[:, 1:] *= np.logspace(-6, 3, 100)[:, None]
    trajectory = descend(landscape, GradientDescent(0.02), x, stop=Stop(steps=3000, gradient_norm=1e-6), threads=2)
    assert len(set(trajectory.steps.values)) > 30
    first = len(counter)
    # One program to prepare, and one for each of three block sizes; each traces the loss a few times.
    assert first <= 12
    descend(landscape, GradientDescent(0.01), x, stop=Stop(steps=2999, gradient_norm=1e-5), threads=2)
    assert len(counter) == first, "other step sizes and thresholds should not compile anything"


class Hashable(list):
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other):
        return self is other


def test_ctrl_c_returns_what_there_is():
    calls = []

    def impatient(progress):
        calls.append(progress)
        if progress.step >= 100:
            raise KeyboardInterrupt

    stop = Stop(steps=2_000_000_000, gradient_norm=1e-3)
    x = np.array([[1e-4, 1e-4], [1.0, 1.0], [-1.0, 1.0]])
    trajectory = descend(Rosenbrock(2), GradientDescent(1e-9), x, stop=stop, progress=impatient)
    # (1, 1) is the minimum, so that start had converged before the interruption.
    assert trajectory.outcome.values.tolist() == ["interrupted", "converged", "interrupted"]
    assert trajectory.steps.values[1] == 0
    steps = int(trajectory.steps.values[0])
    assert 100 <= steps < 2_000_000_000
    assert trajectory.step.values[-1] == trajectory.steps.values.max()
    assert np.isfinite(trajectory.loss).all()
    assert (trajectory.final_time.values[0] - steps * 1e-9) <= 1e-15
    assert calls[-1].starts == 3
    assert calls[-1].finished == 1


def test_an_error_in_the_progress_function_is_not_swallowed():
    def broken(progress):
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        descend(LANDSCAPE, ALGORITHM, 3, stop=STOP, progress=broken)


class Narrow(Landscape):
    """½x², but right only up to a radius: beyond it there is a false slope. It can be widened."""

    radius: float = eqx.field(static=True)
    manifold: Manifold = Euclidean()

    def loss(self, params):
        inside = jnp.abs(params[0]) <= self.radius
        return jnp.where(inside, -0.5 * params[0] ** 2, 100 * params[0] ** 2)

    def init(self, key):
        return jnp.ones(1)

    def adapt(self, params_batch):
        largest = float(jnp.max(jnp.abs(params_batch)))
        return self if largest <= self.radius else Narrow(2 * largest)


def test_a_landscape_that_adapts_is_followed_as_if_it_had_always_been_right():
    x = np.array([[1e-3], [2.0], [-3.0]])
    steps = 150
    trajectory = descend(
        Narrow(0.5), GradientDescent(0.01), x, stop=Stop(steps=steps, gradient_norm=None), schedule=Every(10)
    )
    np.testing.assert_allclose(trajectory.parameters, x * 1.01**steps, rtol=1e-11)
    np.testing.assert_allclose(trajectory.loss, -0.5 * (x * 1.01**trajectory.step.values) ** 2, rtol=1e-11)
    assert "radius" in trajectory.attrs["landscape"]


class Halving(Algorithm):
    """Ends by itself, and uses its random key."""

    def init(self, landscape, params, key):
        return State.at(landscape, params, key)

    def step(self, landscape, state):
        key, use = jax.random.split(state.key)
        state = eqx.tree_at(lambda s: s.key, state, key)
        x = state.params / 2 + 1e-3 * jax.random.normal(use, state.params.shape)
        return state.moved(landscape, x, 1.0).ended(Outcome.STOPPED, state.steps >= 4)


def test_an_algorithm_may_end_a_start_and_use_its_key():
    one = descend(Quadratic(jnp.eye(2)), Halving(), 8, stop=Stop(gradient_norm=None), key=1)
    assert set(one.outcome.values) == {"stopped"}
    assert set(one.steps.values) == {5}
    again = descend(Quadratic(jnp.eye(2)), Halving(), 3, stop=Stop(gradient_norm=None), key=1)
    np.testing.assert_allclose(again.parameters, one.parameters[:3], rtol=1e-12)
    other = descend(Quadratic(jnp.eye(2)), Halving(), 3, stop=Stop(gradient_norm=None), key=2)
    assert not np.allclose(other.parameters, again.parameters)


def test_a_probe_may_record_arrays_and_several_variables():
    both = Probe("x", lambda landscape, state: {"x": state.params, "square": state.params @ state.params})
    named = Probe("y", lambda landscape, state: 2 * state.params, units="m", long_name="double", dims=("axis",))
    trajectory = descend(Quadratic(jnp.eye(2)), GradientDescent(0.1), 3, stop=Stop(steps=9), probes=(both, named))
    np.testing.assert_allclose(trajectory.square, 2 * trajectory.loss, rtol=1e-12)
    assert trajectory.x.shape == (3, trajectory.sizes["step"], 2)
    assert trajectory.y.dims == ("start", "step", "axis")
    assert trajectory.y.attrs == {"units": "m", "long_name": "double"}
    np.testing.assert_array_equal(trajectory.x[:, -1], trajectory.parameters)


@pytest.mark.slow
def test_a_start_that_outgrows_a_series_is_continued_on_a_longer_one():
    # the student's outputs are so small that its weights must grow far beyond the teacher's
    teacher = jnp.array([[0.5, 0.0]])
    landscape = Particles.teacher_student("tanh", teacher, [1.0], student_outputs=[0.45], tolerance=1e-6)
    starts = Electrons(jnp.array([[[0.3, 0.2]], [[0.1, -0.3]]]))
    stop = Stop(steps=3000, gradient_norm=1e-6)
    trajectory = descend(landscape, GradientDescent(0.5), starts, stop=stop)
    assert trajectory.outcome.values.tolist() == ["converged", "converged"]
    final = endpoints(trajectory, landscape)
    norms = np.linalg.norm(np.asarray(final.positions)[:, 0], axis=-1)
    assert norms.min() > 1.01 * landscape.potential.max_norm
    assert np.abs(jax.vmap(landscape.adapt(final).gradient)(final).positions).max() < 1e-5
