"""Exact intervals for probabilities and means."""

from math import comb

import numpy as np
import pytest
import scipy.stats

from earnshaw.errors import EarnshawError
from earnshaw.numerics.intervals import clopper_pearson, mean_interval


def _at_least(successes: int, trials: int, p: float) -> float:
    return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(successes, trials + 1))


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 10), (10, 10), (47, 50), (0, 40)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_ends_are_where_a_tail_of_the_binomial_law_has_half_of_what_is_left(successes, trials, level):
    low, high = clopper_pearson(successes, trials, level)
    assert 0 <= low <= successes / trials <= high <= 1
    if successes > 0:
        assert _at_least(successes, trials, low) == pytest.approx((1 - level) / 2, rel=1e-9)
    if successes < trials:
        assert 1 - _at_least(successes + 1, trials, high) == pytest.approx((1 - level) / 2, rel=1e-9)


@pytest.mark.parametrize("p", [0.05, 0.5, 0.93])
def test_the_interval_covers_at_least_as_often_as_it_says(p):
    trials, level = 25, 0.9
    covered = 0.0
    for k in range(trials + 1):
        low, high = clopper_pearson(k, trials, level)
        covered += (low <= p <= high) * comb(trials, k) * p**k * (1 - p) ** (trials - k)
    assert covered >= level


@pytest.mark.parametrize(("given", "sentence"), [((3, 2), "3 successes in 2"), ((0, 0), "0 trials")])
def test_impossible_counts_are_refused(given, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        clopper_pearson(*given)


@pytest.mark.parametrize("level", [0.0, 1.0, float("nan")])
def test_impossible_levels_are_refused(level):
    with pytest.raises(EarnshawError, match="confidence level"):
        clopper_pearson(1, 2, level)


def test_the_interval_of_a_mean_is_student_s():
    values = np.random.default_rng(0).normal(size=7)
    expected = scipy.stats.t.interval(0.9, 6, loc=values.mean(), scale=scipy.stats.sem(values))
    assert mean_interval(values, 0.9) == pytest.approx(expected)


def test_a_single_value_has_no_interval():
    with pytest.raises(EarnshawError, match="at least 2"):
        mean_interval([1.0])
    with pytest.raises(EarnshawError, match="between 0 and 1"):
        mean_interval([1.0, 2.0], 1.0)
