"""Earnshaw: a laboratory for provable gradient descent.

`import earnshaw as es` loads nothing heavy; a name is imported from its room when it is first used. The first numeric
room turns on JAX's double precision.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_ROOMS = (
    "descent",
    "duality",
    "errors",
    "geometry",
    "kernels",
    "landscapes",
    "numerics",
    "probes",
    "report",
    "runs",
    "studies",
    "theorems",
)

_NAMES = {
    "Activation": "earnshaw.duality",
    "Dual": "earnshaw.duality",
    "Potential": "earnshaw.duality",
    "Radial": "earnshaw.duality",
    "Separable": "earnshaw.duality",
    "Zonal": "earnshaw.duality",
    "activations": "earnshaw.duality",
    "potentials": "earnshaw.duality",
    "EarnshawError": "earnshaw.errors",
    "Euclidean": "earnshaw.geometry",
    "Manifold": "earnshaw.geometry",
    "Product": "earnshaw.geometry",
    "Sphere": "earnshaw.geometry",
    "ConvResNet": "earnshaw.kernels",
    "Dense": "earnshaw.kernels",
    "ResNet": "earnshaw.kernels",
    "kernel": "earnshaw.kernels",
    "Electrons": "earnshaw.landscapes",
    "Empirical": "earnshaw.landscapes",
    "Landscape": "earnshaw.landscapes",
    "Particles": "earnshaw.landscapes",
    "Algorithm": "earnshaw.descent",
    "Every": "earnshaw.descent",
    "GradientDescent": "earnshaw.descent",
    "GradientFlow": "earnshaw.descent",
    "HessianDescent": "earnshaw.descent",
    "Logarithmic": "earnshaw.descent",
    "Measured": "earnshaw.descent",
    "NodeWise": "earnshaw.descent",
    "NoisyGradient": "earnshaw.descent",
    "Probe": "earnshaw.descent",
    "SecondOrder": "earnshaw.descent",
    "StochasticGradient": "earnshaw.descent",
    "Stop": "earnshaw.descent",
    "Trajectory": "earnshaw.descent",
    "descend": "earnshaw.descent",
    "descend_each": "earnshaw.descent",
    "endpoints": "earnshaw.descent",
    "Hypothesis": "earnshaw.theorems",
    "Theorem": "earnshaw.theorems",
    "Verdict": "earnshaw.theorems",
    "check": "earnshaw.theorems",
    "Study": "earnshaw.studies",
    "run": "earnshaw.runs",
    "kernel_file": "earnshaw.runs.kernel_file",
}

if TYPE_CHECKING:
    from earnshaw.descent import Algorithm as Algorithm
    from earnshaw.descent import Every as Every
    from earnshaw.descent import GradientDescent as GradientDescent
    from earnshaw.descent import GradientFlow as GradientFlow
    from earnshaw.descent import HessianDescent as HessianDescent
    from earnshaw.descent import Logarithmic as Logarithmic
    from earnshaw.descent import Measured as Measured
    from earnshaw.descent import NodeWise as NodeWise
    from earnshaw.descent import NoisyGradient as NoisyGradient
    from earnshaw.descent import Probe as Probe
    from earnshaw.descent import SecondOrder as SecondOrder
    from earnshaw.descent import StochasticGradient as StochasticGradient
    from earnshaw.descent import Stop as Stop
    from earnshaw.descent import Trajectory as Trajectory
    from earnshaw.descent import descend as descend
    from earnshaw.descent import descend_each as descend_each
    from earnshaw.descent import endpoints as endpoints
    from earnshaw.duality import Activation as Activation
    from earnshaw.duality import Dual as Dual
    from earnshaw.duality import Potential as Potential
    from earnshaw.duality import Radial as Radial
    from earnshaw.duality import Separable as Separable
    from earnshaw.duality import Zonal as Zonal
    from earnshaw.duality import activations as activations
    from earnshaw.duality import potentials as potentials
    from earnshaw.errors import EarnshawError as EarnshawError
    from earnshaw.geometry import Euclidean as Euclidean
    from earnshaw.geometry import Manifold as Manifold
    from earnshaw.geometry import Product as Product
    from earnshaw.geometry import Sphere as Sphere
    from earnshaw.kernels import ConvResNet as ConvResNet
    from earnshaw.kernels import Dense as Dense
    from earnshaw.kernels import ResNet as ResNet
    from earnshaw.kernels import kernel as kernel
    from earnshaw.landscapes import Electrons as Electrons
    from earnshaw.landscapes import Empirical as Empirical
    from earnshaw.landscapes import Landscape as Landscape
    from earnshaw.landscapes import Particles as Particles
    from earnshaw.runs import run as run
    from earnshaw.runs.kernel_file import kernel_file as kernel_file
    from earnshaw.studies import Study as Study
    from earnshaw.theorems import Hypothesis as Hypothesis
    from earnshaw.theorems import Theorem as Theorem
    from earnshaw.theorems import Verdict as Verdict
    from earnshaw.theorems import check as check

__all__ = ["__version__", *_ROOMS, *_NAMES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        value = getattr(importlib.import_module(_NAMES[name]), name)
    elif name in _ROOMS:
        value = importlib.import_module(f"earnshaw.{name}")
    else:
        raise AttributeError(f"module 'earnshaw' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
