"""Study `nodewise-gaussian`: Gaussian and exponential potentials learned node by node with fixed charges."""

import math
from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.descent import Every, Probe
from earnshaw.duality import potentials
from earnshaw.geometry import uniform_sphere
from earnshaw.landscapes import Electrons, Particles
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.studies.nodewise_figure import curves, figure
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.node_recovery import learn, one_by_one
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide
from earnshaw.theorems.zps17.theorem_4_2 import proper_teachers, smallest_variance

#: What a cell is about. "proper" teachers have the geometry that the proof supposes; "any" are as drawn.
GAUSSIAN, PROPER, EXPONENTIAL, NARROW = "gaussian, any", "gaussian, proper", "exponential", "narrow gaussian"
#: Electrons within this of their protons, at rest there, have found them.
FOUND = 1e-2
#: Where each electron is along the way.
PATH = Probe("path", lambda landscape, state: state.params.positions, dims=("particle", "coordinate"))


def _cells(parameters: Parameters) -> Sequence[Cell]:
    kinds = (
        (GAUSSIAN, "gaussian_d"), (PROPER, "gaussian_d"), (EXPONENTIAL, "exponential_d"), (NARROW, "narrow_d"),
    )  # fmt: skip
    return [{"potential": kind, "d": d, "k": parameters["k"]} for kind, name in kinds for d in parameters[name]]


def scale_of(cell: Cell, parameters: Parameters) -> float:
    """The constant c: the variance of Gaussian protons, or the narrowness of the potential."""
    if cell["potential"] in (GAUSSIAN, PROPER):
        return smallest_variance(cell["d"], cell["k"])
    return cell["d"] / parameters["epsilon"] if cell["potential"] == NARROW else float(cell["d"])


