"""The study `nodewise-gaussian`: a small grid from cells to verdicts and figure, and how missed protons would show."""

import numpy as np
import pytest

from earnshaw.runs.run import run
from earnshaw.studies.nodewise_gaussian import study

SMALL = {"gaussian_d": [], "exponential_d": [20], "narrow_d": [2], "k": 2, "teachers": 3, "steps": 80}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("nodewise"), settings=SMALL)


def test_every_cell_is_a_row_with_its_interval(outcome):
    assert [(row["potential"], row["d"]) for row in outcome.rows] == [("exponential", 20), ("narrow gaussian", 2)]
    for row in outcome.rows:
        assert row["low"] <= row["share"] <= row["high"]
        assert row["teachers"] == 3
    assert outcome.rows[0]["c"] == 20
    assert outcome.rows[1]["c"] == 8


def test_verdicts_are_those_of_both_papers(outcome):
    assert [verdict.theorem for verdict in outcome.verdicts] == ["prsz18-F.4", "zps17-C4.3"]
    assert {verdict.verdict for verdict in outcome.verdicts} == {"holds"}


def test_the_verdicts_come_from_the_stored_ends(outcome):
    missed = outcome.results.copy(deep=True)
    missed["distance"] = missed["distance"] + 1.0
    missed["nearest"] = missed["nearest"] + 1.0
    words = {verdict.theorem: verdict.verdict for verdict in study.verdicts(missed)}
    assert words["prsz18-F.4"] == "refuted"
    assert study.rows(missed)[0]["found"] == 0


def test_electrons_begin_together_and_their_loss_falls_node_by_node(outcome):
    plane = outcome.results.isel(cell=1)
    np.testing.assert_array_equal(plane["path"].values[:, 0, :, :2], 0)
    excess = plane["excess"].values[:, 0], plane["excess"].values[:, -1]
    assert (excess[1] < excess[0]).all()


def test_the_figure_has_three_panels_and_the_curves_their_numbers(outcome):
    assert len(study.figure(outcome.results).axes) == 3
    assert (outcome.out / "figure.svg").stat().st_size > 10_000
    charts = {curve.chart for curve in study.curves(outcome.results)}
    assert charts == {"Loss above the global minimum", "Teachers found"}


@pytest.mark.slow
def test_gaussian_teachers_with_the_geometry_of_the_proof_are_found(tmp_path):
    settings = {**SMALL, "gaussian_d": [4], "exponential_d": [], "narrow_d": [], "k": 3, "steps": 120}
    result = run(study, tmp_path, settings=settings)
    assert [row["potential"] for row in result.rows] == ["gaussian, any", "gaussian, proper"]
    assert result.rows[1]["found"] == 3
    assert [verdict.theorem for verdict in result.verdicts] == ["zps17-4.2"]
