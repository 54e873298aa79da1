"""One electron under the potential of the sign: zps17 Theorem 3.11 and Corollary 3.12."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError
from earnshaw.theorems.sign_forces import least_force, nearest_angles

SMALL = {"starts": 16, "steps": 8000}


@pytest.mark.slow
def test_on_the_circle_every_start_ends_at_a_proton():
    verdict = theorems.check("zps17-3.11", starts=16)
    assert verdict.verdict == "holds"
    at_each = np.asarray(verdict.measured["of them at each proton"])
    assert at_each.sum() == 16 == verdict.measured["starts"]
    # With the best charge the loss is −C(θ)²: a function of the angle that has minima where electrons are.
    random = np.random.default_rng(0)
    protons = random.normal(size=(4, 2))
    protons /= np.linalg.norm(protons, axis=1, keepdims=True)
    charges = random.choice([-1.0, 1.0], size=4) * random.uniform(0.5, 2.0, size=4)

    def loss(angle):
        cosines = np.cos(angle - np.arctan2(protons[:, 1], protons[:, 0]))
        return -(float(charges @ (1 - 2 / np.pi * np.arccos(np.clip(cosines, -1, 1)))) ** 2)

    for j in np.flatnonzero(at_each):
        at = np.arctan2(protons[j, 1], protons[j, 0])
        assert loss(at) < min(loss(at + 1e-3), loss(at - 1e-3))


def test_two_protons_of_different_charge_pull_the_electron_onto_one_of_them():
    verdict = theorems.check("zps17-C3.12", **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["still on their way"] == 0


def test_two_protons_of_one_charge_hold_the_electron_between_them():
    assert theorems.check("zps17-C3.12", charges="equal", **SMALL).verdict == "not-applicable"
    printed = theorems.check("zps17-C3.12", charges="equal", printed=True, **SMALL)
    assert printed.verdict == "refuted"
    assert printed.measured["at rest off all protons"] > 8
    # The end lies on the arc between ±w₁ and ±w₂: the angles to both add up to theirs.
    theta, protons = np.asarray(printed.counterexample["θ"]), np.asarray(printed.counterexample["protons"])
    signed = protons * np.sign(protons @ theta)[:, None]
    parts = np.arccos(signed @ theta)
    assert np.sum(parts) == pytest.approx(np.arccos(signed[0] @ signed[1]), abs=1e-6)
    assert min(parts) > 0.05


def test_steps_that_stay_large_never_arrive():
    verdict = theorems.check("zps17-3.11", shrinking=False, first_step=5.0, starts=16)
    assert verdict.verdict == "refuted"


def test_the_theorem_is_about_the_circle_and_the_corollary_about_two_protons():
    spheres = theorems.check("zps17-3.11", d=4, k=2, **SMALL)
    assert (spheres.verdict, [fact.met for fact in spheres.hypotheses]) == ("not-applicable", [False, True])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theorem", "settings", "word"),
    [
        ("zps17-3.11", {"law": "sphere_exponential"}, "refuted"),
        ("zps17-3.11", {"k": 6, "seed": 2}, "holds"),
        ("zps17-C3.12", {"k": 3}, "not-applicable"),
        ("zps17-C3.12", {"d": 20}, "holds"),
    ],
)
def test_other_laws_and_sizes(theorem, settings, word):
    assert theorems.check(theorem, **settings).verdict == word


def test_the_least_sum_of_forces_is_that_of_the_arcs():
    protons = np.array([[1.0, 0.0], [np.cos(1.0), np.sin(1.0)], [np.cos(2.0), np.sin(2.0)]])
    charges = np.array([1.0, 1.5, 4.0])
    angles = np.linspace(0.01, 2 * np.pi + 0.01, 7000, endpoint=False)
    cosines = np.cos(angles[:, None] - np.array([0.0, 1.0, 2.0]))
    field = np.arccos(cosines) @ charges
    slopes = np.abs(np.diff(field)) / np.diff(angles)
    flat = slopes[1:-1][
        np.isclose(slopes[1:-1], slopes[2:], atol=1e-6) & np.isclose(slopes[1:-1], slopes[:-2], atol=1e-6)
    ]
    assert least_force(protons, charges) == pytest.approx(flat.min(), abs=1e-6) == pytest.approx(1.5, abs=1e-6)


def test_angles_keep_their_digits_near_a_proton():
    tilted = np.array([[np.cos(1e-12), np.sin(1e-12)], [-np.cos(1e-9), np.sin(1e-9)]])
    assert nearest_angles(tilted, np.eye(2)) == pytest.approx([1e-12, 1e-9], rel=1e-3)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"law": "gaussian"}, "lives in R"),
        ({"first_step": 0.0}, "first_step must be a finite number above 0"),
        ({"charges": "odd"}, "unknown law of charges"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-3.11", **settings)