def teachers_of(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> list[Float[np.ndarray, "k d"]]:
    """The protons of every teacher."""
    d, k, count, c = cell["d"], cell["k"], parameters["teachers"], scale_of(cell, parameters)
    if cell["potential"] == EXPONENTIAL:
        return list(np.asarray(uniform_sphere(key, (count, k, d))))
    if cell["potential"] == PROPER:
        random = np.random.default_rng(np.asarray(jax.random.key_data(key)).tolist())
        return proper_teachers(random, d, k, c, count)[0]
    spread = math.sqrt(c) if cell["potential"] == GAUSSIAN else 1.5
    return list(spread * np.asarray(jax.random.normal(key, (count, k, d))))


def _compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    kind, d, k = cell["potential"], cell["d"], cell["k"]
    c, steps = scale_of(cell, parameters), parameters["steps"]
    draws, start, own = jax.random.split(key, 3)
    if kind == EXPONENTIAL:
        phi, first = potentials.sphere_exponential(c), uniform_sphere(start, (1, d))
    else:
        phi, first = potentials.gaussian(c if kind == NARROW else 1.0), jnp.zeros((1, d))
    begin = Electrons(jnp.broadcast_to(first, (k, d)))
    # Smaller than the weakest force that double precision lets an electron feel.
    small = math.exp(-min(1.5 * c * max(d, 4), 300.0))
    algorithm = one_by_one(None, small, steps, small, charge="fixed", placing="given")
    teachers = teachers_of(cell, draws, parameters)
    landscapes = [Particles(phi, w, form="interaction", electron_charges=-np.ones(k)) for w in teachers]
    seed = int(np.asarray(jax.random.key_data(own))[-1])
    every = parameters["every"]
    runs = learn(landscapes, algorithm, [begin] * len(teachers), seed, probes=[PATH], schedule=Every(every))
    marks = np.arange(0, steps * k + 1, every)
    losses, paths = [], []
    for landscape, run in zip(landscapes, runs, strict=True):
        rows = np.searchsorted(run.trajectory.step.values, marks, side="right") - 1
        least = float(_least(landscape))
        # A loss from which electrons that wait have not been taken: it falls as they come.
        losses.append(run.trajectory.loss.values[0, rows] - least)
        paths.append(run.trajectory.path.values[0, rows])
    nearest = [_nearest(run.positions, w) for run, w in zip(runs, teachers, strict=True)]
    axes = ("teacher", "step", "particle", "coordinate")
    return xr.Dataset(
        {
            "distance": ("teacher", [run.distance for run in runs], {"long_name": "worst distance to a proton"}),
            "nearest": ("teacher", nearest, {"long_name": "least ‖θᵢ − wⱼ‖²"}),
            "at_rest": ("teacher", [int(run.label == "minimum") for run in runs]),
            "steps_made": ("teacher", [run.steps for run in runs], {"long_name": "steps of all nodes"}),
            "excess": (("teacher", "step"), np.array(losses), {"long_name": "loss above its global minimum"}),
            "path": (axes, np.array(paths)),
            "protons": (("teacher", "particle", "coordinate"), np.array(teachers)),
            "c": ((), c),
        },
        coords={"step": ("step", marks)},
    )


@eqx.filter_jit
def _least(landscape: Particles) -> Float[Array, ""]:
    """The loss with every electron on a proton."""
    return landscape.loss(Electrons(landscape.protons))


def _nearest(electrons: Float[np.ndarray, "k d"], protons: Float[np.ndarray, "K d"]) -> float:
    return float(np.min(np.sum((electrons[:, None] - protons[None]) ** 2, axis=-1)))


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for number in range(results.sizes["cell"]):
        cell = results.isel(cell=number)
        there = np.isfinite(cell["distance"].values)
        distances, at_rest = cell["distance"].values[there], cell["at_rest"].values[there]
        found, count = int(np.sum((distances <= FOUND) & (at_rest == 1))), len(distances)
        low, high = clopper_pearson(found, count) if count else (0.0, 1.0)
        rows.append(
            {
                "potential": str(cell["potential"].values),
                "d": int(cell["d"]),
                "k": int(cell["k"]),
                "c": float(cell["c"]),
                "teachers": count,
                "found": found,
                "share": found / count if count else float("nan"),
                "low": low,
                "high": high,
                "median_distance": float(np.median(distances)) if count else float("nan"),
                "nearest_squared": float(np.nanmax(cell["nearest"].values)) if count else float("nan"),
                "median_steps": float(np.nanmedian(cell["steps_made"].values)) if count else float("nan"),
            }
        )
    return rows


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    rows = _rows(results)
    verdicts = []
    for row in rows:
        where = {name: row[name] for name in ("potential", "d", "k", "c")}
        if row["potential"] == PROPER:
            verdicts.append(_likely("zps17-4.2", row, where, 0.9))
        if row["potential"] == NARROW:
            # Node-wise descent leads to points of M; the theorem says what every one of them is like.
            epsilon = row["d"] / row["c"]
            verdicts.append(
                decide(
                    "prsz18-F.4",
                    (Hypothesis("c = O(d/ε)", True, {"c": row["c"], "d/ε": row["d"] / epsilon}),),
                    f"some ‖θᵢ − wⱼ‖² ≤ {epsilon:g}",
                    row["nearest_squared"],
                    epsilon - row["nearest_squared"],
                    counterexample=where,
                )
            )
    exponential = [row for row in rows if row["potential"] == EXPONENTIAL]
    if exponential:
        # "With high probability" speaks of growing d.
        largest = max(exponential, key=lambda row: row["d"])
        verdicts.append(_likely("zps17-C4.3", largest, {"d": largest["d"], "k": largest["k"]}, 0.75))
    return verdicts


def _likely(theorem: str, row: dict[str, Any], where: dict[str, Any], chance: float) -> Verdict:
    return decide(
        theorem,
        (Hypothesis("all charges are fixed: b = 1, a = −1", True),),
        {"chance of finding all protons, at least": chance},
        {"found": f"{row['found']} of {row['teachers']}", "chance, 95 %": [row["low"], row["high"]]},
        row["high"] - chance if row["teachers"] else float("nan"),
        counterexample=where,
        note="Step sizes measured on the path, and noise of the size of ε.",
    )


def _figure(results: xr.Dataset) -> Any:
    return figure(results, _rows(results))


def _curves(results: xr.Dataset) -> list:
    return curves(results, _rows(results))


study = Study(
    name="nodewise-gaussian",
    artefact="zps17 Theorem 4.2 and Corollary 4.3, prsz18 Theorem F.4",
    question="Does node-wise descent with fixed charges find every proton of a Gaussian or an exponential potential?",
    parameters={
        "quick": {
            "gaussian_d": [4],
            "exponential_d": [30],
            "narrow_d": [2],
            "k": 3,
            "teachers": 12,
            "steps": 100,
            "every": 4,
            "epsilon": 0.25,
        },
        "paper": {
            "gaussian_d": [3, 4, 5],
            "exponential_d": [3, 5, 10, 15, 20, 30, 40],
            "narrow_d": [2, 3, 4],
            "k": 3,
            "teachers": 100,
            "steps": 200,
            "every": 4,
            "epsilon": 0.25,
        },
    },
    cells=_cells,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=_curves,
    cost=lambda cell, parameters: float(parameters["teachers"] * cell["k"] * cell["d"]),
)
