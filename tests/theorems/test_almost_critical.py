"""The lemmas and theorems of prsz18 about almost λ-harmonic potentials: they hold, and doctored instances do not."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons
from earnshaw.theorems.almost_critical.points import looked_at
from earnshaw.theorems.almost_critical.setting import Setting

FEW = {"starts": 8, "steps": 12, "teachers": 1}
ALL_AT_ONCE, ONE = ["prsz18-L4.3", "prsz18-L4.4"], ["prsz18-LE.1", "prsz18-LE.2"]


@pytest.mark.parametrize("theorem", ALL_AT_ONCE + ONE)
def test_lemmas_about_almost_critical_points(theorem):
    verdict = theorems.check(theorem, **FEW)
    assert verdict.verdict == "holds"
    # not because there was nothing to see
    assert verdict.measured["places tested"] >= 40
    assert 1e-6 < verdict.measured["largest share of what is allowed"] < 1
    doctored = theorems.check(theorem, factor=1e-7, **FEW)
    assert doctored.verdict == "refuted"
    assert {"positions", "charges", "protons", "μ"} <= doctored.counterexample.keys()
    assert theorems.check(theorem, potential="gaussian", **FEW).verdict == "not-applicable"


def test_the_points_are_what_they_are_called():
    setting = Setting.of("", 3, 0.1, 1.0)
    random = np.random.default_rng(0)
    landscape = setting.particles(*setting.teacher(random, 3), 3, regularised=True)
    points = looked_at(landscape, random, 8, 12, 0.3)
    params = Electrons(jnp.asarray(points.params.positions[50]), jnp.asarray(points.params.charges[50]))
    gradient, hessian = jax.jit(lambda params: (landscape.gradient(params), landscape.hessian(params)))(params)
    norm = math.sqrt(float(jnp.sum(gradient.positions**2) + jnp.sum(gradient.charges**2)))
    assert points.mu[50] == pytest.approx(max(norm, -float(np.linalg.eigvalsh(hessian)[0])), rel=1e-9)
    gain = math.sqrt(float(landscape.constant)) - math.sqrt(float(landscape.loss(params)))
    assert points.gain[50] == pytest.approx(gain, abs=1e-14)
    # Newton's way leads to where the gradient vanishes, and the Laplacian argument says with negative curvature.
    assert np.min(points.mu) < 1e-3 * np.max(points.mu)


def test_the_hypothesis_is_measured():
    own, other = (Setting.of(name, 3, 0.1, 1.0).hypotheses() for name in ("", "gaussian"))
    assert [hypothesis.met for hypothesis in own] == [True, True]
    assert [hypothesis.met for hypothesis in other] == [False, True]


def test_the_first_point_of_all_electrons():
    verdict = theorems.check("prsz18-L4.5", teachers=200)
    assert verdict.verdict == "holds"
    assert verdict.predicted["exponent of d/ε in δ, per dimension"] < 8
    assert theorems.check("prsz18-L4.5", teachers=200, factor=1e30).verdict == "refuted"
    assert theorems.check("prsz18-L4.5", teachers=200, charge=0.5).verdict == "refuted"
    assert theorems.check("prsz18-L4.5", teachers=200, potential="gaussian").verdict == "not-applicable"


def test_around_a_proton_the_force_points_at_it():
    verdict = theorems.check("prsz18-LE.3")
    assert verdict.verdict == "holds"
    assert verdict.measured["largest exponent of d/ε in 1/ζ, per dimension"] < 3
    assert theorems.check("prsz18-LE.3", exponent=0.5).verdict == "refuted"
    assert theorems.check("prsz18-LE.3", spacing=1.0).verdict == "not-applicable"
    assert theorems.check("prsz18-LE.3", charge_error=0.1).verdict == "not-applicable"
    assert theorems.check("prsz18-LE.3", potential="gaussian").verdict == "not-applicable"


def test_the_first_point_and_step_of_one_electron():
    verdict = theorems.check("prsz18-LE.4")
    assert verdict.verdict == "holds"
    assert verdict.measured["steps that rounding resolves"] > 5
    assert "theorem's" in verdict.note
    assert theorems.check("prsz18-LE.4", alpha=1e3).verdict == "refuted"
    assert theorems.check("prsz18-LE.4", exponent=0.1).verdict == "refuted"
    assert theorems.check("prsz18-LE.4", radius=1.0).verdict == "not-applicable"
    assert theorems.check("prsz18-LE.4", potential="gaussian").verdict == "not-applicable"


def test_one_electron_finds_a_proton_and_its_charge_if_it_is_solved_for():
    verdict = theorems.check("prsz18-LE.5", starts=4)
    assert verdict.verdict == "holds"
    assert "measured on the path" in verdict.note
    assert verdict.measured["largest charge error"] < 1e-8
    assert theorems.check("prsz18-LE.5", starts=4, exponent=6.0).verdict == "refuted"
    closer = theorems.check("prsz18-LE.5", starts=4, spacing=1.0)
    assert closer.verdict == "not-applicable"


@pytest.mark.slow
def test_a_charge_that_descends_with_the_position_is_left_behind():
    verdict = theorems.check("prsz18-LE.5", starts=4, charges="learned")
    assert verdict.verdict == "refuted"
    assert verdict.counterexample["claim"].startswith("its charge")
    # the position is fine
    assert verdict.measured["largest distance"] < 1e-12
    assert verdict.measured["largest charge error"] > 0.1


@pytest.mark.slow
def test_the_steps_of_the_theorem_are_too_short_to_run():
    verdict = theorems.check("prsz18-LE.5", starts=4, schedule="theorem")
    assert verdict.verdict == "inconclusive"
    assert verdict.measured["outcomes"] == ["out of steps"]
    assert "constant 1.37" in verdict.note


@pytest.mark.slow
def test_all_electrons_at_once_one_of_them_finds_a_proton():
    verdict = theorems.check("prsz18-4.1", teachers=2)
    assert verdict.verdict == "holds"
    assert verdict.measured["largest distance"] < 1e-9
    assert theorems.check("prsz18-4.1", teachers=1, factor=1e-18).verdict == "refuted"
    assert theorems.check("prsz18-4.1", teachers=1, alpha=50.0).verdict == "refuted"
    assert theorems.check("prsz18-4.1", teachers=1, schedule="theorem").verdict == "inconclusive"


def test_too_long_a_step_leaves_all_electrons_where_they_are():
    verdict = theorems.check("prsz18-4.1", teachers=1, alpha=50.0)
    assert verdict.verdict == "refuted"
    assert verdict.measured["steps"] == 0


def test_node_wise_descent_finds_every_proton():
    verdict = theorems.check("prsz18-4.6", teachers=8)
    assert verdict.verdict == "holds"
    assert verdict.measured["largest error with charges"] < 1e-10
    assert theorems.check("prsz18-4.6", teachers=8, exponent=6.0).verdict == "refuted"
    assert theorems.check("prsz18-4.6", teachers=8, probability=0.9).verdict == "inconclusive"


@pytest.mark.slow
def test_with_charges_that_descend_node_wise_descent_finds_no_teacher():
    verdict = theorems.check("prsz18-4.6", teachers=8, charges="learned", joint=False)
    assert verdict.verdict == "refuted"
    assert verdict.measured["recovered"] == 0
    assert theorems.check("prsz18-4.6", teachers=2, potential="gaussian").verdict == "not-applicable"


@pytest.mark.parametrize(
    ("theorem", "settings", "says"),
    [
        ("prsz18-L4.3", {"d": 5}, r"d ≡ 3 \(mod 4\)"),
        ("prsz18-L4.3", {"eps": 1.5}, "eps must be a finite number above 0 and at most 0.999"),
        ("prsz18-L4.4", {"k": 0}, "k must be a whole number from 1 to 20"),
        ("prsz18-LE.1", {"starts": 10**6}, "starts must be a whole number from 1 to 10000"),
        ("prsz18-LE.2", {"potential": "relu"}, "about radial potentials, and dual of"),
        ("prsz18-L4.5", {"teachers": 1}, "teachers must be a whole number from 10"),
        ("prsz18-LE.3", {"spacing": -1.0}, "spacing must be a finite number above 0"),
        ("prsz18-LE.4", {"alpha": -1.0}, "alpha must be a finite number"),
        ("prsz18-LE.5", {"charges": "optimum"}, "did you mean 'optimal'"),
        ("prsz18-LE.5", {"schedule": "mesured"}, "did you mean 'measured'"),
        ("prsz18-4.6", {"charges": "fixed"}, "unknown treatment of the charge"),
        ("prsz18-4.6", {"k": 1000}, "k must be a whole number from 1 to 50"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, says):
    with pytest.raises(EarnshawError, match=says):
        theorems.check(theorem, **settings)
