"""Node-wise descent on random teachers, and whether the electrons become the protons."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment

from earnshaw.descent import NodeWise, SecondOrder, Stop, descend_each
from earnshaw.landscapes import Particles

#: η and γ: far below any gradient on the way (in R⁷ fields of 1e-12 have to lead), so that a node ends when its loss no
#: longer falls.
THRESHOLD = 1e-100
STEPS_OF_A_NODE = 2000
#: Where losses are kept for a figure.
PATH = np.unique(np.geomspace(1, 2000, 60).astype(int)) - 1


class Recovery(NamedTuple):
    """For every landscape: the worst distance of an electron to its proton, the same with charges, and how it went."""

    distance: Float[np.ndarray, " n"]
    error: Float[np.ndarray, " n"]
    steps: Int[np.ndarray, " n"]
    loss: Float[np.ndarray, " n"]
    positions: Float[np.ndarray, "n k d"]
    charges: Float[np.ndarray, "n k"]
    #: The loss at the steps `PATH`; a start that has ended keeps its last one.
    path: Float[np.ndarray, "n records"]


def node_wise(step_size: Any, *, charges: str, joint: bool, tries: int = 256) -> NodeWise:
    """prsz18 Algorithm 3, from the best of some random points, with charges that are "learned" or "optimal".

    >>> node_wise("measured", charges="optimal", joint=True).charge
    'optimal'
    """
    inner = SecondOrder(step_size, eta=THRESHOLD, gamma=THRESHOLD)
    each = Stop(steps=STEPS_OF_A_NODE, gradient_norm=None)
    return NodeWise(inner, each=each, charge=charges, joint=joint, tries=tries)


def recover(landscapes: Sequence[Particles], algorithm: NodeWise, key: Any, threads: int | None = None) -> Recovery:
    """Descend once on each of the landscapes, and match electrons and protons."""
    stop = Stop(steps=STEPS_OF_A_NODE * landscapes[0].electrons, gradient_norm=None)
    state, losses = descend_each(landscapes, algorithm, stop=stop, key=key, marks=PATH, threads=threads)
    positions, charges = np.asarray(state.params.positions), np.asarray(state.params.charges)
    distance, error = np.zeros(len(landscapes)), np.zeros(len(landscapes))
    for number, landscape in enumerate(landscapes):
        protons, own = np.asarray(landscape.protons), np.asarray(landscape.charges)
        apart = np.linalg.norm(positions[number][:, None] - protons, axis=-1)
        electrons, partners = linear_sum_assignment(np.nan_to_num(apart, nan=np.inf, posinf=1e300) ** 2)
        distance[number] = np.max(apart[electrons, partners])
        off = np.abs(charges[number][electrons] + own[partners])
        error[number] = max(distance[number], np.max(off))
    return Recovery(distance, error, np.asarray(state.steps), np.asarray(state.loss), positions, charges, losses)


def losses_on_the_way(trajectory: xr.Dataset) -> Float[np.ndarray, "n records"]:
    """The recorded losses at the steps `PATH`, or the last ones before."""
    return trajectory.loss.sel(step=PATH, method="ffill").transpose("start", "step").values
