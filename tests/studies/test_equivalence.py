"""The study `equivalence`: a small grid from cells to verdicts and figure, and how a wrong force law would show."""

import jax
import numpy as np
import pytest
import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.runs.run import run
from earnshaw.studies.equivalence import study

SMALL = {
    "euclidean_potentials": ["gaussian"],
    "sphere_potentials": ["sphere_exponential"],
    "moving": [2],
    "fixed": [0, 1],
    "starts": 2,
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("equivalence"), settings=SMALL)


def test_every_row_agrees_and_twice_the_potential_does_not(outcome):
    assert [(row["manifold"], row["fixed"]) for row in outcome.rows] == [
        ("euclidean", 0), ("euclidean", 1), ("sphere", 0), ("sphere", 1),
    ]  # fmt: skip
    for row in outcome.rows:
        assert row["starts"] == 2
        assert row["difference"] <= row["allowed"] < 1e-6
        assert row["multiple"] == pytest.approx(1, abs=1e-12)
        assert row["difference_under_2phi"] > 1e-2 < row["way"]


def test_verdicts_name_the_theorem_of_each_manifold(outcome):
    assert [verdict.theorem for verdict in outcome.verdicts] == ["zps17-2.2", "prsz18-2.3"] * 2 + ["zps17-2.2"] * 2
    assert {verdict.verdict for verdict in outcome.verdicts} == {"holds"}


def test_the_verdict_comes_from_the_stored_paths(outcome):
    moved = outcome.results.copy(deep=True)
    moved["difference"] = moved["difference"] + 1e-3
    assert {verdict.verdict for verdict in study.verdicts(moved)} == {"refuted"}


def test_the_figure_draws_both_dynamics_and_the_curves_their_distance(outcome):
    figure = study.figure(outcome.results)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[0] == "(a) Gaussian on ℝ²"
    assert any("S²" in title for title in titles)
    assert (outcome.out / "figure.svg").stat().st_size > 10_000
    curves = study.curves(outcome.results)
    assert len(curves) == 2 * len(outcome.rows)
    assert len({(curve.chart, curve.name) for curve in curves}) == len(curves)


def test_cells_of_other_sizes_are_padded_and_judged_all_the_same(outcome):
    cells = [outcome.results.isel(cell=[0])]
    wider = cells[0].pad(particle=(0, 2), coordinate=(0, 1), site=(0, 2), constant_values=np.nan)
    rows = study.rows(xr.concat([wider, wider], dim="cell"))
    assert rows[0]["difference"] == outcome.rows[0]["difference"]
    assert {verdict.verdict for verdict in study.verdicts(wider)} == {"holds"}


def test_a_shard_depends_on_its_key_alone():
    parameters = study.settings("quick", **SMALL)
    cell = study.cells(parameters)[0]
    one, same, other = (study.compute(cell, jax.random.key(seed), parameters) for seed in (0, 0, 1))
    assert one.identical(same)
    assert not np.allclose(one["flow"], other["flow"])


def test_all_may_not_be_fixed():
    with pytest.raises(EarnshawError, match="0 to 1 others can be fixed, not 2"):
        study.cells(study.settings("quick", moving=[2], fixed=[2]))
