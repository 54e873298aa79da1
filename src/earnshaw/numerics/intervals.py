"""Exact confidence intervals for a probability of which only so many trials were seen."""

from scipy.special import betaincinv

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
