"""How long one call to the device may take. This file holds the only clock of the loop."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

#: Short enough for Ctrl-C and progress to feel immediate, long enough for the cost of a call not to matter.
SECONDS_PER_CALL = 0.2


class Pace:
    """Learns how many steps of a block of a given size fit in one call.

    A call is cut where it is convenient for whoever watches; the steps themselves are the same wherever it is cut, so
    no result depends on the clock.

    >>> pace = Pace()
    >>> with pace.measured(size=16, steps=8):
    ...     pass
    >>> pace.steps(size=16)
    64
    """

    def __init__(self, seconds: float = SECONDS_PER_CALL):
        self._seconds = seconds
        self._steps: defaultdict[int, int] = defaultdict(lambda: 8)

    def steps(self, size: int) -> int:
        """How many steps the next call may make."""
        return self._steps[size]

    @contextmanager
    def measured(self, size: int, steps: int) -> Iterator[None]:
        """Time a call that is allowed so many steps, and learn from it."""
        began = time.perf_counter()
        yield
        elapsed = max(time.perf_counter() - began, 1e-9)
        fitting = steps * self._seconds / elapsed
        # One call is a poor measurement (it may have been cut short, or shared the machine): trust it by a factor.
        self._steps[size] = int(min(max(fitting, steps / 2, 1), 8 * self._steps[size], 2**30))
