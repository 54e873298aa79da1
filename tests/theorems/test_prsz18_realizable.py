"""prsz18 B.4 to B.9: Gram matrices, mixtures and constructions of realizable potentials."""

import math

import mpmath
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError
from earnshaw.theorems import continued_inwards


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        pytest.param({"potential": "exponential", "d": 5}, "holds", marks=pytest.mark.slow),
        ({"claimed": "distance"}, "refuted"),
        ({"potential": "distance"}, "not-applicable"),
        ({"potential": "yukawa"}, "not-applicable"),  # infinite at coincidence
    ],
)
def test_gram_matrices_of_realizable_potentials(settings, word):
    verdict = theorems.check("prsz18-LB.4", points=16, draws=2, **settings)
    assert verdict.verdict == word
    if word == "refuted":
        # the distances of points have one positive eigenvalue, and negative ones
        assert verdict.measured["smallest eigenvalue, relative to the largest entry"] < 0


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        ({"family": "exponential", "d": 2}, "holds"),
        pytest.param({"family": "overlap"}, "holds", marks=pytest.mark.slow),
        ({"claimed": "gaussian"}, "refuted"),
        ({"shift": 1.0}, "not-applicable"),
    ],
)
def test_mixtures_of_realizable_potentials(settings, word):
    assert theorems.check("prsz18-LB.6", **settings).verdict == word


@pytest.mark.parametrize(
    ("theorem_id", "settings", "word", "claim"),
    [
        ("prsz18-LB.7", {}, "holds", None),
        ("prsz18-LB.7", {"d": 7, "t": 1.0, "eps": 0.5}, "holds", None),
        ("prsz18-LB.7", {"construction": "overlaps"}, "holds", None),
        ("prsz18-LB.7", {"construction": "overlaps", "d": 7}, "refuted", "Φ^(d−1) is the tent"),
        ("prsz18-LB.7", {"construction": "flat"}, "refuted", "Fourier transform nonnegative"),
        ("prsz18-LB.7", {"eps": 3.0}, "not-applicable", None),
        ("prsz18-LB.8", {}, "holds", None),
        ("prsz18-LB.8", {"profile": "yukawa", "d": 7}, "holds", None),
        ("prsz18-LB.8", {"profile": "power", "size": 3.0}, "holds", None),
        ("prsz18-LB.8", {"flat": True}, "refuted", "Fourier transform nonnegative"),
        ("prsz18-LB.8", {"profile": "gaussian"}, "not-applicable", None),
        ("prsz18-LB.8", {"profile": "power"}, "not-applicable", None),  # 1/r is not square-integrable in R³
        ("prsz18-LB.9", {}, "holds", None),
        ("prsz18-LB.9", {"printed": True}, "refuted", "bound on every derivative"),
        ("prsz18-LB.9", {"eps": 1.5}, "not-applicable", None),
        pytest.param(
            "prsz18-LB.9", {"potential": "gaussian"}, "refuted", "λ-harmonic for r ≥ ε", marks=pytest.mark.slow
        ),
        pytest.param("prsz18-LB.9", {"d": 7, "eps": 0.5}, "holds", None, marks=pytest.mark.slow),
    ],
)
def test_constructions(theorem_id, settings, word, claim):
    verdict = theorems.check(theorem_id, **settings)
    assert verdict.verdict == word
    if claim:
        assert verdict.measured[claim] < 0


@pytest.mark.parametrize("name", ["tent", "exponential", "yukawa", "power", "gaussian"])
def test_derivatives_of_profiles_against_multiprecision(name):
    profile = continued_inwards.family(name, 7, 2.0)
    exact = {
        "tent": lambda r: (2 - r) ** 7 / mpmath.factorial(7),
        "exponential": lambda r: mpmath.exp(-r / 2),
        "yukawa": lambda r: (1 + mpmath.sqrt(2) * r + 2 * r**2 / 3) * mpmath.exp(-mpmath.sqrt(2) * r) / r**5,
        "power": lambda r: r**-2,
        "gaussian": lambda r: mpmath.exp(-(r**2) / 8),
    }[name]
    for order in range(9):
        with mpmath.workdps(40):
            wanted = float(mpmath.diff(exact, mpmath.mpf("0.7"), order))
        assert float(profile(0.7, order)) == pytest.approx(wanted, rel=1e-11, abs=1e-13)


def test_the_polynomial_inside_is_the_repeated_integral_of_a_line():
    phi = continued_inwards.ContinuedInwards(continued_inwards.family("exponential", 7, 1.0), 7, 0.8)

    # order 6 is c·r inside, and e^{−r} outside
    def top(x):
        return math.exp(-0.8) * x / 0.8 if x < 0.8 else math.exp(-x)

    for r in (0.0, 0.3, 0.79, 1.1):
        assert float(phi(r)) == pytest.approx(
            continued_inwards.repeated_integral(top, 7, r, [0.8, 5.0, 60.0]), rel=1e-9
        )


@pytest.mark.parametrize(
    ("theorem_id", "settings", "message"),
    [
        ("prsz18-LB.4", {"potential": "sign"}, "lives on the sphere"),
        ("prsz18-LB.4", {"points": 1}, "points must be"),
        ("prsz18-LB.6", {"family": "gausian"}, "gaussian"),
        ("prsz18-LB.6", {"low": 3.0}, "high"),
        ("prsz18-LB.6", {"claimed": "sign"}, "radial"),
        ("prsz18-LB.7", {"d": 5}, "mod 4"),
        ("prsz18-LB.7", {"construction": "guess"}, "construction is one of"),
        ("prsz18-LB.8", {"d": 23}, "lose their digits"),
        ("prsz18-LB.8", {"profile": "exponentia"}, "did you mean 'exponential'"),
        ("prsz18-LB.9", {"potential": "sign"}, "radial"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(theorem_id, settings, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        theorems.check(theorem_id, **settings)
    assert "\n" not in str(caught.value)
