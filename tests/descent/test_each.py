"""One start on each of many landscapes: the same numbers as one at a time."""

import jax
import numpy as np
import pytest

from earnshaw.descent import GradientDescent, Stop, descend, descend_each
from earnshaw.descent.each import TOGETHER
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Quadratic

STOP = Stop(steps=60, gradient_norm=1e-9)


def bowls(count):
    return [Quadratic(np.diag([1.0, 1.0 + number / count])) for number in range(count)]


def test_each_landscape_as_if_it_were_alone():
    count, root = TOGETHER + 3, jax.random.key(3)
    ends = descend_each(bowls(count), GradientDescent(0.4), stop=STOP, key=3, marks=[0, 5, 1000])
    for number in (0, 1, TOGETHER, count - 1):
        landscape = bowls(count)[number]
        start, _ = jax.random.split(jax.random.fold_in(root, number))
        alone = descend(landscape, GradientDescent(0.4), np.asarray(landscape.init(start))[None], stop=STOP)
        np.testing.assert_allclose(ends.state.params[number], alone.parameters[0], atol=1e-15)
        assert int(ends.state.steps[number]) == alone.steps.item()
        assert ends.losses[number, 0] == pytest.approx(float(landscape.loss(landscape.init(start))))
        assert ends.losses[number, 2] == pytest.approx(alone.final_loss.item(), abs=1e-30)
    shrunk = 0.5 * (0.6**5 * np.asarray(bowls(count)[0].init(jax.random.split(jax.random.fold_in(root, 0))[0]))) ** 2
    assert ends.losses[0, 1] == pytest.approx(shrunk.sum())


def test_threads_have_no_influence():
    one, two = (descend_each(bowls(TOGETHER + 1), GradientDescent(0.3), stop=STOP, threads=n) for n in (1, 2))
    np.testing.assert_array_equal(one.state.params, two.state.params)


def test_bad_input_is_one_sentence():
    with pytest.raises(EarnshawError, match="no landscape"):
        descend_each([], GradientDescent(0.1))
    with pytest.raises(EarnshawError, match="not in shapes or settings"):
        descend_each([Quadratic(np.eye(2)), Quadratic(np.eye(3))], GradientDescent(0.1))
    with pytest.raises(EarnshawError, match="not in shapes or settings"):
        descend_each([Quadratic(np.eye(2)), DoubleWell(2)], GradientDescent(0.1))
