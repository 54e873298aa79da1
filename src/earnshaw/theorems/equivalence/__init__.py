"""Electron-proton dynamics beside gradient flow: what zps17, Theorem 2.2 and prsz18, Theorem 2.3 compare."""

from earnshaw.theorems.equivalence.comparison import Comparison, compare
from earnshaw.theorems.equivalence.dynamics import particle_paths
from earnshaw.theorems.equivalence.instance import Instance
from earnshaw.theorems.equivalence.judge import judge, sides

__all__ = ["Comparison", "Instance", "compare", "judge", "particle_paths", "sides"]
