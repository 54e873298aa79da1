"""At which steps the probes look."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from earnshaw.errors import EarnshawError

#: Records that a schedule may ask for.
MOST = 10**6


class Schedule(ABC):
    """A rule for the recorded steps, known before the run, so that room for the records can be set aside."""

    @abstractmethod
    def marks(self, last: int) -> Int64[np.ndarray, " records"]:
        """The recorded steps in rising order; 0 and `last` are always among them."""


@dataclass(frozen=True)
class Every(Schedule):
    """Every n-th step.

    >>> Every(4).marks(10).tolist()
    [0, 4, 8, 10]
    """

    n: int

    def __post_init__(self) -> None:
        _require_positive_integer("Every(n)", self.n)

    def marks(self, last: int) -> Int64[np.ndarray, " records"]:
        """0, n, 2n, … and `last`."""
        if last // self.n > MOST:
            raise EarnshawError(
                f"Every({self.n}) makes {last // self.n} records in {last} steps and the most is {MOST}; record less "
                f"often, with Every({-(-last // MOST)}) or Logarithmic(per_decade)"
            )
        return _with_ends(np.arange(0, last + 1, self.n, dtype=np.int64), last)


@dataclass(frozen=True)
class Logarithmic(Schedule):
    """Steps that grow in proportion, so many per decade (fewer among the first, which are whole numbers too).

    >>> Logarithmic(3).marks(100).tolist()
    [0, 1, 2, 5, 10, 22, 46, 100]
    """

    per_decade: int

    def __post_init__(self) -> None:
        _require_positive_integer("Logarithmic(per_decade)", self.per_decade)

    def marks(self, last: int) -> Int64[np.ndarray, " records"]:
        """0, `last` and the numbers 10^{j / per_decade} between, rounded."""
        decades = np.log10(max(last, 1))
        exponents = np.arange(int(np.floor(decades * self.per_decade)) + 1) / self.per_decade
        steps = np.rint(10**exponents).astype(np.int64)
        return _with_ends(steps[steps <= last], last)


def _with_ends(steps: Int64[np.ndarray, " n"], last: int) -> Int64[np.ndarray, " records"]:
    return np.unique(np.concatenate([[0], steps, [last]])).astype(np.int64)


def _require_positive_integer(what: str, n: object) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise EarnshawError(f"{what} needs a whole number of at least 1, not {n!r}")
