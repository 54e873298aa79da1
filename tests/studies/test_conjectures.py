import jax
import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.runs.run import run
from earnshaw.studies.conjectures import study

SMALL = {"k": [3], "charges": ["mixed"], "teachers": 2, "starts": 24, "steps": 2000}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("conjectures"), settings=SMALL)


@pytest.mark.slow
def test_every_start_of_every_teacher_is_counted_once(outcome):
    assert [row["potential"] for row in outcome.rows] == ["sign", "attraction"]
    for row in outcome.rows:
        assert row["starts"] == 48 == row["global"] + row["shared"] + row["separate"] + row["undecided"]
        assert row["low"] <= row["off_global"] <= row["high"]
    teachers = outcome.results["protons"].isel(cell=0, proton=0).values
    assert len(np.unique(np.round(teachers, 9), axis=0)) == 2


@pytest.mark.slow
def test_the_verdicts_say_what_was_found_and_how_much_was_searched(outcome):
    sign, attraction = outcome.verdicts
    assert (sign.theorem, attraction.theorem) == ("zps17-3.13", "zps17-3.14")
    assert sign.verdict == "refuted"
    assert sign.counterexample["checked again"]["is a local minimum"]
    assert attraction.verdict == "inconclusive"
    assert attraction.measured["starts"] == 48 == attraction.measured["at the global minimum"]
    assert "(3, 3)" in attraction.note


@pytest.mark.slow
def test_every_suspect_is_stored_with_its_evidence(outcome):
    cell = outcome.results.isel(cell=0)
    shared = np.flatnonzero(cell["label"].values == 1)
    assert len(shared) == outcome.rows[0]["shared"] > 0
    assert np.all(cell["slope"].values[shared] > 0)
    assert np.all(cell["gradient_norm"].values[shared] < 1e-8)
    sites = cell["site"].values[shared]
    assert all(len(set(row)) < 3 for row in sites)


@pytest.mark.slow
def test_without_suspects_nothing_is_refuted(outcome):
    cleared = outcome.results.copy(deep=True)
    cleared["label"] = cleared["label"] * 0
    assert [verdict.verdict for verdict in study.verdicts(cleared)] == ["inconclusive", "inconclusive"]


@pytest.mark.slow
def test_a_suspect_that_forty_digits_do_not_confirm_refutes_nothing(outcome):
    moved = outcome.results.copy(deep=True)
    moved["electron_charges"] = moved["electron_charges"] * 0.3
    assert study.verdicts(moved)[0].verdict == "inconclusive"


@pytest.mark.slow
def test_the_figure_and_the_curves_show_every_cell(outcome):
    assert (outcome.out / "figure.svg").stat().st_size > 5000
    curves = study.curves(outcome.results)
    assert len(curves) == 2
    assert curves[0].y[0] == outcome.rows[0]["off_global"]


def test_bad_sizes_are_refused():
    cell = study.cells(study.settings("quick", k=[0]))[0]
    with pytest.raises(EarnshawError, match="k must be a whole number from 1"):
        study.compute(cell, jax.random.key(0), study.settings("quick"))
