"""Theorems that run: hypotheses, a prediction, a measurement, and a verdict.

Loading this room loads nothing numeric; each theorem's module is imported when it is asked for.
"""

from earnshaw.theorems.check import check
from earnshaw.theorems.registry import Entry, get, ids
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import WORDS, Hypothesis, Verdict, decide

__all__ = ["WORDS", "Entry", "Hypothesis", "Theorem", "Verdict", "check", "decide", "get", "ids"]
