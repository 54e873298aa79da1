"""What a run costs beside its computing: the time between shards, the gain from a second worker, the joining of shards.

    python benchmarks/runs.py [--shards 20] [--joined 10000]

Every number is a ratio or a time of this machine at this moment; run it when nothing else does.
The gain from a second worker needs two cores that are free.
"""

import argparse
import tempfile
import time
from pathlib import Path

from earnshaw.threads import pin

pin()

import jax  # noqa: E402 - only after its threads are counted
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from earnshaw.runs import Observer, Place, run  # noqa: E402
from earnshaw.studies import Study  # noqa: E402


def busy(cell: dict, key, parameters: dict) -> xr.Dataset:
    """Arithmetic that keeps one core busy and nothing else."""

    def turn(i, x):
        return jnp.tanh(x @ x) / 2 + 0.1

    @jax.jit
    def loop(x, turns):
        return jax.lax.fori_loop(0, turns, turn, x)

    start = jax.random.normal(key, (64, 64))
    result = loop(start, parameters["turns"]).block_until_ready()
    return xr.Dataset({"loss": ("start", np.asarray(result)[0])})


def small(cell: dict, key, parameters: dict) -> xr.Dataset:
    """A shard of fifty starts as a descent gives it, without the descent."""
    draws = np.linspace(0, 1, 50) + cell["cell_number"]
    final = {"loss": ("start", draws), "outcome": ("start", np.zeros(50, np.int8))}
    return xr.Dataset({**final, "params": (("start", "k"), np.outer(draws, np.ones(10)))})


def study(name: str, compute, shards: int, cells: int, turns: int = 0) -> Study:
    parameters = {"turns": turns, "shards": shards, "cells": cells}
    return Study(
        name=name,
        artefact="no paper's",
        question="How long does it take?",
        parameters={"quick": parameters, "paper": parameters},
        cells=lambda parameters: [{"cell_number": number} for number in range(parameters["cells"])],
        shards=lambda cell, parameters: parameters["shards"],
        compute=compute,
        rows=lambda results: [{"mean": float(results.loss.mean())}],
        verdicts=lambda results: [],
        figure=lambda results: None,
    )


class Watch(Observer):
    """When each shard was stored."""

    def __init__(self) -> None:
        self.moments: list[float] = []

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        self.moments.append(time.perf_counter())


def turns_for(seconds: float) -> int:
    """How many turns of the busy loop take so long here, compilation aside."""
    turns, spent = 1000, 0.0
    while spent < seconds / 4:
        turns *= 2
        for _ in range(2):
            began = time.perf_counter()
            busy({}, jax.random.key(0), {"turns": turns})
            spent = time.perf_counter() - began
    return int(turns * seconds / spent)


def between(declared: Study, out: Path, executor) -> tuple[float, float, float]:
    """Seconds for each shard once the first ones are through, what of it was computing, and shards a second."""
    watch = Watch()
    run(declared, out, observer=watch, executor=executor)
    names = sorted((out / "shards").glob("*.nc"))
    spent = [xr.load_dataset(name, engine="h5netcdf").attrs["seconds"] for name in names]
    skipped = 2 * executor.parallel
    wall = watch.moments[-1] - watch.moments[skipped - 1]
    return wall / (len(names) - skipped), float(np.mean(spent[skipped:])), (len(names) - skipped) / wall


def measure_shards(shards: int, scratch: Path) -> list[tuple[str, str, str]]:
    lines = []
    declared = study("busy", busy, shards, 1, turns_for(1.0))
    with Place().open() as here:
        wall, spent, _ = between(declared, scratch / "here", here)
    lines.append(("overhead for each one-second shard, in this process", f"{wall / spent - 1:.1%}", "< 5 %"))
    rates = {}
    for workers in (1, 2):
        with Place(workers=workers).open() as executor:
            wall, spent, rates[workers] = between(declared, scratch / f"workers-{workers}", executor)
        if workers == 1:
            lines.append(("overhead for each one-second shard, one worker", f"{wall / spent - 1:.1%}", "< 5 %"))
        else:
            # What other programs take from a core makes shards slower, but leaves this share as it is.
            busy_share = spent * rates[workers] / workers
            lines.append(("share of two workers' time that is computing", f"{busy_share:.1%}", "≥ 95 %"))
    lines.append(("two workers over one", f"{rates[2] / rates[1]:.2f} ×", "≥ 1.7 ×"))
    return lines


def measure_joining(count: int, scratch: Path) -> list[tuple[str, str, str]]:
    lines = []
    for label, pieces, cells in (("one cell", count, 1), ("a hundred cells", count // 100, 100)):
        declared = study("small", small, pieces, cells)
        out = scratch / f"joined-{cells}"
        began = time.perf_counter()
        run(declared, out)
        stored = (time.perf_counter() - began) / (pieces * cells)
        began = time.perf_counter()
        run(declared, out)
        spent = time.perf_counter() - began
        lines.append((f"checking, reading and joining {pieces * cells} shards of {label}", f"{spent:.1f} s", "< 30 s"))
        lines.append(("  computing and storing one of them", f"{1000 * stored:.1f} ms", ""))
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--shards", type=int, default=20)
    options.add_argument("--joined", type=int, default=10_000)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="earnshaw-") as scratch:
        lines = measure_shards(chosen.shards, Path(scratch)) + measure_joining(chosen.joined, Path(scratch))
    width = max(len(what) for what, _, _ in lines)
    for what, measured, wanted in lines:
        print(f"{what:{width}}  {measured:>9}  {wanted}")


if __name__ == "__main__":
    main()
