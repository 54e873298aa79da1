"""A theorem that runs: its number in the source, its statement in our words, and how to check one instance of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from earnshaw.errors import EarnshawError
from earnshaw.theorems.parameters import override
from earnshaw.theorems.verdict import Verdict

LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Theorem:
    """One numbered result of a paper.

    `check(seed=0, **parameters)` checks one instance and returns a `Verdict`; `parameters` are its defaults, plain
    values that the command line can override. Calling the theorem does the same after looking the settings over:

    >>> def check(seed=0, d=3):
    ...     return Verdict("demo-1.1", "holds", predicted="d ≥ 1", measured=d, margin=d - 1)
    >>> theorem = Theorem("demo-1.1", "a demonstration", "Dimension", "d is at least 1.", check, {"d": 3})
    >>> theorem(d=5).measured
    5
    """

    id: str
    source: str
    title: str
    statement: str
    check: Callable[..., Verdict]
    parameters: dict[str, Any] = field(default_factory=dict)

    def __call__(self, seed: Any = 0, **settings: Any) -> Verdict:
        """Check one instance, with `settings` over the default parameters."""
        return self.check(seed=valid_seed(seed), **override(self.id, self.parameters, settings))


def valid_seed(seed: Any) -> int:
    """`seed`, if a random key can be made of it on every machine.

    >>> valid_seed(7)
    7
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise EarnshawError(f"a seed must be an integer from 0 to {LARGEST_SEED}, not {seed!r}")
    return seed
