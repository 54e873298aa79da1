import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.theorems import Theorem, Verdict
from earnshaw.theorems.parameters import override

DEFAULTS = {"d": 3, "step": 0.5, "fixed": False, "potential": "gaussian", "widths": [5, 10], "extra": None}


@pytest.mark.parametrize(
    "settings",
    [
        {"d": 5},
        {"d": np.int64(5)},
        {"step": 1},
        {"fixed": True},
        {"potential": "yukawa"},
        {"widths": (1, 2, 3)},
        {"widths": []},
        {"extra": "x"},
        {"extra": 1},
    ],
)
def test_a_setting_of_the_right_kind_is_taken(settings):
    merged = override("t", DEFAULTS, settings)
    assert {**DEFAULTS, **settings} == merged
    assert isinstance(merged["step"], float)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"d": 5.5}, "'d' of t must be an integer"),
        ({"d": True}, "must be an integer"),
        ({"d": "5"}, "must be an integer"),
        ({"step": "fast"}, "must be a number"),
        ({"fixed": 1}, "must be true or false"),
        ({"potential": 3}, "must be a name"),
        ({"widths": 5}, "must be a list"),
        ({"widths": ["a"]}, r"must be a list like \[5, 10\]"),
        ({"potentail": "x"}, "did you mean 'potential'"),
    ],
)
def test_any_other_setting_is_refused_with_a_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        override("t", DEFAULTS, settings)


def test_an_object_may_stand_where_a_name_is_the_default():
    potential = object()
    assert override("t", DEFAULTS, {"potential": potential})["potential"] is potential


def test_nothing_can_be_set_where_there_are_no_parameters():
    with pytest.raises(EarnshawError, match="no parameters"):
        override("t", {}, {"d": 1})


@pytest.mark.parametrize("seed", [-1, 2**32, 1.0, True, "1"])
def test_a_seed_that_is_no_seed_is_refused(seed):
    theorem = Theorem("t", "s", "T", "S", lambda seed=0: Verdict("t", "holds"))
    assert theorem(seed=2**32 - 1).verdict == "holds"
    with pytest.raises(EarnshawError, match="seed must be an integer"):
        theorem.__call__(seed)
