"""Node-wise descent with optimal charges: zps17, Theorems 4.4, 4.5 and D.1."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError

ORTHONORMAL = {"d": 3, "starts": 8, "steps": 400}
HARMONIC = {"d": 3, "k": 2, "points": 24, "starts": 4, "steps": 200, "chance": 0.3}
CHARGED = {"d": 3, "protons": 3, "starts": 40, "steps": 60}


@pytest.mark.slow
def test_orthonormal_polynomial_units_are_learned_one_by_one():
    verdict = theorems.check("zps17-4.5", **ORTHONORMAL)
    assert verdict.verdict == "holds"
    assert verdict.measured["starts that find all protons"] == "8 of 8"
    assert verdict.measured["ends"] == {"minimum": 8}


@pytest.mark.slow
def test_a_potential_whose_peaks_run_together_does_not_lead_to_its_units():
    verdict = theorems.check("zps17-4.5", law="sphere_exponential", **ORTHONORMAL)
    assert verdict.verdict == "refuted"
    assert verdict.counterexample["distance"] > 0.1


@pytest.mark.parametrize("settings", [{"tilt": 0.3}, pytest.param({"largest": 0.5}, marks=pytest.mark.slow)])
def test_what_the_polynomial_theorem_supposes_is_measured(settings):
    assert theorems.check("zps17-4.5", **ORTHONORMAL | settings).verdict == "not-applicable"


@pytest.mark.slow
def test_almost_critical_electrons_of_the_synthetic_potential_are_near_particles_or_hardly_charged():
    verdict = theorems.check("zps17-4.4", **HARMONIC)
    assert verdict.verdict == "holds"
    assert verdict.measured["ΔL in an electron against the formula, relative"] < 1e-10
    assert verdict.measured["largest λ_min with a free electron"] < -(0.3**2) / 12
    assert verdict.measured["members that break the rule"] == 0


def test_the_printed_sign_of_the_residual_is_refuted():
    verdict = theorems.check("zps17-4.4", sign=1.0, **HARMONIC)
    assert verdict.verdict == "refuted"
    assert "identity" in verdict.counterexample["claims"]


@pytest.mark.slow
def test_a_small_degree_is_not_what_the_theorem_is_about():
    assert theorems.check("zps17-4.4", degree=4, **HARMONIC).verdict == "not-applicable"


def test_a_node_keeps_its_charge_while_it_descends():
    verdict = theorems.check("zps17-D.1", **CHARGED)
    assert verdict.verdict == "holds"
    start, end = verdict.measured["median a² at the start and the end"]
    assert end > start
    assert verdict.measured["|∇(a*)² + ∇L/Φ(θ, θ)|, relative"] < 1e-12


@pytest.mark.slow
def test_too_large_steps_lose_the_charge_and_a_weak_field_gives_none():
    # Steps of a hundred times the noise's length land anywhere, as if each were a new draw.
    verdict = theorems.check(
        "zps17-D.1", step_size=100.0, potential="monomial", share=0.5, **CHARGED | {"epsilon": 0.3}
    )
    assert verdict.verdict == "refuted"
    path = np.asarray(verdict.counterexample["path of a²"])
    assert path[0] > path.min()
    assert theorems.check("zps17-D.1", epsilon=50.0, **CHARGED).verdict == "not-applicable"


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-4.5", {"tilt": 9.0}, "tilt must be an angle"),
        ("zps17-4.5", {"d": 1}, "d must be a whole number from 2"),
        ("zps17-4.4", {"sign": 0.5}, "sign is that of the residual"),
        ("zps17-4.4", {"degree": 3}, "must be even"),
        ("zps17-D.1", {"zeta": 2.0}, "zeta must be a finite number above 0"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
