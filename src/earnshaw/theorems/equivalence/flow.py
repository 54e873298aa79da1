"""The other side of the equivalence: the library's own gradient flow on a multiple of the loss."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.descent import GradientFlow, Stop, descend
from earnshaw.descent.probe import Probe
from earnshaw.descent.schedule import Every
from earnshaw.geometry import Manifold
from earnshaw.landscapes import Electrons
from earnshaw.landscapes.landscape import Landscape

#: Inner steps between two recorded times.
MAX_INNER_STEPS = 500

_PATH = Probe("path", lambda landscape, state: state.params.positions, dims=("particle", "coordinate"))
_SLOPE = Probe("slope", lambda landscape, state: state.gradient.positions, dims=("particle", "coordinate"))


class Multiple(Landscape):
    """`factor` times another loss: ½L is the one whose flow the theorems name.

    >>> from earnshaw.landscapes import Quadratic
    >>> Multiple(Quadratic(jnp.eye(1)), 0.5).loss(jnp.ones(1)).item()
    0.25
    """

    landscape: Landscape
    factor: Float[Array, ""]
    manifold: Manifold

    def __init__(self, landscape: Landscape, factor: float):
        self.landscape = landscape
        self.factor = jnp.asarray(factor, float)
        self.manifold = landscape.manifold

    def loss(self, params: Any) -> Float[Array, ""]:
        """The multiple of the loss."""
        return self.factor * self.landscape.loss(params)

    def init(self, key: PRNGKeyArray) -> Any:
        """A start of the other landscape."""
        return self.landscape.init(key)

    def adapt(self, params_batch: Any) -> "Multiple":
        """The same multiple of a landscape that is accurate at these parameters."""
        adapted = self.landscape.adapt(params_batch)
        return self if adapted is self.landscape else eqx.tree_at(lambda m: m.landscape, self, adapted)


def flow_paths(
    landscape: Landscape, starts: Electrons, time: float, intervals: int, tolerance: float
) -> tuple[Float[np.ndarray, "starts t m d"], Float[np.ndarray, "starts m d"]]:
    """Where the electrons are at the ends of `intervals` equal intervals (and at 0), and the first velocities.

    Times that the solver did not reach are NaN.
    """
    flow = GradientFlow(time / intervals, rtol=tolerance, atol=tolerance, max_inner_steps=MAX_INNER_STEPS)
    stop = Stop(steps=intervals, gradient_norm=None, divergence=None)
    trajectory = descend(landscape, flow, starts, stop=stop, probes=(_PATH, _SLOPE), schedule=Every(1), progress=False)
    return _reached(trajectory, intervals), -trajectory["slope"].values[:, 0]


def _reached(trajectory: xr.Dataset, intervals: int) -> Float[np.ndarray, "starts t m d"]:
    path = trajectory["path"].values
    reached = np.full((path.shape[0], intervals + 1, *path.shape[2:]), np.nan)
    # The records end with the last start, and a start that ended before repeats its last one.
    for start, steps in enumerate(trajectory["steps"].values):
        reached[start, : steps + 1] = path[start, : steps + 1]
    return reached
