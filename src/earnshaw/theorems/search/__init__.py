"""Searching a landscape for local minima, and saying what each point that was found is.

Shared by all theorems that say there are no spurious ones.
"""

from earnshaw.theorems.search.critical import critical_points
from earnshaw.theorems.search.end_points import EndPoints, classify
from earnshaw.theorems.search.joint_motion import JointMotion, joint_motion
from earnshaw.theorems.search.search import search

__all__ = ["EndPoints", "JointMotion", "classify", "critical_points", "joint_motion", "search"]
