"""Algorithms, and the one loop that runs any of them from many starts."""

import earnshaw.numerics  # noqa: F401  (turns double precision on)
from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.each import descend_each
from earnshaw.descent.gradient_descent import GradientDescent
from earnshaw.descent.gradient_flow import GradientFlow
from earnshaw.descent.hessian_descent import HessianDescent
from earnshaw.descent.loop import descend
from earnshaw.descent.node_wise import NodeWise
from earnshaw.descent.noisy_gradient import NoisyGradient
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.probe import Probe
from earnshaw.descent.progress import Progress
from earnshaw.descent.saddle_free import SaddleFreeDescent
from earnshaw.descent.schedule import Every, Logarithmic, Schedule
from earnshaw.descent.second_order import SecondOrder
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Constant, Decaying, Measured
from earnshaw.descent.stochastic_gradient import StochasticGradient
from earnshaw.descent.stop import Stop
from earnshaw.descent.trajectory import Trajectory, endpoints

__all__ = [
    "Algorithm",
    "Constant",
    "Decaying",
    "Every",
    "GradientDescent",
    "GradientFlow",
    "HessianDescent",
    "Logarithmic",
    "Measured",
    "NodeWise",
    "NoisyGradient",
    "Outcome",
    "Probe",
    "Progress",
    "SaddleFreeDescent",
    "Schedule",
    "SecondOrder",
    "State",
    "StochasticGradient",
    "Stop",
    "Trajectory",
    "descend",
    "descend_each",
    "endpoints",
]
