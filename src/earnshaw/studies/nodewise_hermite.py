"""Orthonormal Hermite units learned one electron at a time: zps17, Theorems 3.10 and 4.5; prsz18, Theorem G.3.

No paper prints numbers for this. Ours: random orthonormal teachers, charges ± a number from 1 to 2, zps17's Algorithm 3
with steps measured on the path, and one electron more than there are protons, which must find nothing.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import PRNGKeyArray

from earnshaw.descent import Logarithmic, Stop, descend
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Particles
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.studies import style
from earnshaw.studies.curve import Curve
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.node_recovery import one_by_one
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: A node that lowers the loss by less is taken back; every proton is worth at least 1.
WORTH = 1e-2
#: An electron so near to ±w is on it: at the end of a node the gradient is at most ε, and the curvature at least 2l.
NEAR = 1e-2
#: Theorem 4.5 says "with high probability"; this is what we ask.
CHANCE = 0.9
#: Records of the loss in a decade of steps.
RECORDS = 40


def _cells(parameters: Parameters) -> Sequence[Cell]:
    for degree in parameters["degrees"]:
        if degree < 3:
            raise EarnshawError(f"the theorems are about degrees from 3 on, not {degree}")
    return [{"degree": degree, "d": d} for degree in parameters["degrees"] for d in parameters["d"]]


def _groups(cell: Cell, parameters: Parameters) -> int:
    return parameters["teachers"]


def _cost(cell: Cell, parameters: Parameters) -> float:
    return float(parameters["teachers"] * parameters["starts"] * cell["d"] ** 3)


def _compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    degree, d, starts = cell["degree"], cell["d"], parameters["starts"]
    frame, size, sign, own = jax.random.split(key, 4)
    protons = jnp.linalg.qr(jax.random.normal(frame, (d, d)))[0]
    charges = jax.random.uniform(size, (d,), minval=1.0, maxval=2.0) * jax.random.rademacher(sign, (d,), float)
    landscape = Particles(
        potentials.monomial(degree), protons, charges, electrons=d + 1, learn_charges=True, form="full",
        parity="odd" if degree % 2 else "even",
    )  # fmt: skip
    epsilon, steps = parameters["epsilon"], parameters["steps"]
    algorithm = one_by_one(
        None, epsilon, steps, epsilon, charge="optimal", placing="sampled", error=epsilon,
        tries=parameters["tries"], joint=True, worth=WORTH,
    )  # fmt: skip
    most = (d + 1) * steps + 1
    trajectory = descend(
        landscape, algorithm, starts, key=own, stop=Stop(steps=most, gradient_norm=None),
        schedule=Logarithmic(RECORDS), progress=False,
    )  # fmt: skip
    # A trajectory ends with its last start; shards are joined, so all have the records of the longest possible one.
    records = len(Logarithmic(RECORDS).marks(most))
    rest = ((0, 0), (0, records - trajectory.sizes["step"]))
    losses = np.pad(trajectory.loss.values, rest, mode="edge")
    marks = np.pad(np.tile(trajectory.step.values, (starts, 1)), rest, mode="edge")
    nearest, alone, error = _placed(trajectory.positions.values, trajectory.charges.values, protons, charges, degree)
    return xr.Dataset(
        {
            "nodes": ("start", np.sum(trajectory.charges.values != 0, axis=1), {"long_name": "nodes that were kept"}),
            "distance": ("start", nearest, {"long_name": "farthest kept electron from its nearest proton"}),
            "distinct": ("start", alone, {"long_name": "protons with exactly one electron"}),
            "charge_error": ("start", error, {"long_name": "largest error of a charge"}),
            "steps": ("start", trajectory.steps.values, {"long_name": "steps of all nodes together"}),
            "final_loss": ("start", trajectory.final_loss.values, {"long_name": "loss at the end"}),
            "loss": (("start", "record"), losses, {"long_name": "loss"}),
            "step": (("start", "record"), marks, {"long_name": "step"}),
        }
    )


def _placed(positions: Any, a: Any, protons: Any, b: Any, degree: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far the farthest kept electron is from ±w, how many protons have one electron, and the error of charges."""
    cosines = np.einsum("nkd,jd->nkj", positions, np.asarray(protons))
    which, kept = np.argmax(np.abs(cosines), axis=2), a != 0
    side = np.sign(np.take_along_axis(cosines, which[..., None], axis=2)[..., 0])
    gaps = np.linalg.norm(side[..., None] * positions - np.asarray(protons)[which], axis=2)
    errors = np.abs((side if degree % 2 else 1.0) * a + np.asarray(b)[which])
    occupied = np.array([np.bincount(row[keep], minlength=len(b)) for row, keep in zip(which, kept, strict=True)])
    return (
        np.max(np.where(kept, gaps, 0.0), axis=1),
        np.sum(occupied == 1, axis=1),
        np.max(np.where(kept, errors, 0.0), axis=1),
    )


