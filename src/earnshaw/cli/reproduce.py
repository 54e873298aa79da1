"""`earnshaw reproduce`: every study, and one page that shows them all."""

import shlex
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from earnshaw import studies
from earnshaw.cli import show
from earnshaw.cli.boundary import Interrupted, stop
from earnshaw.cli.exit_codes import of_verdicts
from earnshaw.cli.options import Json, Out, ScaleName, Seed
from earnshaw.cli.run import HOME
from earnshaw.cli.where import HERE, Where, pin_threads, placed
from earnshaw.errors import EarnshawError
from earnshaw.studies import SCALES


@placed
def reproduce(
    scale: ScaleName = "quick",
    seed: Seed = 0,
    out: Out = None,
    where: Where = HERE,
    json: Json = False,
) -> None:
    """Run every study and write the report.

    The page is DIR/report/index.html. An interrupted run goes on when the same command is given again. A study that
    fails is said and does not stop the others. The exit code is that of the verdicts, but for studies of open
    questions, where any verdict is a result.
    """
    if scale not in SCALES:
        raise EarnshawError(f"the scale must be quick or paper, not {scale!r}")
    directory = out or HOME / f"reproduce-{scale}-seed{seed}"
    began = time.perf_counter()
    pin_threads()
    outcomes, failures = _run_all(scale, seed, directory, where)

    from earnshaw import report

    finished = report.collect_all([outcome.out for outcome in outcomes])
    page = report.write_page([*finished, *_begun(failures, scale, seed, directory)], directory / "report")
    if failures:
        _fail(failures, page)
    seconds = time.perf_counter() - began
    claimed = [outcome for outcome in outcomes if not studies.get(outcome.study).exploratory]
    words = [verdict.verdict for outcome in claimed for verdict in outcome.verdicts]
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


def _begun(failures: Iterable[str], scale: str, seed: int, directory: Path) -> list:
    """The runs of failed studies as far as they went; one that was in the way is not ours to show."""
    from earnshaw import report

    begun = []
    for name in failures:
        try:
            run = report.collect(directory / "runs" / name)
        except EarnshawError:
            continue
        if run.summary is None and (run.manifest["scale"], run.manifest["seed"]) == (scale, seed):
            begun.append(run)
    return begun


def _fail(failures: dict[str, Exception], page: Path) -> NoReturn:
    """End with what went wrong, a mistake of ours first; the report shows everything else."""
    for error in failures.values():
        if not isinstance(error, EarnshawError):
            raise error
    said = "; ".join(f"{name}: {error}" for name, error in failures.items())
    count = "1 study" if len(failures) == 1 else f"{len(failures)} studies"
    raise EarnshawError(f"{count} failed, and {page} shows the rest: {said}")


def _run_all(scale: str, seed: int, directory: Path, where: Where) -> tuple[list, dict[str, Exception]]:
    from earnshaw import runs
    from earnshaw.cli.progress import watcher

    place = where.place()
    chosen = [studies.get(name) for name in studies.names()]
    observer = watcher()
    outcomes, failures = [], {}
    try:
        with place.open() as executor:
            observer.planned(len(chosen), sum(runs.count_shards(study, scale) for study in chosen))
            for study in chosen:
                out = directory / "runs" / study.name
                try:
                    outcomes.append(runs.run(study, out, scale=scale, seed=seed, observer=observer, executor=executor))
                except Exception as error:
                    if not (directory / "runs").is_dir():
                        # Where nothing can be written, nothing follows.
                        raise
                    failures[study.name] = error
                    observer.said(f"{study.name}: failed: {error}")
        return outcomes, failures
    except KeyboardInterrupt:
        words = ["earnshaw", "reproduce", "--scale", scale, "--seed", str(seed), "--out", str(directory)]
        again = shlex.join([*words, *where.words()])
        raise Interrupted(f"interrupted; what was stored is kept, and this goes on with it: {again}") from None
    finally:
        observer.close()
