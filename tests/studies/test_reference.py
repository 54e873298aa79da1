import pytest

from earnshaw.studies import Reference, grid
from earnshaw.studies.reference import compare

ROWS = [
    {"k": 25, "ratio": 0.1 + 0.2, "p": 0.52, "low": 0.49, "high": 0.55},
    {"k": 36, "ratio": 1.0, "p": 0.70, "low": None, "high": None},
    {"k": 36, "ratio": 4.0, "p": "inf"},
]


def test_each_printed_number_finds_its_row():
    references = grid("p", ("k", [25, 36]), ("ratio", [0.3, 1, 4]), [[0.5, 0.5, 0.6], [0.5, 0.6, 0.7]], within=0.04)
    found = {(each["where"]["k"], each["where"]["ratio"]): each for each in compare(references, ROWS)}
    assert found[25, 0.3]["ours"] == 0.52
    assert (found[25, 0.3]["low"], found[25, 0.3]["high"]) == (0.49, 0.55)
    assert found[25, 0.3]["agrees"] is True
    assert found[25, 1]["ours"] is None
    assert found[25, 1]["agrees"] is None
    assert found[36, 1]["agrees"] is False
    assert found[36, 4]["agrees"] is False


def test_without_a_bound_nothing_is_judged():
    (both,) = compare([Reference("p", {"k": 25}, 0.9)], ROWS)
    assert both["agrees"] is None


def test_a_place_with_several_rows_is_a_mistake():
    with pytest.raises(ValueError, match="2 rows are at"):
        compare([Reference("p", {"k": 36}, 0.5)], ROWS)
