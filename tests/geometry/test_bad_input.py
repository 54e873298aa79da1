"""Vectors of different spaces and impossible shapes are refused in one sentence."""

import jax
import jax.numpy as jnp
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.geometry import uniform_ball, uniform_sphere
from earnshaw.geometry.angles import _rows, _same_space

KEY = jax.random.key(0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        # The checks themselves: in tests the annotations of `angle` and `pairwise_angles` are looked at first.
        (lambda: _same_space(jnp.ones(3), jnp.ones(2)), "agree in their last axis"),
        (lambda: _same_space(jnp.ones((2, 3)), jnp.ones((4, 3))), "broadcast in the others"),
        (lambda: _same_space(1.0, 1.0), "agree in their last axis"),
        (lambda: _same_space("ab", jnp.ones(3)), "must be an array of numbers"),
        (lambda: _same_space(jnp.array([1j, 0]), jnp.ones(2)), "must be real numbers"),
        (lambda: _rows(jnp.ones((2, 3)), jnp.ones((2, 2))), "rows of one length"),
        (lambda: uniform_sphere(KEY, ()), "at least one axis"),
        (lambda: uniform_sphere(KEY, (3, 0)), "d must be a whole number of at least 1"),
        (lambda: uniform_sphere(KEY, (-1, 3)), "an axis of a shape must be a whole number of at least 0"),
        (lambda: uniform_ball(KEY, (3, 2), -1.0), "the radius of a ball must be a positive finite number"),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(EarnshawError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_whole_numbers_are_vectors_too():
    u, v = _same_space([1, 0], jnp.array([0, 2]))
    assert u.dtype == v.dtype == jnp.float64
    assert uniform_sphere(KEY, (0, 3)).shape == (0, 3)
