"""The table of activations and potentials: every row agrees with itself both ways, and wrong rows are caught."""

import dataclasses

import jax
import numpy as np
import pytest
import xarray as xr

from earnshaw.duality import potentials
from earnshaw.studies import dual_rows, dual_table, registry, style


@pytest.fixture(scope="module")
def results():
    study = registry.get("dual-table")
    parameters = study.settings("quick", points=9, eps=0.5)
    shards = [
        study.compute(cell, jax.random.key(0), parameters).assign_coords(cell) for cell in study.cells(parameters)
    ]
    return xr.concat(shards, "cell")


def test_every_row_of_the_tables_is_there(results):
    names = {str(name) for name in results.row.values}
    assert {"sign", "ReLU", "Hermite", "exponential", "synthetic", "Gaussian", "Bessel"} <= names
    assert {"almost λ-harmonic", "Coulomb", "distance"} <= names


def test_potentials_computed_from_activations_are_the_closed_forms(results):
    differences = {str(one.row.item()): float(one.difference) for one in dual_table._cells_of(results)}
    for name in ("sign", "ReLU", "Hermite", "exponential", "synthetic", "Gaussian", "Bessel"):
        assert differences[name] <= 1e-10


def test_what_is_realizable_and_harmonic_is_measured(results):
    names = [str(name) for name in results.row.values]
    rows = dict(zip(names, dual_table._table(results), strict=True))
    assert {name: row["realizable"] for name, row in rows.items() if row["realizable"] != "yes"} == {
        "Coulomb": "no",
        "distance": "no",
    }
    assert "harmonic for all r" in rows["Coulomb"]["harmonic"] or "harmonic for r > 0" in rows["Coulomb"]["harmonic"]
    assert "λ-harmonic with λ = 1 for r > 0.5" in rows["almost λ-harmonic"]["harmonic"]
    assert "1.73205" in rows["Gaussian"]["harmonic"]
    assert rows["synthetic"]["1-harmonic residual"] < 0.1


def test_verdicts_hold_for_realizable_rows_alone(results):
    words = {v.note: v.verdict for v in dual_table._verdicts(results)}
    assert {note for note, word in words.items() if word == "not-applicable"} == {"Coulomb", "distance"}
    assert all(word == "holds" for note, word in words.items() if note not in ("Coulomb", "distance"))


def test_a_wrong_potential_in_a_row_is_refuted(monkeypatch, results):
    made = dual_rows.row("Hermite", dual_rows.Sizes(3, 5, 10, 0.5))
    doctored = dataclasses.replace(made, closed_form=potentials.monomial(5))
    monkeypatch.setattr(dual_rows, "row", lambda name, sizes: doctored)
    study = registry.get("dual-table")
    shard = study.compute({"row": "Hermite"}, jax.random.key(0), study.settings("quick", points=9))
    verdict = dual_table._verdicts(xr.concat([shard.assign_coords(row="Hermite")], "cell"))[0]
    assert verdict.verdict == "refuted"


def test_the_figure_has_a_line_for_every_row(results):
    with style.paper():
        figure = dual_table._figure(results)
    labels = {text.get_text() for axes in figure.axes for text in axes.get_legend().get_texts()}
    assert labels == {str(name) for name in results.row.values}
    assert len(dual_table._curves(results)) == results.sizes["cell"]
    assert np.isfinite(results.closed_form).all()
