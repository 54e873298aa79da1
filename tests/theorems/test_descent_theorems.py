"""What gradient descent and noisy descent find: zps17, Theorems B.5 and B.7, Corollary B.6."""

import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.errors import EarnshawError

FEW = {"starts": 40, "steps": 3000}
NOISY = {"epsilon": (0.4, 0.3), "starts": 20, "steps": 2000, "zeta": 0.2}


@pytest.mark.parametrize("theorem", ["zps17-B.5", "zps17-CB.6"])
def test_random_starts_end_at_minima(theorem):
    verdict = theorems.check(theorem, **FEW)
    assert verdict.verdict == "holds"
    assert verdict.measured["ends"] == {"minimum": 40}
    assert verdict.measured["at a global minimum"] == 40


def test_a_minimum_that_is_not_global_stops_the_corollary_and_not_the_theorem():
    assert theorems.check("zps17-B.5", landscape="tilted_well", **FEW).verdict == "holds"
    verdict = theorems.check("zps17-CB.6", landscape="tilted_well", **FEW)
    assert verdict.verdict == "not-applicable"
    assert [fact.text for fact in verdict.hypotheses if not fact.met] == ["every local minimum is global"]


@pytest.mark.parametrize(
    ("settings", "unmet"),
    [
        ({"start": "stable"}, "the start has a density"),
        ({"step_factor": 3.0}, "α = 1/(2L)"),
        ({"bound": 2.0}, "‖∇²f‖ ≤ L on Ω"),
    ],
)
def test_what_the_theorem_supposes_is_measured(settings, unmet):
    verdict = theorems.check("zps17-B.5", **FEW | settings)
    assert verdict.verdict == "not-applicable"
    assert unmet in [fact.text for fact in verdict.hypotheses if not fact.met]


@pytest.mark.parametrize("theorem", ["zps17-B.5", "zps17-CB.6"])
def test_descent_need_not_converge_as_printed(theorem):
    assert theorems.check(theorem, landscape="runaway", **FEW).verdict == "not-applicable"
    verdict = theorems.check(theorem, landscape="runaway", printed=True, **FEW)
    assert verdict.verdict == "refuted"
    # Beyond its maximum at 2 the loss x²e^{−x} falls forever.
    assert verdict.counterexample["start"][0] > 2
    assert verdict.counterexample["end"][0] > verdict.counterexample["start"][0]


@pytest.mark.slow
def test_noisy_descent_on_an_estimate_ends_among_almost_critical_points():
    verdict = theorems.check("zps17-B.7", **NOISY)
    assert verdict.verdict == "holds"
    assert "measured on the path" in verdict.note
    slow = theorems.check("zps17-B.7", step_size="proof", **NOISY)
    assert slow.verdict == "holds"
    assert "step size of the proof" in slow.note
    assert min(slow.measured["median steps"]) > 5 * max(verdict.measured["median steps"])


def test_without_noise_it_stays_at_the_saddle_and_a_bad_estimate_is_not_what_the_theorem_is_about():
    verdict = theorems.check("zps17-B.7", **NOISY | {"noise": 0.0, "error": 0.0, "epsilon": (0.3,)})
    assert verdict.verdict == "refuted"
    np.testing.assert_allclose(verdict.counterexample["end"], 0.0, atol=1e-6)
    assert theorems.check("zps17-B.7", **NOISY | {"error": 5.0, "epsilon": (0.4,)}).verdict == "not-applicable"


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-B.5", {"landscape": "double"}, "unknown landscape 'double'"),
        ("zps17-B.5", {"start": "middle"}, "start must be random or stable"),
        ("zps17-B.7", {"epsilon": ()}, "epsilon must be a number, or several"),
        ("zps17-B.7", {"error": -1.0}, "error must be a finite number"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
