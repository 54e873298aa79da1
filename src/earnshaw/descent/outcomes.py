"""How the descent from one start ended."""

from enum import IntEnum

import numpy as np
from jaxtyping import Int8


class Outcome(IntEnum):
    """Why a start stopped; `RUNNING` while it has not.

    >>> Outcome.OUT_OF_STEPS.label
    'out of steps'
    """

    RUNNING = 0
    CONVERGED = 1
    """The gradient norm reached its threshold, or the algorithm found the almost critical point that it looks for."""
    LOW_LOSS = 2
    """The loss reached its threshold."""
    EVENT = 3
    """The event of a gradient flow happened."""
    STOPPED = 4
    """The algorithm ended by itself."""
    OUT_OF_TIME = 5
    """The flow time, or the sum of the step sizes, reached its limit."""
    OUT_OF_STEPS = 6
    ESCAPED = 7
    """A point left the ball of the escape radius."""
    DIVERGED = 8
    """The size of the loss grew beyond its limit."""
    NOT_FINITE = 9
    """The loss, the gradient or a parameter is infinite or not a number."""
    STIFF = 10
    """An adaptive integrator needed more inner steps than it may take."""
    INTERRUPTED = 11
    """Somebody stopped the whole descent."""
    STALLED = 12
    """The loss fell by less than the algorithm needs to go on, at a point that is not almost critical."""
    FAILED = 13
    """The algorithm reported failure: it did not find what it looks for in the steps that it has."""
    COLLAPSED = 14
    """An electron came so near to another particle that the potential is not differentiable there."""

    @property
    def label(self) -> str:
        """The words that a trajectory uses for this outcome."""
        return self.name.lower().replace("_", " ")


def labels(codes: Int8[np.ndarray, " n"]) -> np.ndarray:
    """The words for an array of outcome codes.

    >>> labels(np.array([1, 6], dtype=np.int8)).tolist()
    ['converged', 'out of steps']
    """
    return np.array([outcome.label for outcome in Outcome])[codes]
