"""The studies `width` and `depth-width`: small grids, and what doctored results would be called."""

import numpy as np
import pytest
from scipy.stats import t

from earnshaw.errors import EarnshawError
from earnshaw.runs.run import run
from earnshaw.studies import deep_networks, depth_width, width

SMALL = {"starts": 4, "together": 2, "n": 60, "test": 80, "iterations": 60, "step": 2e-3, "learned": 0.5}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    settings = {**SMALL, "depths": [2, 3], "widths": [2, 6], "padded": 6}
    return run(depth_width.study, tmp_path_factory.mktemp("depth-width"), settings=settings)


@pytest.fixture(scope="module")
def curves(tmp_path_factory):
    settings = {**SMALL, "widths": [2, 6], "padded": 6, "level": 0.4}
    return run(width.study, tmp_path_factory.mktemp("width"), settings=settings)


def words(verdicts):
    return {verdict.note: verdict.verdict for verdict in verdicts}


def test_every_cell_has_its_row_with_errors_that_fell(table):
    assert [(row["depth"], row["width"]) for row in table.rows] == [(2, 2), (2, 6), (3, 2), (3, 6)]
    for row in table.rows:
        assert row["starts"] == 4
        assert row["low"] < row["test_error"] < row["high"]
        assert row["test_error"] < row["at_start"]
        assert row["not_finite"] == 0


def with_errors(results, final):
    """The same results with other test errors at the end; `final` has shape (cell, start)."""
    doctored = results.copy(deep=True)
    errors = doctored["test_error"].values.copy()
    errors[:, :, -1] = final
    return doctored.assign(test_error=(doctored["test_error"].dims, errors))


@pytest.mark.parametrize(("sign", "word"), [(1, "holds"), (-1, "refuted"), (0, "inconclusive")])
def test_trends_are_judged_from_the_stored_errors(table, sign, word):
    depths, widths = table.results["depth"].values[:, None], table.results["width"].values[:, None]
    noise = 1 + 0.1 * np.sin(np.arange(16).reshape(4, 4) ** 2)
    found = words(
        depth_width.study.verdicts(with_errors(table.results, 0.01 * (depths * widths) ** float(sign) * noise))
    )
    assert found["the error grows with depth at width 2"] == word
    assert found["the error grows with width at depth 3"] == word
    assert found["depth 2 is learned at width 2"] == "holds"


def test_a_depth_that_is_not_learned_is_refuted_and_one_between_is_open(table):
    high = np.array([[0.9, 1.0, 1.1, 1.0], [0.1, 1.1, 0.1, 0.9]] * 2)
    found = words(depth_width.study.verdicts(with_errors(table.results, high)))
    assert found["depth 2 is learned at width 2"] == "refuted"
    assert found["depth 2 is learned at width 6"] == "inconclusive"


def test_an_error_that_is_no_number_makes_its_claims_not_applicable(table):
    lost = np.full((4, 4), 0.01)
    lost[0, 1] = np.nan
    found = words(depth_width.study.verdicts(with_errors(table.results, lost)))
    assert found["depth 2 is learned at width 2"] == "not-applicable"
    assert found["the error grows with depth at width 2"] == "not-applicable"


def test_a_power_law_has_its_exponent_whatever_each_start_s_size():
    sizes, scales = [2, 3, 5, 9], np.array([0.1, 1.0, 7.0])
    p, low, high = deep_networks.exponent(sizes, np.array(sizes)[:, None] ** 1.5 * scales)
    assert p == pytest.approx(1.5)
    assert high - low < 1e-12
    noisy = np.array(sizes)[:, None] ** np.array([1.0, 2.0, 3.0])
    p, low, high = deep_networks.exponent(sizes, noisy)
    assert (low, high) == pytest.approx(t.interval(0.95, 2, loc=2, scale=1 / np.sqrt(3)))


def test_the_time_to_an_error_is_found_between_records_and_is_slower_when_made_so(curves):
    slow = with_errors(curves.results, 0.0)
    errors = np.ones_like(slow["test_error"].values)
    for cell, place in ((0, 5), (1, 15)):
        errors[cell, :, place:] = 0.01
    errors[:, :, -1] = 0.01
    doctored = slow.assign(test_error=(slow["test_error"].dims, errors))
    name = "wider networks take more iterations to the same error"
    assert words(width.study.verdicts(doctored))[name] == "holds"
    assert words(width.study.verdicts(doctored.assign(test_error=(slow["test_error"].dims, errors[::-1]))))[name] == (
        "refuted"
    )
    rows = width.study.rows(doctored)
    steps = slow["step"].values
    assert steps[4] < rows[0]["iterations_to_level"] < steps[5]
    assert rows[0]["reached"] == 4


def test_figures_and_curves_are_drawn(table, curves):
    assert [axes.get_title() for axes in depth_width.study.figure(table.results).axes] == [
        "(a) At the end",
        "(b) Width 6",
    ]
    # ours and the printed ones
    assert len(depth_width.study.curves(table.results)) == 4
    assert len(width.study.curves(curves.results)) == 2
    assert len(width.study.figure(curves.results).axes[0].lines) == 3


def test_the_printed_table_stands_beside_ours_where_the_cells_are_the_same(table):
    assert len(depth_width.study.references) == 20
    assert [row["width"] for row in table.rows if (row["depth"], row["width"]) in {(2, 5), (3, 5)}] == []


def test_the_paper_scale_is_the_paper_s():
    parameters = depth_width.study.settings("paper")
    assert len(depth_width.study.cells(parameters)) == 20
    assert (parameters["step"], parameters["iterations"]) == (1e-5, 10**6)
    cell = {"depth": 17, "width": 40}
    assert depth_width.study.shards(cell, parameters) == 5
    assert deep_networks.cost(cell, parameters) > 50 * deep_networks.cost({"depth": 2, "width": 5}, parameters)


def test_starts_that_make_no_whole_shards_are_refused():
    parameters = depth_width.study.settings("quick", starts=5, together=2)
    with pytest.raises(EarnshawError, match="5 starts cannot be divided into shards of 2"):
        depth_width.study.shards({"depth": 2, "width": 5}, parameters)
    with pytest.raises(EarnshawError, match="at least 2 starts"):
        depth_width.study.shards({"depth": 2, "width": 5}, {**parameters, "starts": 1, "together": 1})
