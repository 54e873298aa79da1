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
from earnshaw.errors import EarnshawError
from earnshaw.studies import SCALES


def reproduce(scale: ScaleName = "quick", seed: Seed = 0, out: Out = None, json: Json = False) -> None:
    """Run every study and write the report.

    The page is DIR/report/index.html. An interrupted run goes on when the same command is given again.
    """
    if scale not in SCALES:
        raise EarnshawError(f"the scale must be quick or paper, not {scale!r}")
    directory = out or HOME / f"reproduce-{scale}-seed{seed}"
    began = time.perf_counter()
    outcomes = _run_all(scale, seed, directory)

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


def _run_all(scale: str, seed: int, directory: Path) -> list:
    from earnshaw import runs
    from earnshaw.cli.progress import watcher

    observer = watcher()
    try:
        return [
            runs.run(studies.get(name), directory / "runs" / name, scale=scale, seed=seed, observer=observer)
            for name in studies.names()
        ]
    except KeyboardInterrupt:
        words = ["earnshaw", "reproduce", "--scale", scale, "--seed", str(seed), "--out", str(directory)]
        again = shlex.join(words)
        raise Interrupted(f"interrupted; what was stored is kept, and this goes on with it: {again}") from None
    finally:
        observer.close()
