"""The study `nodewise-yukawa`: every proton and charge is found, one electron after the other."""

import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.runs.run import run
from earnshaw.studies.nodewise_yukawa import study

SMALL = {"algorithms": ["one by one"], "k": [3], "teachers": 8}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("nodewise"), settings=SMALL)


@pytest.mark.slow
def test_every_proton_and_charge_is_found(outcome):
    (row,) = outcome.rows
    assert row["share"] == 1
    assert row["worst_with_charge"] < 1e-10
    assert row["low"] > 0.6
    results = outcome.results.isel(cell=0)
    for start in range(8):
        one = results.isel(start=start)
        apart = np.linalg.norm(one.positions.values[:, None] - one.protons.values, axis=-1)
        partner = np.argmin(apart, axis=1)
        assert sorted(partner.tolist()) == [0, 1, 2]
        np.testing.assert_allclose(one.charges, -one.proton_charges.values[partner], atol=1e-10)


@pytest.mark.slow
def test_the_loss_falls_from_that_of_no_electron_to_nothing(outcome):
    losses = outcome.results.isel(cell=0).loss.values
    assert np.all(np.diff(losses, axis=1) <= 1e-12)
    assert np.all(losses[:, -1] < 1e-10)


@pytest.mark.slow
def test_the_verdict_comes_from_the_stored_errors(outcome):
    (verdict,) = outcome.verdicts
    assert (verdict.theorem, verdict.verdict) == ("prsz18-4.6", "holds")
    off = outcome.results.copy(deep=True)
    off["error"] = off["error"] + 1e-2
    (verdict,) = study.verdicts(off)
    assert verdict.verdict == "refuted"
    off["error"][:, :5] = 0.0
    assert study.verdicts(off)[0].verdict == "inconclusive"


@pytest.mark.slow
def test_figure_and_curves(outcome):
    figure = study.figure(outcome.results)
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes] == ["(a)", "(b)"]
    curves = study.curves(outcome.results)
    assert {curve.chart for curve in curves} == {"Loss (median and quartiles of the teachers)", "Charges at the end"}
    charges = next(curve for curve in curves if curve.points)
    np.testing.assert_allclose(charges.x, charges.y, atol=1e-9)


@pytest.mark.slow
def test_the_printed_algorithm_and_all_at_once(tmp_path):
    algorithms = ["one by one, printed", "all at once"]
    outcome = run(study, tmp_path, settings={**SMALL, "algorithms": algorithms})
    printed, at_once = outcome.rows
    assert printed["share"] == 0
    assert at_once["share"] > 0.7
    assert [verdict.theorem for verdict in outcome.verdicts] == ["prsz18-4.1"]
    assert outcome.verdicts[0].verdict in ("holds", "inconclusive")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"algorithms": ["one by two"]}, "did you mean 'one by one'"),
        ({"k": [0]}, "a teacher has 1 to 50 units, not 0"),
        ({"teachers": 0}, "at least one teacher"),
        ({"d": [5]}, r"d ≡ 3 \(mod 4\)"),
    ],
)
def test_bad_settings_are_one_sentence(settings, says, tmp_path):
    with pytest.raises(EarnshawError, match=says):
        run(study, tmp_path, settings={**SMALL, **settings})
