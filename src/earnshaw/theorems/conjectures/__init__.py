"""Searching for counterexamples to the conjectures of zps17, whose potentials have kinks."""

from earnshaw.theorems.conjectures.digits import recheck
from earnshaw.theorems.conjectures.hunt import Found, Hunt, conclude, hunt
from earnshaw.theorems.conjectures.kinks import LABELS, Kinked, settle

__all__ = ["LABELS", "Found", "Hunt", "Kinked", "conclude", "hunt", "recheck", "settle"]
