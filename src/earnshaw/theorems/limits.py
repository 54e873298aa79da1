"""Numbers that a theorem's check accepts, and the sentence for those that it does not."""

import math
from typing import Any

from earnshaw.errors import EarnshawError


def whole(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an integer from `low` to `high`.

    >>> whole("d", 3, 2, 10)
    3
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise EarnshawError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return value


def above(name: str, value: Any, low: float, high: float = math.inf) -> float:
    """`value` as a finite number above `low` and at most `high`.

    >>> above("tolerance", 1e-9, 0.0)
    1e-09
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and low < value <= high):
        ceiling = "" if math.isinf(high) else f" and at most {high:g}"
        raise EarnshawError(f"{name} must be a finite number above {low:g}{ceiling}, not {value!r}")
    return float(value)
