"""Exact confidence intervals: for a probability of which only so many trials were seen, and for a mean."""

from typing import Any

import numpy as np
from scipy.special import betaincinv, stdtrit

from earnshaw.errors import EarnshawError


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of probabilities that so many successes in so many trials do not rule out, by Clopper and Pearson.

    Its ends are the p at which seeing at least (at most) `successes` in a binomial law has the probability
    (1 − level)/2, so that it covers the true probability at least as often as `level` says, for any number of trials.

    >>> low, high = clopper_pearson(9, 10)
    >>> round(low, 4), round(high, 4)
    (0.555, 0.9975)
    >>> clopper_pearson(0, 10)[0], clopper_pearson(10, 10)[1]
    (0.0, 1.0)
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise EarnshawError(f"there cannot be {successes} successes in {trials} trials")
    if not 0 < level < 1:
        raise EarnshawError(f"a confidence level lies between 0 and 1, unlike {level!r}")
    tail = (1 - level) / 2
    low = float(betaincinv(successes, trials - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, trials - successes, 1 - tail)) if successes < trials else 1.0
    return low, high


def mean_interval(values: Any, level: float = 0.95) -> tuple[float, float]:
    """Student's interval for the mean of a normal law of which these values were seen.

    x̄ ± t s/√n with the quantile t of n − 1 degrees of freedom; exact for normal values, approximate for others.

    >>> low, high = mean_interval([1.0, 2.0, 3.0])
    >>> round(low, 3), round(high, 3)
    (-0.484, 4.484)
    """
    seen = np.asarray(values, float).ravel()
    if seen.size < 2:
        raise EarnshawError(f"the spread of a mean is not known from {seen.size} values; at least 2 are needed")
    if not 0 < level < 1:
        raise EarnshawError(f"a confidence level lies between 0 and 1, unlike {level!r}")
    mean = float(np.mean(seen))
    half = float(stdtrit(seen.size - 1, (1 + level) / 2) * np.std(seen, ddof=1) / np.sqrt(seen.size))
    return mean - half, mean + half
