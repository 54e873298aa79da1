import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.runs.run import run
from earnshaw.studies.nodewise_hermite import study

SMALL = {"degrees": [3], "d": [3], "starts": 8}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("hermite"), settings=SMALL)


@pytest.mark.slow
def test_every_electron_finds_a_proton_of_its_own_and_the_last_one_nothing(outcome):
    (row,) = outcome.rows
    assert (row["degree"], row["d"], row["starts"], row["found_all"]) == (3, 3, 16, 16)
    assert row["nodes_least"] == row["nodes_most"] == 3
    assert row["largest_distance"] < 1e-3
    assert row["largest_charge_error"] < 1e-5
    assert row["low"] < row["share"] == row["high"] == 1.0


@pytest.mark.slow
def test_the_verdicts_name_the_theorems(outcome):
    assert [verdict.theorem for verdict in outcome.verdicts] == ["zps17-3.10", "prsz18-G.3", "zps17-4.5"]
    assert {verdict.verdict for verdict in outcome.verdicts} == {"holds"}


@pytest.mark.slow
def test_an_electron_off_the_protons_refutes(outcome):
    moved = outcome.results.copy(deep=True)
    moved["distance"] = moved["distance"] + 0.3
    assert [verdict.verdict for verdict in study.verdicts(moved)] == ["refuted"] * 3
    missing = outcome.results.copy(deep=True)
    missing["nodes"] = missing["nodes"] - 1
    assert [verdict.verdict for verdict in study.verdicts(missing)] == ["holds", "holds", "refuted"]


@pytest.mark.slow
def test_the_loss_falls_to_nothing_in_the_figure_and_its_curves(outcome):
    assert (outcome.out / "figure.svg").stat().st_size > 5000
    (curve,) = study.curves(outcome.results)
    assert np.all(np.diff(curve.y) < 1e-6)
    assert curve.y[0] > 1 > 1e-6 > curve.y[-1]


def test_degrees_below_three_are_refused():
    with pytest.raises(EarnshawError, match="degrees from 3 on, not 2"):
        study.cells(study.settings("quick", degrees=[2]))
