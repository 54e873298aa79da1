"""prsz18, Lemma B.1: the potential of an activation on the sphere is its dual, and no other function."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import activations
from earnshaw.errors import EarnshawError
from earnshaw.theorems.two_units import expectation

FEW = {"samples": 20_000, "pairs": 2}


@pytest.mark.parametrize(
    ("name", "dual"),
    [
        ("linear", lambda rho: rho),
        ("quadratic", lambda rho: 1 + 2 * rho**2),
        ("exponential", lambda rho: np.exp(rho - 1)),
        ("sign", lambda rho: 2 / np.pi * np.arcsin(rho)),
        ("relu", lambda rho: (np.sqrt(1 - rho**2) + rho * (np.pi - np.arccos(rho))) / (2 * np.pi)),
        ("erf", lambda rho: 2 / np.pi * np.arcsin(2 * rho / 3)),
    ],
)
@pytest.mark.parametrize("rho", [-1.0, -0.4, 0.0, 0.9, 1.0])
def test_quadrature_in_the_plane_against_closed_forms(name, dual, rho):
    assert expectation(activations.get(name), rho) == pytest.approx(dual(rho), abs=1e-10)


@pytest.mark.parametrize("given", [{"activation": "relu"}, {"activation": "tanh", "d": 2}, {"potential": "relu"}])
def test_the_lemma_holds(given):
    if given.get("potential") == "relu":
        given = given | {"activation": activations.relu().scaled(2**0.5)}
    verdict = theorems.check("prsz18-LB.1", **FEW, **given)
    assert verdict.verdict == "holds"
    assert verdict.measured["off by so many standard errors"] < 6


@pytest.mark.parametrize("potential", ["relu", "gaussian", "sign", "tanh"])
def test_another_potential_is_refuted(potential):
    verdict = theorems.check("prsz18-LB.1", potential=potential, **FEW)
    assert verdict.verdict == "refuted"
    assert verdict.margin < -0.01
    assert {"u", "v", "potential"} <= verdict.counterexample.keys()


def test_other_norms_are_not_its_subject():
    verdict = theorems.check("prsz18-LB.1", norm=2.0, **FEW)
    assert verdict.verdict == "not-applicable"
    assert not verdict.hypotheses[0].met


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"activation": "rellu"}, "did you mean 'relu'"),
        ({"potential": "gausian"}, "did you mean 'gaussian'"),
        ({"d": 1}, "at least 2, not 1"),
        ({"pairs": 0}, "pairs must be between"),
        ({"norm": 0.0}, "norm must be a finite number above 0"),
        ({"samples": 10}, "samples must be at least 1000"),
        ({"samples": 10**9}, "at most 1e8"),
        ({"tolerance": -1.0}, "tolerance must be between"),
    ],
)
def test_bad_settings_are_one_sentence(given, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("prsz18-LB.1", **given)
