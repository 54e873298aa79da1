"""A study of many short shards that writes down, outside its run, which shards were begun."""

import os
import time

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr

from earnshaw.studies import Study
from earnshaw.theorems import decide

LOG = "PIECES_LOG"
SHARDS = 24


def compute(cell: dict, key, parameters: dict) -> xr.Dataset:
    draws = jax.random.normal(key, (8, cell["d"]))
    if log := os.environ.get(LOG):
        with open(log, "a") as file:
            # One short write to a file that is open for appending is whole whoever else writes.
            file.write(f"{np.asarray(draws)[0, 0]!r}\n")
    time.sleep(parameters["seconds"])
    return xr.Dataset(
        {"draw": (("start", "axis"), np.asarray(draws)), "sum": ("start", np.asarray(jnp.tanh(draws).sum(1)))}
    )


def rows(results: xr.Dataset) -> list[dict]:
    return [
        {"d": int(d), "mean": float(row.mean())} for d, row in zip(results.d.values, results["sum"].values, strict=True)
    ]


study = Study(
    name="pieces",
    artefact="Table 0 of no paper",
    question="Is everything there?",
    parameters={"quick": {"d": [1, 2, 3, 4], "seconds": 0.03}, "paper": {"d": [1, 2, 3, 4], "seconds": 0.3}},
    cells=lambda parameters: [{"d": d} for d in parameters["d"]],
    shards=lambda cell, parameters: SHARDS // 4,
    compute=compute,
    rows=rows,
    verdicts=lambda results: [decide("pieces-1.1", (), "a sum", float(results["sum"].max()), margin=1.0)],
    figure=lambda results: None,
)
