"""Learning teachers node by node, many of them, and counting how many are found.

For zps17, Theorems 4.2 and 4.5 and Corollary 4.3.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Float, Int, PyTree

from earnshaw.descent import NodeWise, NoisyGradient, Stop, descend, endpoints
from earnshaw.landscapes import Particles
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.search import EndPoints, classify
from earnshaw.theorems.search.pairing import pairing


class Run(NamedTuple):
    """One teacher learned from one start."""

    distance: float
    """The worst distance of an electron to its proton under the best pairing."""
    label: str
    """What the end point is: "minimum", "saddle", …; see `EndPoints`."""
    steps: int
    positions: Float[np.ndarray, "k d"]
    trajectory: xr.Dataset


def one_by_one(step_size: Any, epsilon: float, steps: int, noise: float, **settings: Any) -> NodeWise:
    """Node-wise descent by `NoisyGradient` with so many steps for each node; the settings are those of `NodeWise`.

    Without a step size it is measured on the path.
    """
    inner = NoisyGradient("measured" if step_size is None else step_size, epsilon, steps=steps, noise=noise)
    return NodeWise(inner, each=Stop(steps=steps, gradient_norm=None), **settings)


def steps_used(step_size: Any, *, small_noise: bool = True) -> str:
    """Which steps and noise were used, for the note of a verdict.

    >>> steps_used(0.1)
    'Step size 0.1; noise of the size of ε.'
    """
    steps = (
        "Step sizes measured on the path, as the theorem's constants are far too small to run"
        if step_size is None
        else f"Step size {step_size:g}"
    )
    return steps + ("; noise of the size of ε." if small_noise else ".")


def learn(
    landscapes: Sequence[Particles], algorithm: NodeWise, starts: Sequence[PyTree], seed: int, **settings: Any
) -> list[Run]:
    """Learn every teacher from its start. All landscapes must have equally many protons and electrons.

    `settings` are those of `descend`, such as probes.
    """
    runs = []
    for number, (landscape, start) in enumerate(zip(landscapes, starts, strict=True)):
        batch = jax.tree.map(lambda leaf: jnp.asarray(leaf)[None], start)
        key = jax.random.fold_in(jax.random.key(seed), number)
        most = Stop(steps=int(algorithm.each.steps) * landscape.electrons + 1, gradient_norm=None)
        trajectory = descend(landscape, algorithm, batch, stop=most, key=key, progress=False, **settings)
        points = endpoints(trajectory, landscape)
        ends = classify(landscape, points)
        place = np.asarray(points.positions[0])
        runs.append(Run(float(ends.distance[0]), str(ends.label[0]), int(trajectory.steps.item()), place, trajectory))
    return runs


def learn_often(
    landscape: Particles, algorithm: NodeWise, starts: int, seed: int, tolerance: float
) -> tuple[EndPoints, Float[np.ndarray, " n"], Int[np.ndarray, " n"]]:
    """One teacher learned from many starts: what the ends are, their distances to it as they are, and the steps made.

    A run has found the teacher if its end is within `tolerance` of the global minimum, charges included, and the
    critical point beside it is that minimum.
    """
    most = Stop(steps=int(algorithm.each.steps) * landscape.electrons + 1, gradient_norm=None)
    trajectory = descend(landscape, algorithm, starts, stop=most, key=seed, progress=False)
    points = endpoints(trajectory, landscape)
    ends = classify(landscape, points, reach=2 * tolerance, outcome=trajectory.outcome.values)
    return ends, pairing(landscape, points, tolerance)[0], trajectory.steps.values


def interval(found: int, decided: int) -> tuple[float, float]:
    """The exact 95 % interval of a probability; everything is possible when nothing was decided.

    >>> interval(0, 0)
    (0.0, 1.0)
    """
    return clopper_pearson(found, decided) if decided else (0.0, 1.0)
