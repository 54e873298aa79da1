"""`earnshaw reproduce`: every study, and one page that shows them all."""

import shlex
import time
from pathlib import Path

from earnshaw import studies
from earnshaw.cli import show
from earnshaw.cli.boundary import Interrupted, stop
from earnshaw.cli.exit_codes import of_verdicts
from earnshaw.cli.options import Json, Out, ScaleName, Seed
from earnshaw.cli.run import HOME
from earnshaw.cli.where import Cluster, ClusterSet, Dask, DaskCa, DaskCert, DaskKey, Where, Workers, pin_threads
from earnshaw.errors import EarnshawError
from earnshaw.studies import SCALES


def reproduce(
    scale: ScaleName = "quick",
    seed: Seed = 0,
    out: Out = None,
    workers: Workers = None,
    dask: Dask = None,
    dask_ca: DaskCa = None,
    dask_cert: DaskCert = None,
    dask_key: DaskKey = None,
    cluster: Cluster = None,
    cluster_set: ClusterSet = None,
    json: Json = False,
) -> None:
    """Run every study and write the report.

    The page is DIR/report/index.html. An interrupted run goes on when the same command is given again.
    """
    if scale not in SCALES:
        raise EarnshawError(f"the scale must be quick or paper, not {scale!r}")
    directory = out or HOME / f"reproduce-{scale}-seed{seed}"
    began = time.perf_counter()
    where = Where(workers, dask, dask_ca, dask_cert, dask_key, cluster, cluster_set)
    pin_threads()
    outcomes = _run_all(scale, seed, directory, where)

    from earnshaw import report

    page = report.write_report([outcome.out for outcome in outcomes], directory / "report")
    seconds = time.perf_counter() - began
    words = [verdict.verdict for outcome in outcomes for verdict in outcome.verdicts]
    if json:
        show.as_json(
            {
                "scale": scale,
                "seed": seed,
                "seconds": seconds,
                "studies": [outcome.to_json() for outcome in outcomes],
                "report": str(page),
                "out": str(directory),
            }
        )
    else:
        for outcome in outcomes:
            for verdict in outcome.verdicts:
                show.line(f"{show.verdict_word(verdict.verdict)}\t{outcome.study}\t{verdict.theorem}")
        show.line(f"{page}  ({seconds:.1f} s)")
    stop(of_verdicts(words))


def _run_all(scale: str, seed: int, directory: Path, where: Where) -> list:
    from earnshaw import runs
    from earnshaw.cli.progress import watcher

    place = where.place()
    chosen = [studies.get(name) for name in studies.names()]
    observer = watcher()
    try:
        with place.open() as executor:
            observer.planned(len(chosen), sum(runs.count_shards(study, scale) for study in chosen))
            return [
                runs.run(
                    study, directory / "runs" / study.name, scale=scale, seed=seed, observer=observer, executor=executor
                )
                for study in chosen
            ]
    except KeyboardInterrupt:
        words = ["earnshaw", "reproduce", "--scale", scale, "--seed", str(seed), "--out", str(directory)]
        again = shlex.join([*words, *where.words()])
        raise Interrupted(f"interrupted; what was stored is kept, and this goes on with it: {again}") from None
    finally:
        observer.close()
