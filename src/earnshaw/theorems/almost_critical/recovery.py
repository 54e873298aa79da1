"""Node-wise descent on random teachers, and whether the electrons become the protons."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from earnshaw.descent import NodeWise, SecondOrder, Stop, descend, endpoints
from earnshaw.landscapes import Particles
from earnshaw.probes.matching import match
from earnshaw.theorems.search.pairing import pairing

#: η and γ: far below any gradient on the way, so that a node ends when its loss no longer falls.
THRESHOLD = 1e-14
STEPS_OF_A_NODE = 2000


class Recovery(NamedTuple):
    """For every start: the worst distance of an electron to its proton, the same with charges, steps and loss."""

    distance: Float[np.ndarray, " n"]
    error: Float[np.ndarray, " n"]
    steps: Int[np.ndarray, " n"]
    loss: Float[np.ndarray, " n"]
    positions: Float[np.ndarray, "n k d"]
    charges: Float[np.ndarray, "n k"]


def node_wise(step_size: Any, *, charges: str, joint: bool, tries: int = 256) -> NodeWise:
    """prsz18 Algorithm 3, from the best of some random points, with charges that are "learned" or "optimal".

    >>> node_wise("measured", charges="optimal", joint=True).charge
    'optimal'
    """
    inner = SecondOrder(step_size, eta=THRESHOLD, gamma=THRESHOLD)
    each = Stop(steps=STEPS_OF_A_NODE, gradient_norm=None)
    return NodeWise(inner, each=each, charge=charges, joint=joint, tries=tries)


def recover(landscape: Particles, algorithm: NodeWise, starts: int, key: Any, threads: int | None = None) -> Recovery:
    """Descend from so many random starts, and match electrons and protons."""
    stop = Stop(steps=STEPS_OF_A_NODE * landscape.electrons, gradient_norm=None)
    trajectory = descend(landscape, algorithm, starts, stop=stop, key=key, progress=False, threads=threads)
    points = endpoints(trajectory, landscape)
    error, _ = pairing(landscape, points, 0.0)
    distance = np.array([float(match(each, landscape.protons)[0].max()) for each in points.positions])
    return Recovery(
        distance,
        error,
        trajectory.steps.values,
        trajectory.final_loss.values,
        np.asarray(points.positions),
        np.asarray(points.charges),
    )
