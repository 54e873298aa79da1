"""Running a study: what is stored is kept, what is missing is computed, and then the results are drawn and judged."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xarray as xr

from earnshaw.plain import plain
from earnshaw.runs import netcdf
from earnshaw.runs.artefacts import write_artefacts
from earnshaw.runs.execute import Executor, InProcess, Work
from earnshaw.runs.forecast import Forecast
from earnshaw.runs.interruption import interruptible
from earnshaw.runs.manifest import describe, identity, require_same
from earnshaw.runs.merge import merge
from earnshaw.runs.observer import Observer
from earnshaw.runs.shards import Shard, shards_of
from earnshaw.runs.store import SUMMARY, DamagedShard, Store
from earnshaw.studies.study import Study
from earnshaw.theorems.theorem import valid_seed
from earnshaw.theorems.verdict import Verdict


@dataclass(frozen=True)
class Outcome:
    """A finished run: where it is and what it says."""

    study: str
    scale: str
    seed: int
    seconds: float
    starts: int
    rows: list[dict[str, Any]]
    verdicts: list[Verdict]
    results: xr.Dataset
    out: Path

    def to_json(self) -> dict[str, Any]:
        """The outcome as `earnshaw run --json` prints it."""
        return {
            "study": self.study,
            "scale": self.scale,
            "seed": self.seed,
            "seconds": self.seconds,
            "starts": self.starts,
            "rows": plain(self.rows),
            "verdicts": [verdict.to_json() for verdict in self.verdicts],
            "out": str(self.out),
        }


def run(
    study: Study,
    out: Path | str,
    *,
    scale: str = "quick",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    observer: Observer | None = None,
    executor: Executor | None = None,
) -> Outcome:
    """Run a study into the directory `out`, or finish what was begun there.

    Shards that are stored and undamaged are not computed again. A directory that holds another run (another study,
    scale, seed, parameter or version of the software) is refused. `executor` computes the shards, in this process
    unless given; it has no influence on the result. The first Ctrl-C lets the running shards finish and raises
    `KeyboardInterrupt` when they are stored, the second raises it at once.
    """
    observer = observer or Observer()
    began = time.perf_counter()
    parameters = study.settings(scale, **(settings or {}))
    shards = shards_of(study, parameters)
    manifest = {**describe(study, scale, valid_seed(seed), settings or {}), "shards": len(shards)}
    with Store(Path(out)).opened() as store, interruptible(observer.said) as interruption:
        stored = store.manifest()
        if stored is None:
            store.write_manifest(manifest)
        else:
            require_same(stored, manifest, out)
        work = Work(study, parameters, seed, identity(manifest))
        pieces = _stored(store, work, shards, observer)
        observer.started(study, len(shards), len(pieces))
        missing = [shard for shard in shards if shard.index not in pieces]
        if missing:
            forecast = Forecast(study, settings or {}, parameters, executor or InProcess(), observer)
            forecast.learn(pieces.values())
            computing = forecast.executor.execute(work, missing, interruption, observer.said)
            with closing(computing):
                for shard, content in computing:
                    store.write_shard(shard, content)
                    # Decoded from its bytes, as a resumed run will: what was on a disk has no other bits than the rest.
                    pieces[shard.index] = (shard, netcdf.decode(content))
                    forecast.learn([pieces[shard.index]])
                    observer.shard_stored(study, len(pieces), len(shards))
        if len(pieces) < len(shards):
            raise KeyboardInterrupt
        results = merge(study, pieces.values()).assign_attrs(study=study.name, scale=scale, seed=seed)
        rows, verdicts = write_artefacts(store, study, results)
        seconds = time.perf_counter() - began
        outcome = Outcome(
            study.name, scale, seed, seconds, int(results.attrs["starts"]), rows, verdicts, results, Path(out)
        )
        computed = sum(float(dataset.attrs["seconds"]) for _, dataset in pieces.values())
        store.write_json(SUMMARY, {**outcome.to_json(), "out": ".", "computing_seconds": computed})
        if interruption.asked:
            # Whoever runs several studies must not go on with the next.
            raise KeyboardInterrupt
    observer.finished(study, seconds)
    return outcome


def _stored(store: Store, work: Work, shards: list[Shard], observer: Observer) -> dict[int, tuple[Shard, xr.Dataset]]:
    """The shards that are already there; a damaged one is said and left to be computed again."""
    pieces = {}
    for shard in shards:
        try:
            dataset = store.read_shard(shard, work.run)
        except DamagedShard as damage:
            observer.said(f"{damage}; computing it again")
            continue
        if dataset is not None:
            pieces[shard.index] = (shard, dataset)
    return pieces
