"""Deep students: against plain NumPy, one teacher at a time, and a narrow network inside a wide one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DeepStudent, deep_network, deep_teachers, draw_layers, narrowed


def networks(key, count, **shape):
    return jax.vmap(lambda one: draw_layers(one, **shape))(jax.random.split(jax.random.key(key), count))


def plain_gradient(layers, inputs, answers, slope):
    """Backpropagation of the mean squared error, written out."""
    values = [inputs]
    for weights in layers:
        values.append(np.tanh(slope * (values[-1] @ weights)))
    error = values[-1][:, 0] - answers
    back = (2 * error / len(inputs))[:, None]
    gradients = []
    for weights, before, after in zip(layers[::-1], values[-2::-1], values[:0:-1], strict=True):
        back = back * slope * (1 - after**2)
        gradients.append(before.T @ back)
        back = back @ weights.T
    return np.mean(error**2), gradients[::-1]


@pytest.mark.parametrize("slope", [1.0, 0.5])
def test_loss_and_gradient_are_those_of_plain_backpropagation(slope):
    teachers, inputs = networks(0, 2, depth=4, width=5, d=3), jax.random.normal(jax.random.key(1), (2, 7, 3))
    landscape = deep_teachers(teachers, inputs, slope=slope)
    student = DeepStudent(draw_layers(jax.random.key(2), depth=4, width=5, d=3), jnp.ones(()))
    loss, gradient = landscape.value_and_gradient(student)
    answers = deep_network(tuple(w[1] for w in teachers), inputs[1], slope)
    expected, slopes = plain_gradient([np.asarray(w) for w in student.layers], inputs[1], np.asarray(answers), slope)
    np.testing.assert_allclose(loss, expected, rtol=1e-13)
    for ours, theirs in zip(gradient.layers, slopes, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    assert gradient.teacher == 0


def test_half_the_slope_is_the_stretched_logistic_function():
    z = jnp.linspace(-5, 5, 11)[:, None]
    one = jnp.ones((1, 1))
    np.testing.assert_allclose(deep_network((one,), z, 0.5), 2 / (1 + np.exp(-z[:, 0])) - 1, atol=1e-15)


def test_a_unit_without_weights_never_gets_any_and_the_others_do_not_notice():
    wide, inputs = networks(0, 2, depth=4, width=6, d=3), jax.random.normal(jax.random.key(1), (1, 20, 3))
    teacher, student = (jax.tree.map(lambda w, i=i: w[i], wide) for i in (0, 1))

    def descended(layers_of):
        teachers = tuple(w[None] for w in layers_of(teacher))
        start = DeepStudent(tuple(w[None] for w in layers_of(student)), jnp.zeros(1))
        return descend(deep_teachers(teachers, inputs), GradientDescent(0.1), start, stop=Stop(steps=50))

    padded = descended(lambda layers: narrowed(layers, 4))
    alone = descended(lambda layers: tuple(w[: 4 if w.shape[0] == 6 else 3, :4] for w in layers))
    np.testing.assert_allclose(padded.final_loss, alone.final_loss, rtol=1e-12)
    assert alone.final_loss < 0.5 * alone.loss[:, 0]
    hidden = padded["layers_1"].values[0]
    assert np.all(hidden[4:] == 0)
    assert np.all(hidden[:, 4:] == 0)
    assert np.all(hidden[:4, :4] != 0)


def test_each_student_has_a_teacher_and_examples_of_its_own():
    teachers, inputs = networks(0, 3, depth=2, width=4, d=2), jax.random.normal(jax.random.key(1), (3, 9, 2))
    together = deep_teachers(teachers, inputs)
    student = draw_layers(jax.random.key(5), depth=2, width=4, d=2)
    for place in range(3):
        alone = deep_teachers(jax.tree.map(lambda w, i=place: w[i : i + 1], teachers), inputs[place : place + 1])
        own = alone.loss(DeepStudent(student, jnp.zeros(())))
        np.testing.assert_allclose(together.loss(DeepStudent(student, jnp.array(float(place)))), own, rtol=1e-14)


def test_single_precision_is_kept_on_the_way():
    inputs = jax.random.normal(jax.random.key(1), (1, 9, 2), jnp.float32)
    landscape = deep_teachers(tuple(w.astype(jnp.float32) for w in networks(0, 1, depth=2, width=4, d=2)), inputs)
    trajectory = descend(landscape, GradientDescent(0.1), 2, stop=Stop(steps=3))
    assert trajectory["layers_0"].dtype == np.float32
    assert np.all(trajectory.final_loss < trajectory.loss[:, 0])


def test_shapes_that_are_no_deep_network_are_refused():
    with pytest.raises(EarnshawError, match="depth of at least 2, not 1"):
        draw_layers(jax.random.key(0), depth=1, width=3, d=2)
    with pytest.raises(EarnshawError, match="width"):
        draw_layers(jax.random.key(0), depth=2, width=0, d=2)
