"""Node-wise descent with fixed charges: zps17, Theorem 4.2 and Corollary 4.3."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Particles
from earnshaw.theorems.joint_strictness import strictness
from earnshaw.theorems.zps17.theorem_4_2 import smallest_variance, strict_bound

SMALL = {"teachers": 3, "points": 20, "steps": 120, "chance": 0.3}


def test_the_joint_motion_of_gaussian_electrons_is_a_sum_of_laplacians():
    random = np.random.default_rng(0)
    protons, electrons = random.normal(size=(3, 2)), 2 * random.normal(size=(5, 3, 2))
    found = strictness(Particles(potentials.gaussian(), protons, form="interaction"), electrons)
    squares = np.sum((electrons[:, :, None] - protons) ** 2, axis=-1)
    laplacians = (squares - 2) * np.exp(-squares / 2)
    np.testing.assert_allclose(found.joint, -2 / (3 * 2) * laplacians.sum(axis=(1, 2)), rtol=1e-10)
    assert (found.smallest <= found.joint + 1e-12).all()


@pytest.mark.parametrize(("k", "d", "farthest"), [(3, 4, 6.0), (2, 2, 3.0), (5, 8, 2.2)])
def test_the_bound_of_the_shell_is_the_least_of_its_terms(k, d, farthest):
    u = np.linspace(2 * d, farthest * d, 10_001)
    assert strict_bound(k, d, farthest) == pytest.approx(2 * k / d * np.min((u - d) * np.exp(-u / 2)), rel=1e-9)


def test_the_variance_of_the_protons_is_at_least_twice_the_dimension():
    for d in (2, 4, 16):
        assert smallest_variance(d, 3) > 2 * d


def test_gaussian_protons_are_found_node_by_node():
    verdict = theorems.check("zps17-4.2", **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["teachers found"] == "3 of 3"
    assert verdict.measured["largest distance"] < 1e-9
    assert "measured on the path" in verdict.note


def test_an_epsilon_of_the_printed_order_leaves_every_electron_at_the_origin():
    verdict = theorems.check("zps17-4.2", epsilon=1e-3, **SMALL | {"chance": 0.9})
    assert verdict.verdict == "refuted"
    found = verdict.counterexample
    # Recomputed by hand: the first electron ends where both its gradient and its curvature are below ε in size.
    w, theta = found["protons"], found["electrons"][0]
    forces = (theta - w) * np.exp(-np.sum((theta - w) ** 2, axis=1) / 2)[:, None]
    assert np.linalg.norm(2 * forces.sum(axis=0)) < 1e-3
    assert np.min(np.linalg.norm(theta - w, axis=1)) > 1


@pytest.mark.parametrize("settings", [{"c": 5.0}, {"shell": (0.3, 3.0)}])
def test_what_the_gaussian_theorem_supposes_is_measured(settings):
    verdict = theorems.check("zps17-4.2", **SMALL | settings)
    assert verdict.verdict == "not-applicable"


@pytest.mark.slow
def test_exponential_protons_are_found_node_by_node_in_high_dimension_and_not_with_a_large_epsilon():
    small = {"teachers": 3, "steps": 120, "chance": 0.3}
    verdict = theorems.check("zps17-C4.3", **small)
    assert verdict.verdict == "holds"
    assert verdict.measured["teachers found"] == "3 of 3"
    assert theorems.check("zps17-C4.3", epsilon=1e-3, **small | {"chance": 0.9}).verdict == "refuted"
    assert theorems.check("zps17-C4.3", charge=2.0, **small).verdict == "not-applicable"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"shell": (2.0,)}, "shell must be two"),
        ({"shell": (6.0, 2.0)}, "shell must be two rising"),
        ({"d": 0}, "d must be a whole number"),
        ({"epsilon": -1.0}, "epsilon must be a finite number"),
        ({"law": "gausian"}, "did you mean 'gaussian'"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-4.2", **settings)
