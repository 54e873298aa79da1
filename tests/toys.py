"""A theorem and a study small enough to run in any test."""

import jax
import numpy as np
import xarray as xr

from earnshaw.studies import Study, style
from earnshaw.theorems import Hypothesis, Theorem, Verdict, decide


def check(seed: int = 0, d: int = 3, bound: float = 1.0, words: str = "plain") -> Verdict:
    if words == "inconclusive":
        return Verdict("toy-1.1", "inconclusive", measured=float("nan"))
    odd = Hypothesis("the dimension is odd", met=d % 2 == 1, value=d)
    return decide("toy-1.1", (odd,), predicted=bound, measured=0.5, margin=bound - 0.5)


theorem = Theorem(
    id="toy-1.1",
    source="a toy",
    title="One half is at most one",
    statement="In odd dimension one half is at most the bound.",
    check=check,
    parameters={"d": 3, "bound": 1.0, "words": "plain"},
)

computed: list[dict] = []


def compute(cell: dict, key, parameters: dict) -> xr.Dataset:
    computed.append(cell)
    draws = np.asarray(jax.random.normal(key, (parameters["starts"], cell["d"])))
    return xr.Dataset({"draw": (("start", "axis"), draws), "label": cell["kind"] * cell["d"]})


def rows(results: xr.Dataset) -> list[dict]:
    return [
        {"kind": str(kind), "d": int(d), "mean": float(np.nanmean(draw))}
        for kind, d, draw in zip(results.kind.values, results.d.values, results.draw.values, strict=True)
    ]


def verdicts(results: xr.Dataset) -> list[Verdict]:
    largest = float(np.nanmax(np.abs(results.draw)))
    return [decide("toy-1.1", (), "below 10", largest, margin=10 - largest)]


def figure(results: xr.Dataset):
    figure, axes = style.subplots()
    axes.plot(results.d.values, [row["mean"] for row in rows(results)], "o")
    axes.set_xlabel("d")
    return figure


study = Study(
    name="toy",
    artefact="Table 0 of no paper",
    question="Is the mean of normal draws zero?",
    parameters={"quick": {"d": [1, 2, 3], "starts": 4}, "paper": {"d": [1, 2, 3], "starts": 8}},
    cells=lambda parameters: [{"kind": kind, "d": d} for kind in "ab" for d in parameters["d"]],
    shards=lambda cell, parameters: 2,
    compute=compute,
    rows=rows,
    verdicts=verdicts,
    figure=figure,
)
