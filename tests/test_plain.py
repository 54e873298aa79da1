import json
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earnshaw.plain import plain

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.complex_numbers()
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner))


@given(values)
def test_anything_becomes_strict_json_and_stays_so(value):
    once = plain(value)
    assert json.loads(json.dumps(once, allow_nan=False)) == once
    assert plain(once) == once


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.int8(3), 3),
        (np.str_("a"), "a"),
        (jnp.arange(3), [0, 1, 2]),
        (jnp.array(2.5), 2.5),
        (np.array([math.inf, -math.inf, math.nan]), ["inf", "-inf", None]),
        (np.array([1 + 2j]), [{"re": 1.0, "im": 2.0}]),
        ({3, 1}, [1, 3]),
        (Ellipsis, "Ellipsis"),
    ],
)
def test_scalars_and_arrays_of_numpy_and_jax(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_what_has_no_plain_form_is_text():
    assert isinstance(plain(np.longdouble(1) / 3), str)
    assert isinstance(plain(jax.random.key(0)), str)
