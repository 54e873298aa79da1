"""prsz18 D.1 and D.2: what a step gains, with constants measured around it."""

import jax
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.descent import HessianDescent
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Quadratic
from earnshaw.theorems.descent_lemmas import Cubic, Flat, gradient_step


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        ({"share": 1.0}, "refuted"),
        ({"factor": 3.0}, "not-applicable"),
        ({"landscape": "coulomb"}, "holds"),
        ({"landscape": "cubic"}, "not-applicable"),  # it starts where the gradient is 0
    ],
)
def test_gradient_steps(settings, word):
    verdict = theorems.check("prsz18-LD.1", steps=4, **settings)
    assert verdict.verdict == word
    if word == "holds":
        assert verdict.measured["steps"] == 12


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        ({"uphill": True}, "refuted"),
        ({"factor": 5.0}, "not-applicable"),
        ({"landscape": "cubic", "steps": 1}, "holds"),
        ({"landscape": "cubic", "steps": 1, "share": 0.5}, "refuted"),
        ({"landscape": Quadratic(np.eye(3))}, "not-applicable"),  # nowhere a negative curvature
    ],
)
def test_curvature_steps(settings, word):
    assert theorems.check("prsz18-LD.2", **{"steps": 4, **settings}).verdict == word


def test_the_measured_bounds_of_a_quadratic_are_its_curvatures():
    landscape = Quadratic(np.diag([4.0, -1.0, 0.5]))
    flat, random = Flat(landscape), np.random.default_rng(0)
    x = np.array([1.0, 1.0, -1.0])
    seen = flat.around(x, 0.3, np.array([1.0, 0.0, 0.0]), random)
    assert seen.curvature == pytest.approx(4.0, rel=1e-12)
    assert seen.third < 1e-9
    assert seen.gradient <= np.linalg.norm([4, 1, 0.5]) + 4 * 0.3
    assert flat.room(x) == np.inf
    step = gradient_step(flat, x, 1.0, random)
    assert step is not None
    # The gain is exactly α‖g‖² − α²gᵀAg/2.
    gradient = np.diag([4.0, -1.0, 0.5]) @ x
    gain = step.size * gradient @ gradient - step.size**2 / 2 * gradient @ np.diag([4.0, -1.0, 0.5]) @ gradient
    assert step.gained == pytest.approx(gain, rel=1e-12)


def test_the_cubic_gains_a_third_and_no_more():
    cubic = Cubic()
    algorithm = HessianDescent(1.0)
    state = algorithm.init(cubic, cubic.init(jax.random.key(0)), jax.random.key(0))
    after = jax.jit(lambda s: algorithm.step(cubic, s))(state)
    np.testing.assert_allclose(after.params, [-1.0, 0.0, 0.0], atol=1e-14)
    assert float(state.loss - after.loss) == pytest.approx(1 / 3, rel=1e-12)


@pytest.mark.parametrize("theorem_id", ["prsz18-LD.1", "prsz18-LD.2"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"factor": 0.0}, "factor"),
        ({"landscape": "gausian"}, "did you mean 'gaussian'"),
        ({"starts": 0}, "starts"),
        ({"share": -1.0}, "share"),
    ],
)
def test_bad_settings_are_refused(theorem_id, settings, message):
    with pytest.raises(EarnshawError, match=message):
        theorems.check(theorem_id, **settings)
