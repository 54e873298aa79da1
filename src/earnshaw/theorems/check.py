"""Checking a theorem by its id."""

from typing import Any

from earnshaw.theorems.registry import get
from earnshaw.theorems.verdict import Verdict


def check(theorem_id: str, /, seed: Any = 0, **settings: Any) -> Verdict:
    """Check one instance of a theorem: `check("zps17-2.2", seed=1, d=5)`."""
    return get(theorem_id)(seed=seed, **settings)
