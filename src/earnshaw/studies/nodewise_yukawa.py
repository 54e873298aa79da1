"""Electrons one after the other under almost Yukawa potentials: prsz18, Theorems 4.1 and 4.6, Algorithms 1 to 3."""

import math
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import xarray as xr
from jaxtyping import PRNGKeyArray

from earnshaw.descent import Logarithmic, SecondOrder, Stop, descend
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.studies.nodewise_yukawa_figure import curves, figure
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.almost_critical.recovery import PATH, Recovery, losses_on_the_way, node_wise, recover
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.prsz18.theorem_4_1 import all_at_once
from earnshaw.theorems.verdict import Verdict, decide

ONE_BY_ONE, PRINTED, AT_ONCE = ALGORITHMS = ("one by one", "one by one, printed", "all at once")
#: Teachers of one shard.
SHARD = 10
#: With random teachers "with high probability" is judged as: more often than this.
OFTEN = 0.5


def _cells(parameters: Parameters) -> Sequence[Cell]:
    for name in parameters["algorithms"]:
        if name not in ALGORITHMS:
            raise unknown_name("algorithm of this study", name, ALGORITHMS)
    for k in parameters["k"]:
        if not 1 <= k <= 50:
            raise EarnshawError(f"a teacher has 1 to 50 units, not {k}")
    if parameters["teachers"] < 1:
        raise EarnshawError(f"the study needs at least one teacher, not {parameters['teachers']}")
    return [
        # All electrons at once take (d/ε)^O(d) steps, so they get fewer protons.
        {"algorithm": name, "d": d, "k": min(k, parameters["most_at_once"]) if name == AT_ONCE else k}
        for name in parameters["algorithms"]
        for d in (parameters["d"][:1] if name == AT_ONCE else parameters["d"])
        for k in (parameters["k"][:1] if name == AT_ONCE else parameters["k"])
    ]


def _setting(cell: Any, parameters: Any) -> Setting:
    at_once = str(cell["algorithm"]) == AT_ONCE
    eps = parameters["eps_at_once"] / int(cell["k"]) if at_once else parameters["eps"]
    return Setting.of("", int(cell["d"]), eps, parameters["spread_at_once"] if at_once else parameters["spread"])


