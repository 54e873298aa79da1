import jax
import numpy as np
import pytest

from earnshaw.descent import Decaying, StochasticGradient, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import DoubleWell, Electrons, Empirical, Particles

TEN = Stop(steps=10, gradient_norm=None)


@pytest.mark.parametrize("exact", [True, False])
def test_on_a_linear_unit_the_mean_square_error_shrinks_as_gaussian_moments_say(exact):
    # e ← (I − 2αA)e with A the mean of m terms xxᵀ, and E A² = (1 + (d + 1)/m) I.
    d, m, size, starts = 3, 4, 0.1, 4000
    landscape = Particles.teacher_student("linear", np.ones((1, d)))
    x = Electrons(np.tile([[[1.0, 2.0, 0.0]]], (starts, 1, 1)))
    trajectory = descend(landscape, StochasticGradient(size, samples=m, exact=exact), x, stop=TEN)
    squares = np.sum((np.asarray(trajectory.positions)[:, 0] - 1) ** 2, axis=1)
    factor = 1 - 4 * size + 4 * size**2 * (1 + (d + 1) / m)
    error = np.std(squares) / np.sqrt(starts)
    assert abs(np.mean(squares) - 2 * factor**10) < 4 * error
    assert error < 0.02 * np.mean(squares) * 2
    if exact:  # the recorded loss is ‖e‖² itself, and not a sample of it
        np.testing.assert_allclose(trajectory.final_loss, squares, rtol=1e-10)


def test_mini_batches_are_those_of_plain_numpy():
    rng = np.random.default_rng(0)
    inputs, targets = rng.normal(size=(20, 2)), rng.normal(size=20)
    landscape = Empirical(lambda w, x: w @ x, inputs, targets, init=lambda key: jax.random.normal(key, (2,)))
    algorithm, w, key = StochasticGradient(Decaying(0.1), samples=3), np.array([1.0, -1.0]), jax.random.key(4)
    state = algorithm.init(landscape, jax.numpy.asarray(w), key)
    for step in range(4):
        key, drawn = jax.random.split(key)
        rows = np.asarray(jax.random.choice(drawn, 20, (3,), p=landscape.shares))
        w = w - 0.1 * (1 + step) ** -0.5 * 2 / 3 * inputs[rows].T @ (inputs[rows] @ w - targets[rows])
        state = algorithm.step(landscape, state)
    np.testing.assert_allclose(state.params, w, rtol=1e-12)
    assert float(state.loss) == pytest.approx(np.mean((inputs @ w - targets) ** 2), rel=1e-12)


@pytest.mark.slow
def test_on_the_sphere_it_learns_the_teacher_and_stays_there():
    teacher = np.eye(3)[:1]
    landscape = Particles.teacher_student("relu", teacher, manifold=Sphere())
    stop = Stop(steps=400, gradient_norm=None, loss=1e-8)
    trajectory = descend(landscape, StochasticGradient(0.2, samples=8), 8, stop=stop)
    ends = endpoints(trajectory, landscape)
    assert bool(jax.vmap(landscape.manifold.contains)(ends).all())
    assert set(trajectory.outcome.values) == {"low loss"}
    np.testing.assert_allclose(ends.positions[:, 0], np.tile(teacher, (8, 1)), atol=1e-3)


def test_what_cannot_be_sampled_is_refused_in_a_sentence():
    with pytest.raises(EarnshawError, match="cannot be sampled"):
        descend(DoubleWell(), StochasticGradient(0.1), 1)
    for bad in (0, True):
        with pytest.raises(EarnshawError, match="samples must be a whole number"):
            StochasticGradient(0.1, samples=bad)
    with pytest.raises(EarnshawError, match="finite number that is not negative"):
        StochasticGradient(-1.0)
