import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earnshaw.cli.settings import parse_settings
from earnshaw.errors import EarnshawError

scalars = st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)


@given(scalars)
def test_a_scalar_reads_back_as_itself(value):
    assert parse_settings([f"x={value}"]) == {"x": value}
    assert type(parse_settings([f"x={value}"])["x"]) is type(value)


@given(st.lists(scalars, min_size=1))
def test_a_list_reads_back_as_itself(values):
    assert parse_settings([f"x={json.dumps(values)}"]) == {"x": values}


@given(st.text())
def test_any_text_is_a_setting_or_a_sentence(text):
    try:
        settings = parse_settings([text])
    except EarnshawError as error:
        sentence = str(error)
    else:
        sentence = None
        assert len(settings) == 1
    assert sentence is None or sentence.startswith("--set")


@pytest.mark.parametrize(
    "text",
    ["x", "=3", "x=", "x=[1", 'x={"a": 1}', "x=nan", "x=1e999", "x=-Infinity", "x=[NaN]", "x=[1e999]", "x=,", "x=1,,2",
     "x=" + "9" * 30, "x=" + "9" * 5000, "x=[" + "9" * 5000 + "]", "x=" + "[" * 100000],
)  # fmt: skip
def test_what_is_no_value_is_refused(text):
    with pytest.raises(EarnshawError):
        parse_settings([text])


def test_the_same_name_twice_is_refused():
    with pytest.raises(EarnshawError, match="'d' twice"):
        parse_settings(["d=1", "d=2"])


def test_nothing_is_evaluated():
    assert parse_settings(["x=__import__('os')"]) == {"x": "__import__('os')"}
    assert parse_settings(["x=2**3"]) == {"x": "2**3"}