def _complete(cell: xr.Dataset) -> np.ndarray:
    """Which starts have found every proton, once, and nothing else."""
    d = int(cell["d"])
    return (cell["nodes"].values == d) & (cell["distinct"].values == d) & (cell["distance"].values <= NEAR)


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for place in range(results.sizes["cell"]):
        cell = results.isel(cell=place)
        complete = _complete(cell)
        low, high = clopper_pearson(int(complete.sum()), complete.size)
        rows.append(
            {
                "degree": int(cell["degree"]),
                "d": int(cell["d"]),
                "starts": complete.size,
                "found_all": int(complete.sum()),
                "share": float(complete.mean()),
                "low": low,
                "high": high,
                "largest_distance": float(np.max(cell["distance"].values)),
                "largest_charge_error": float(np.max(cell["charge_error"].values)),
                "nodes_least": int(np.min(cell["nodes"].values)),
                "nodes_most": int(np.max(cell["nodes"].values)),
                "median_steps": float(np.median(cell["steps"].values)),
            }
        )
    return rows


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """For each cell: every electron that is kept is on a proton (3.10, G.3), and all protons are found (4.5)."""
    verdicts = []
    for row in _rows(results):
        hypotheses = (
            Hypothesis("w₁, …, w_d are orthonormal", True, row["d"]),
            Hypothesis("Φ = (θᵀw)^l, l ≥ 3", row["degree"] >= 3, row["degree"]),
        )
        for theorem in ("zps17-3.10", "prsz18-G.3"):
            verdicts.append(
                decide(
                    theorem,
                    hypotheses,
                    f"every electron within {NEAR:g} of some ±wⱼ",
                    {"largest distance": row["largest_distance"], "starts": row["starts"]},
                    NEAR - row["largest_distance"],
                    note="One electron after the other, each among the protons that are left.",
                )
            )
        verdicts.append(
            decide(
                "zps17-4.5",
                (*hypotheses, Hypothesis("1 ≤ |bⱼ| ≤ 2", True, "uniform")),
                f"all protons and nothing else in a share of at least {CHANCE:g} of the starts",
                {"share": row["share"], "95 %": [row["low"], row["high"]], "starts": row["starts"]},
                row["high"] - CHANCE,
            )
        )
    return verdicts


def _figure(results: xr.Dataset) -> Any:
    canvas, panels = style.subplots(1, 2, width=style.PAGE, height=2.9)
    left: Any = panels[0]
    right: Any = panels[1]
    rows = _rows(results)
    for place, row in enumerate(rows):
        steps, losses = _staircase(results.isel(cell=place))
        left.step(steps, losses, where="post", lw=1.1, label=f"l = {row['degree']}, d = {row['d']}")
    left.set(xlabel="step", ylabel="loss", title="(a) One start of each: a proton at a time")
    left.legend()
    random = np.random.default_rng(0)
    for place in range(len(rows)):
        distances = np.maximum(results["distance"].isel(cell=place).values, 1e-16)
        right.plot(place + random.uniform(-0.25, 0.25, distances.size), distances, ".", ms=2.5, alpha=0.6)
    right.axhline(NEAR, color="black", lw=0.8, ls=":", label="counts as found")
    right.set_yscale("log")
    right.set_xticks(range(len(rows)), [f"{row['degree']}, {row['d']}" for row in rows])
    right.set(xlabel="degree l, dimension d", ylabel="farthest electron from ±w", title="(b) Every start")
    right.set_xlim(-0.6, len(rows) - 0.4)
    right.legend(loc="center right")
    return canvas


def _staircase(cell: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The loss of the start that takes the median number of steps, until it ends."""
    start = int(np.argsort(cell["steps"].values, kind="stable")[cell.sizes["start"] // 2])
    steps, losses = cell["step"].values[start], cell["loss"].values[start]
    last = min(int(np.searchsorted(steps, cell["steps"].values[start])) + 1, len(steps))
    return steps[:last], losses[:last]


def _curves(results: xr.Dataset) -> list[Curve]:
    drawn = []
    for place, row in enumerate(_rows(results)):
        steps, losses = _staircase(results.isel(cell=place))
        drawn.append(
            Curve(
                f"degree {row['degree']}, d = {row['d']}", x=steps, y=losses,
                chart="Loss along the steps of one start", xlabel="step", ylabel="loss",
            )
        )  # fmt: skip
    return drawn


study = Study(
    name="nodewise-hermite",
    artefact="zps17 Theorems 3.10, 4.5; prsz18 Theorem G.3",
    question="Does every electron end on a proton of its own when orthonormal Hermite units are learned node by node?",
    parameters={
        "quick": {
            "degrees": [3, 4],
            "d": [4],
            "teachers": 2,
            "starts": 25,
            "epsilon": 1e-3,
            "steps": 600,
            "tries": 256,
        },
        "paper": {
            "degrees": [3, 4, 5, 6],
            "d": [4, 8, 16],
            "teachers": 10,
            "starts": 100,
            "epsilon": 1e-3,
            "steps": 4000,
            "tries": 4096,
        },
    },
    cells=_cells,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=_curves,
    shards=_groups,
    cost=_cost,
)
