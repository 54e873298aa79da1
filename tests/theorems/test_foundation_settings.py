"""No theorem of the foundation takes a number that is none: neither NaN nor infinity nor a word."""

import pytest

from earnshaw.errors import EarnshawError
from earnshaw.theorems.registry import get

FOUNDATION = [
    "zps17-2.2", "zps17-2.4", "zps17-2.5", "zps17-LB.1", "prsz18-2.1", "prsz18-2.3", "prsz18-L4.2", "prsz18-LB.1",
    "prsz18-B.2", "prsz18-LB.10",
]  # fmt: skip
NUMBERS = [
    (theorem, name)
    for theorem in FOUNDATION
    for name, default in get(theorem).parameters.items()
    if isinstance(default, int | float) and not isinstance(default, bool)
]


@pytest.mark.parametrize(("theorem", "name"), NUMBERS)
@pytest.mark.parametrize("value", [float("nan"), float("-inf"), "many"])
def test_what_is_no_sensible_number_is_refused_in_one_sentence(theorem, name, value):
    with pytest.raises(EarnshawError) as caught:
        get(theorem)(**{name: value})
    assert "\n" not in str(caught.value)
