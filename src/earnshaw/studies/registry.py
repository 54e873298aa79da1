"""Every study by its name, as strings only: listing them loads nothing numeric."""

import importlib
from typing import NamedTuple

from earnshaw.errors import unknown_name
from earnshaw.studies.study import Study


class Entry(NamedTuple):
    """Where a study lives and which artefact it makes again."""

    module: str
    artefact: str


REGISTRY: dict[str, Entry] = {
    "dual-table": Entry("earnshaw.studies.dual_table", "zps17 Table 1, prsz18 Table 1"),
    "equivalence": Entry("earnshaw.studies.equivalence", "zps17 Theorem 2.2, prsz18 Theorem 2.3"),
    "nodewise-hermite": Entry("earnshaw.studies.nodewise_hermite", "zps17 Theorems 3.10, 4.5; prsz18 Theorem G.3"),
    "conjectures": Entry("earnshaw.studies.conjectures", "zps17 Conjectures 3.13, 3.14"),
    "nodewise-gaussian": Entry(
        "earnshaw.studies.nodewise_gaussian", "zps17 Theorem 4.2 and Corollary 4.3, prsz18 Theorem F.4"
    ),
    "width": Entry("earnshaw.studies.width", "prsz18 Figure 1"),
    "depth-width": Entry("earnshaw.studies.depth_width", "prsz18 Table 2 and Figure 2, zps17 Table 2"),
    "nodewise-yukawa": Entry("earnshaw.studies.nodewise_yukawa", "prsz18 Theorem 4.6, Algorithms 1-3"),
}


def names() -> list[str]:
    """The names of all studies, in the order of their papers."""
    return list(REGISTRY)


def get(name: str, /) -> Study:
    """Load one study.

    >>> get("dull-table")
    Traceback (most recent call last):
    earnshaw.errors.EarnshawError: ...
    """
    if name not in REGISTRY:
        raise unknown_name("study", name, REGISTRY)
    return importlib.import_module(REGISTRY[name].module).study
