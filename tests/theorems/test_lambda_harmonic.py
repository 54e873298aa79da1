"""λ-harmonic potentials: zps17 Lemma 3.8 and Theorem 3.9."""

import math

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError


def test_the_laplacian_in_an_isolated_electron_is_minus_two_c_lambda_a_squared():
    verdict = theorems.check("zps17-L3.8", points=16, starts=8)
    assert verdict.verdict == "holds"
    assert verdict.measured["Δ_θᵢ L / aᵢ²"] == pytest.approx(-2, abs=1e-10) == verdict.predicted["Δ_θᵢ L / aᵢ²"]
    assert verdict.measured["largest λ_min of the block"] < 0
    assert "minimum" not in verdict.measured["ends of descents"]


def test_differing_from_some_electron_is_not_enough():
    verdict = theorems.check("zps17-L3.8", isolation="some", points=16)
    assert verdict.verdict == "refuted"
    assert verdict.measured["loss"] > 0.8
    # By hand, with e^{−|x − y|}: the loss rises on a small sphere around the two opposite electrons.
    found = verdict.counterexample
    w, b = np.asarray(found["protons"])[:, 0], np.asarray(found["charges"])
    x, a = np.asarray(found["electrons"])[:, 0], np.asarray(found["electron charges"])

    def loss(x, a):
        places, charges = np.concatenate([x, w]), np.concatenate([a, b])
        return charges @ np.exp(-np.abs(places[:, None] - places[None])) @ charges

    assert loss(x, a) == pytest.approx(1 - math.exp(-2.0), abs=1e-14)
    random = np.random.default_rng(0)
    for radius in (1e-3, 1e-2, 1e-1):
        for _ in range(200):
            step = random.normal(size=6)
            step *= radius / np.linalg.norm(step)
            assert loss(x + step[:3], a + step[3:]) > loss(x, a)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        pytest.param({"law": "gaussian"}, "refuted", marks=pytest.mark.slow),
        ({"charge_factor": 2.0}, "not-applicable"),
        ({"potential": "gaussian"}, "not-applicable"),
        ({"potential": "yukawa", "d": 3}, "not-applicable"),
    ],
)
def test_other_charges_and_potentials_are_seen(settings, word):
    assert theorems.check("zps17-L3.8", points=16, starts=8, **settings).verdict == word


@pytest.mark.slow
def test_an_almost_harmonic_potential_obeys_it_outside_its_core():
    potential = potentials.almost_harmonic(d=3, eps=0.3)
    assert theorems.check("zps17-L3.8", potential=potential, d=3, beyond=0.3).verdict == "holds"
    assert theorems.check("zps17-L3.8", potential=potential, d=3, beyond=0.1).verdict == "not-applicable"


@pytest.mark.slow
def test_descent_finds_the_protons_from_all_starts_that_keep_the_assumptions():
    verdict = theorems.check("zps17-3.9", starts=24)
    assert verdict.verdict == "holds"
    assert 0 < verdict.measured["starts that keep the assumptions"] < 24
    assert verdict.measured["of them at the protons"] == verdict.measured["starts that keep the assumptions"]
    assert verdict.measured["starts in which a charge comes near 0"] > 0


def test_without_the_assumptions_nothing_is_claimed_to_hold():
    assert theorems.check("zps17-3.9", starts=24, assumptions=False).verdict != "holds"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "word"), [({"law": "gaussian"}, "refuted"), ({"potential": "gaussian"}, "not-applicable")]
)
def test_a_potential_without_an_eigenvalue_is_seen(settings, word):
    assert theorems.check("zps17-3.9", **settings).verdict == word


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-L3.8", {"isolation": "none"}, "unknown reading"),
        ("zps17-L3.8", {"isolation": "some", "d": 2}, "on the line"),
        ("zps17-L3.8", {"beyond": 9.0}, "leaves no room"),
        ("zps17-L3.8", {"charge_factor": float("nan")}, "charge_factor must be a finite number"),
        ("zps17-3.9", {"k": 0}, "k must be a whole number from 1"),
        ("zps17-3.9", {"potential": "bessel"}, "must depend on the distance"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
