"""Every theorem by its id, as strings only: listing them loads nothing numeric."""

import importlib
from typing import NamedTuple

from earnshaw.errors import unknown_name
from earnshaw.theorems.theorem import Theorem


class Entry(NamedTuple):
    """Where a theorem lives and what it is called."""

    module: str
    title: str


REGISTRY: dict[str, Entry] = {}


def ids() -> list[str]:
    """The ids of all theorems, in the order of their papers."""
    return list(REGISTRY)


def get(theorem_id: str, /) -> Theorem:
    """Load one theorem.

    >>> get("zps17-99.1")
    Traceback (most recent call last):
    earnshaw.errors.EarnshawError: ...
    """
    if theorem_id not in REGISTRY:
        raise unknown_name("theorem", theorem_id, REGISTRY)
    return importlib.import_module(REGISTRY[theorem_id].module).theorem
