"""Electron-proton dynamics beside gradient flow: what zps17, Theorem 2.2 and prsz18, Theorem 2.3 compare."""

from earnshaw.theorems.equivalence.check import PARAMETERS, check
from earnshaw.theorems.equivalence.comparison import Comparison, compare
from earnshaw.theorems.equivalence.dynamics import particle_paths
from earnshaw.theorems.equivalence.facts import Facts, measure
from earnshaw.theorems.equivalence.instance import Instance
from earnshaw.theorems.equivalence.judge import Claim, judge
from earnshaw.theorems.equivalence.names import named_potential

__all__ = [
    "PARAMETERS",
    "Claim",
    "Comparison",
    "Facts",
    "Instance",
    "check",
    "compare",
    "judge",
    "measure",
    "named_potential",
    "particle_paths",
]
