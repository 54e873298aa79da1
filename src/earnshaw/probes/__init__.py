"""What to record while descending: named functions of landscape and state, ready-made."""

import earnshaw.numerics  # noqa: F401  (turns double precision on)
from earnshaw.probes.almost_critical import almost_critical
from earnshaw.probes.distance_from_start import distance_from_start
from earnshaw.probes.gradient_norm import gradient_norm
from earnshaw.probes.hessian_eigenvalues import largest_hessian_eigenvalue, smallest_hessian_eigenvalue
from earnshaw.probes.loss import loss
from earnshaw.probes.matching import match, matching
from earnshaw.probes.nodes import nodes
from earnshaw.probes.path import path
from earnshaw.probes.registry import get, names

__all__ = [
    "almost_critical",
    "distance_from_start",
    "get",
    "gradient_norm",
    "largest_hessian_eigenvalue",
    "loss",
    "match",
    "matching",
    "names",
    "nodes",
    "path",
    "smallest_hessian_eigenvalue",
]
