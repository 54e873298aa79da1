"""Earnshaw's theorem in both papers' words: it must hold for harmonic potentials, and be seen to fail for others."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError

SMALL = {"starts": 24}
IDS = [name for name in ("zps17-3.3", "prsz18-3.4") if name in theorems.ids()]


@pytest.mark.parametrize("theorem", IDS)
def test_free_electrons_rest_at_saddles_only(theorem):
    verdict = theorems.check(theorem, seed=3, **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["critical points"]["saddle"] > 0
    assert verdict.measured["largest λ_min"] < 0
    assert "minimum" not in verdict.measured["ends of descents"]
    assert verdict.measured["collapsed onto a proton"] > 0
    assert verdict.measured["largest |ΔL| over the size of its terms"] < 1e-12


def test_a_law_that_is_not_harmonic_has_stable_places_between_protons():
    verdict = theorems.check("zps17-3.3", seed=1, law="gaussian", **SMALL)
    assert verdict.verdict == "refuted"
    found = verdict.counterexample
    # Recomputed by hand: the loss rises in every direction from the counterexample.
    electrons, charges = np.asarray(found["electrons"]), np.asarray(found["electron charges"])

    def energy(places):
        pairs = np.exp(-np.sum((places[:, None] - places[None]) ** 2, axis=2) / 2) * np.outer(charges, charges)
        to_protons = np.exp(-np.sum((places[:, None] - found["protons"][None]) ** 2, axis=2) / 2)
        return pairs.sum() - np.trace(pairs) + 2 * charges @ to_protons @ found["proton charges"]

    random = np.random.default_rng(0)
    steps = random.normal(size=(200, *electrons.shape))
    steps *= 1e-3 / np.linalg.norm(steps, axis=(1, 2), keepdims=True)
    assert min(energy(electrons + step) for step in steps) > energy(electrons)


@pytest.mark.parametrize(("potential", "d"), [("logarithmic", 3), pytest.param("gaussian", 3, marks=pytest.mark.slow)])
def test_a_potential_that_is_not_harmonic_is_not_what_the_theorem_is_about(potential, d):
    verdict = theorems.check("zps17-3.3", potential=potential, d=d, **SMALL)
    assert verdict.verdict == "not-applicable"
    assert [fact.met for fact in verdict.hypotheses] == [False, True]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"potential": "monomial"}, "lives on the sphere"),
        ({"law": "gausian"}, "did you mean 'gaussian'"),
        ({"charges": "some"}, "unknown law of charges 'some'"),
        ({"electrons": 0}, "electrons must be a whole number from 1"),
        ({"collision": float("nan")}, "collision must be a finite number"),
        ({"starts": 10**6}, "starts must be a whole number"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-3.3", **settings)
