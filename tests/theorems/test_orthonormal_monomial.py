"""One electron among orthonormal protons: it must end at one of them, and be seen not to."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError

SMALL = {"starts": 24, "descents": 8}


@pytest.mark.slow
def test_the_electron_ends_at_a_proton_whichever_it_is():
    verdict = theorems.check("zps17-3.10", **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["descents at a proton"] == "8 of 8"
    assert verdict.measured["critical points"]["saddle"] > 10
    assert len(verdict.measured["losses of minima"]) > 1
    assert verdict.measured["largest |a| where they end"] < 2 + 1e-6


def test_only_with_equal_charges_is_every_minimum_a_global_one():
    assert theorems.check("zps17-3.10", printed=True, charges="equal", **SMALL).verdict == "holds"
    verdict = theorems.check("zps17-3.10", printed=True, **SMALL)
    assert verdict.verdict == "refuted"
    # By hand: at (θ, a) = (w, −b) the loss is −b², and it rises in every direction although b² is not the largest.
    found = verdict.counterexample
    theta, a, b, protons = np.asarray(found["θ"]), found["a"], found["charges"], found["protons"]
    assert found["loss"] > -np.max(b**2) + 0.5

    def loss(theta, a):
        return a**2 + 2 * a * b @ (protons @ theta / np.linalg.norm(theta)) ** 3

    assert loss(theta, a) == pytest.approx(found["loss"], abs=1e-12)
    random = np.random.default_rng(0)
    for _ in range(200):
        step = 1e-3 * random.normal(size=6)
        assert loss(theta + step[:5], a + step[5]) > loss(theta, a)


def test_a_step_far_above_the_theorems_does_not_arrive():
    verdict = theorems.check("zps17-3.10", step_factor=100.0, **SMALL)
    assert verdict.verdict == "refuted"
    assert verdict.counterexample["claim"] == "every descent ends at a proton"


def test_protons_that_are_not_orthonormal_are_another_matter():
    verdict = theorems.check("zps17-3.10", tilt=0.3, **SMALL)
    assert verdict.verdict == "not-applicable"
    assert [fact.met for fact in verdict.hypotheses] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"l": 2}, "not-applicable"),
        ({"l": 4}, "holds"),
        ({"law": "sphere_exponential", "charges": "equal"}, "refuted"),
        ({"d": 8, "k": 8, "starts": 200}, "holds"),
    ],
)
def test_other_degrees_and_another_law(settings, word):
    assert theorems.check("zps17-3.10", **{**SMALL, **settings}).verdict == word


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"k": 6}, "k must be a whole number from 1 to 5"),
        ({"law": "coulomb"}, "lives in R"),
        ({"step_factor": 0.0}, "step_factor must be a finite number above 0"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-3.10", **{**SMALL, **settings})
