"""Algorithms, and the one loop that runs any of them from many starts."""

import earnshaw.numerics  # noqa: F401  (turns double precision on)
from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.gradient_descent import Constant, Decaying, GradientDescent
from earnshaw.descent.gradient_flow import GradientFlow
from earnshaw.descent.loop import descend
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.probe import Probe
from earnshaw.descent.progress import Progress
from earnshaw.descent.schedule import Every, Logarithmic, Schedule
from earnshaw.descent.state import State
from earnshaw.descent.stop import Stop
from earnshaw.descent.trajectory import endpoints

__all__ = [
    "Algorithm",
    "Constant",
    "Decaying",
    "Every",
    "GradientDescent",
    "GradientFlow",
    "Logarithmic",
    "Outcome",
    "Probe",
    "Progress",
    "Schedule",
    "State",
    "Stop",
    "descend",
    "endpoints",
]
