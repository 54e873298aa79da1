"""The dual pair: an activation σ and the potential Φ(θ, w) = E σ(x, θ)σ(x, w) through which two units interact."""

import earnshaw.numerics  # noqa: F401  (double precision first)
from earnshaw.duality import activations, potentials
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.duality.radial import Radial
from earnshaw.duality.separable import Separable
from earnshaw.duality.zonal import GramProfile, PowerSeries, Zonal

__all__ = [
    "Activation",
    "Dual",
    "GramProfile",
    "Potential",
    "PowerSeries",
    "Radial",
    "Separable",
    "Zonal",
    "activations",
    "potentials",
]
