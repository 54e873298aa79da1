"""The theorems on realizability hold on their potentials, and their checks fail on wrong ones."""

import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError


@pytest.mark.parametrize("theorem_id", ["prsz18-2.1", "zps17-2.4"])
@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        ({"potential": "exponential", "d": 2}, "holds"),
        ({"claimed": "exponential"}, "refuted"),
        ({"weight": "1/4"}, "refuted"),
        ({"weight": "1/4", "d": 1}, "holds"),
        ({"potential": "distance"}, "not-applicable"),
        ({"potential": "coulomb"}, "not-applicable"),
    ],
)
def test_spectral_realization(theorem_id, settings, word):
    assert theorems.check(theorem_id, **settings).verdict == word


@pytest.mark.parametrize("theorem_id", ["prsz18-B.2", "zps17-2.5"])
@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        ({"coefficients": [0.5, 0.0, 0.3, 0.2]}, "holds"),
        ({"potential": "monomial"}, "holds"),
        ({"claimed": "monomial"}, "refuted"),
        ({"first_index": 1}, "refuted"),
        ({"coefficients": [0.5, -0.1, 0.6]}, "not-applicable"),
        ({"potential": "relu"}, "not-applicable"),
    ],
)
def test_hermite_realization(theorem_id, settings, word):
    assert theorems.check(theorem_id, **settings).verdict == word


@pytest.mark.parametrize(
    ("settings", "word"),
    [({}, "holds"), ({"potential": "exponential"}, "refuted"), ({"scale": 1.001}, "refuted")],
)
def test_the_bessel_pair(settings, word):
    assert theorems.check("prsz18-LB.10", **settings).verdict == word


@pytest.mark.parametrize(
    ("settings", "word", "claim"),
    [
        ({}, "holds", None),
        pytest.param({"d": 7, "eps": 0.5, "lam": 2.0}, "holds", None, marks=pytest.mark.slow),
        ({"potential": "gaussian"}, "refuted", "λ-harmonic for r ≥ ε"),
        ({"potential": "exponential"}, "refuted", "λ-harmonic for r ≥ ε"),
    ],
)
def test_almost_harmonic_potentials(settings, word, claim):
    verdict = theorems.check("prsz18-L4.2", **settings)
    assert verdict.verdict == word
    if claim:
        assert verdict.measured[claim] < 0


@pytest.mark.parametrize(
    ("theorem_id", "settings", "message"),
    [
        ("prsz18-L4.2", {"d": 5}, "mod 4"),
        ("prsz18-L4.2", {"eps": -0.1}, "eps"),
        ("prsz18-L4.2", {"eps": 2.0}, "eps < 1"),
        ("prsz18-L4.2", {"potential": "sign"}, "radial"),
        ("prsz18-2.1", {"potential": "gausian"}, "did you mean 'gaussian'"),
        ("prsz18-2.1", {"weight": "d/2"}, "'d/4' or '1/4'"),
        ("prsz18-2.1", {"d": 0}, "d ≥ 1"),
        ("prsz18-2.1", {"tolerance": -1.0}, "positive"),
        ("prsz18-B.2", {"first_index": 2}, "starts at 0"),
        ("prsz18-B.2", {"potential": "coulomb"}, "inner product"),
        ("prsz18-B.2", {"coefficients": ["a"]}, "are numbers"),
        ("prsz18-LB.10", {"potential": "sign"}, "radial"),
        ("prsz18-LB.10", {"scale": 0.0}, "above 0"),
        ("prsz18-LB.10", {"scale": 1e300}, "at most 1e\\+100"),
        ("prsz18-L4.2", {"tolerance": -1e-8}, "above 0"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(theorem_id, settings, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        theorems.check(theorem_id, **settings)
    assert "\n" not in str(caught.value)
