"""The study `nodewise-gaussian`: a small grid from cells to verdicts and figure, and how missed protons would show."""

import numpy as np
import pytest

from earnshaw.runs.run import run
from earnshaw.studies.nodewise_gaussian import study

SMALL = {"gaussian_d": [], "exponential_d": [], "narrow_d": [2], "k": 2, "teachers": 3, "steps": 80}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("nodewise"), settings=SMALL)


def test_every_cell_is_a_row_with_its_interval_and_a_verdict(outcome):
    (row,) = outcome.rows
    assert (row["potential"], row["d"], row["teachers"], row["c"]) == ("narrow gaussian", 2, 3, 8.0)
    assert row["low"] <= row["share"] <= row["high"]
    assert [(verdict.theorem, verdict.verdict) for verdict in outcome.verdicts] == [("prsz18-F.4", "holds")]


def test_the_verdicts_come_from_the_stored_ends(outcome):
    missed = outcome.results.copy(deep=True)
    missed["distance"] = missed["distance"] + 1.0
    missed["nearest"] = missed["nearest"] + 1.0
    assert [verdict.verdict for verdict in study.verdicts(missed)] == ["refuted"]
    assert study.rows(missed)[0]["found"] == 0


def test_electrons_begin_together_and_their_loss_falls_node_by_node(outcome):
    plane = outcome.results.isel(cell=0)
    np.testing.assert_array_equal(plane["path"].values[:, 0, :, :2], 0)
    excess = plane["excess"].values[:, 0], plane["excess"].values[:, -1]
    assert (excess[1] < excess[0]).all()


def test_the_figure_has_three_panels_and_the_curves_their_numbers(outcome):
    assert len(study.figure(outcome.results).axes) == 3
    assert (outcome.out / "figure.svg").stat().st_size > 10_000
    charts = {curve.chart for curve in study.curves(outcome.results)}
    assert charts == {"Loss above the global minimum", "Teachers found"}


@pytest.mark.slow
def test_teachers_with_the_geometry_of_the_proof_and_those_of_a_high_dimension_are_found(tmp_path):
    settings = {**SMALL, "gaussian_d": [4], "exponential_d": [30], "narrow_d": [], "k": 3, "steps": 120}
    result = run(study, tmp_path, settings=settings)
    assert [row["potential"] for row in result.rows] == ["gaussian, any", "gaussian, proper", "exponential"]
    assert [row["found"] for row in result.rows[1:]] == [3, 3]
    assert [verdict.theorem for verdict in result.verdicts] == ["zps17-4.2", "zps17-C4.3"]