def _shards(cell: Cell, parameters: Parameters) -> int:
    return -(-parameters["teachers"] // SHARD)


def _cost(cell: Cell, parameters: Parameters) -> float:
    return float(parameters["teachers"] * cell["k"] * (10 if cell["algorithm"] == AT_ONCE else 1))


def _compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    setting, k, d = _setting(cell, parameters), cell["k"], cell["d"]
    teachers_key, starts_key = jax.random.split(key)
    random = np.random.default_rng(np.asarray(jax.random.key_data(teachers_key)))
    teachers = [setting.teacher(random, k) for _ in range(min(parameters["teachers"], SHARD))]
    if cell["algorithm"] == AT_ONCE:
        found = _at_once(setting, teachers, random, parameters["steps_at_once"])
    else:
        printed = cell["algorithm"] == PRINTED
        algorithm = node_wise("measured", charges="learned" if printed else "optimal", joint=not printed)
        found = recover([setting.particles(*teacher, k) for teacher in teachers], algorithm, starts_key, threads=1)
    protons = np.array([w for w, _ in teachers])
    apart = np.linalg.norm(found.positions[:, :, None] - protons[:, None], axis=-1)
    return xr.Dataset(
        {
            "nearest": ("start", np.min(apart, axis=(1, 2)), {"long_name": "least distance of electron and proton"}),
            "distance": ("start", found.distance, {"long_name": "worst distance under the best matching"}),
            "error": ("start", found.error, {"long_name": "the same with charges"}),
            "steps": ("start", found.steps.astype(float)),
            "positions": (("start", "electron", "coordinate"), found.positions),
            "charges": (("start", "electron"), found.charges),
            "protons": (("start", "proton", "coordinate"), protons),
            "proton_charges": (("start", "proton"), np.array([b for _, b in teachers])),
            "loss": (("start", "step"), found.path),
            "radius": ((), parameters["eps_at_once"]),
            "allowed": ((), (d / setting.eps) ** (-float(d))),
        },
        coords={"step": ("step", PATH, {"long_name": "step"})},
    )


def _at_once(setting: Setting, teachers: Sequence[Any], random: np.random.Generator, steps: int) -> Recovery:
    """All electrons of every teacher together, on G = L + ‖a‖²; nothing is matched."""
    ends = []
    for protons, charges in teachers:
        k, d = protons.shape
        first, delta = all_at_once(setting, protons, charges, random, 1)
        threshold = delta**2 / (2 * k**3 * d)
        stop, schedule = Stop(steps=steps, gradient_norm=None), Logarithmic(40)
        landscape = setting.particles(protons, charges, k, regularised=True)
        algorithm = SecondOrder("measured", eta=threshold, gamma=threshold)
        ends.append(descend(landscape, algorithm, first, stop=stop, schedule=schedule, progress=False, threads=1))
    unmatched = np.full(len(ends), np.nan)
    names = ("steps", "final_loss", "positions", "charges")
    steps_made, loss, positions, own = (np.concatenate([end[name].values for end in ends]) for name in names)
    path = np.concatenate([losses_on_the_way(end) for end in ends])
    return Recovery(unmatched, unmatched, steps_made, loss, positions, own, path)


def _successes(cell: xr.Dataset) -> np.ndarray:
    """Which teachers were found: all of the teacher, or some proton where all electrons move at once."""
    if str(cell["algorithm"].values) == AT_ONCE:
        return cell["nearest"].values < float(cell["radius"])
    return cell["error"].values <= float(cell["allowed"])


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for place in range(results.sizes["cell"]):
        cell = results.isel(cell=place)
        cell = cell.isel(start=np.isfinite(cell["nearest"].values))
        success = _successes(cell)
        low, high = clopper_pearson(int(success.sum()), len(success))
        rows.append(
            {
                "algorithm": str(cell["algorithm"].values),
                "d": int(cell["d"]),
                "k": int(cell["k"]),
                "teachers": len(success),
                "finds": "some proton" if str(cell["algorithm"].values) == AT_ONCE else "all, with charges",
                "share": float(success.mean()),
                "low": low,
                "high": high,
                "worst_distance": _largest(cell["distance"].values),
                "worst_with_charge": _largest(cell["error"].values),
                "nearest": float(np.max(cell["nearest"].values)),
                "steps": float(np.median(cell["steps"].values)),
            }
        )
    return rows


def _largest(values: np.ndarray) -> float:
    return float(np.max(values)) if np.all(np.isfinite(values)) else float("nan")


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """Theorem 4.6 for the charges that are solved for, and Theorem 4.1; the printed variant is shown, not judged."""
    verdicts = []
    for place, row in enumerate(_rows(results)):
        if row["algorithm"] == PRINTED:
            continue
        cell = results.isel(cell=place)
        setting = Setting.of("", row["d"], row["d"] * float(cell["allowed"]) ** (1 / row["d"]), 1.0)
        counts = {name: row[name] for name in ("teachers", "share", "low", "high")}
        low, high = row["low"], row["high"]
        verdicts.append(
            decide(
                "prsz18-4.1" if row["algorithm"] == AT_ONCE else "prsz18-4.6",
                setting.hypotheses(),
                {"finds": row["finds"], "with a probability above": OFTEN},
                counts,
                low - OFTEN if low >= OFTEN else high - OFTEN if high < OFTEN else math.nan,
                counterexample={"row": row},
                note=f"d = {row['d']}, k = {row['k']}; step sizes measured on the path.",
            )
        )
    return verdicts


def _figure(results: xr.Dataset) -> Any:
    return figure(results)


study = Study(
    name="nodewise-yukawa",
    artefact="prsz18 Theorem 4.6, Algorithms 1-3",
    question="Do electrons that descend one after the other, with curvature, find every proton and every charge?",
    parameters={
        "quick": {
            "algorithms": ["one by one", "all at once"],
            "d": [3],
            "k": [4],
            "teachers": 20,
            "eps": 0.1,
            "spread": 1.0,
            "eps_at_once": 0.3,
            "spread_at_once": 0.3,
            "most_at_once": 3,
            "steps_at_once": 1000,
        },
        "paper": {
            "algorithms": ["one by one", "one by one, printed", "all at once"],
            "d": [3, 7],
            "k": [5, 10],
            "teachers": 100,
            "eps": 0.1,
            "spread": 1.0,
            "eps_at_once": 0.3,
            "spread_at_once": 0.3,
            "most_at_once": 3,
            "steps_at_once": 20_000,
        },
    },
    cells=_cells,
    shards=_shards,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=curves,
    cost=_cost,
)
