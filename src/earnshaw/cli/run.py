"""`earnshaw run STUDY`: compute one table or figure, or go on with what was begun."""

import hashlib
import json as json_text
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from earnshaw import studies
from earnshaw.cli import show
from earnshaw.cli.boundary import Interrupted, stop
from earnshaw.cli.exit_codes import of_verdicts
from earnshaw.cli.options import Json, Out, ScaleName, Seed, Set
from earnshaw.cli.settings import parse_settings
from earnshaw.cli.where import HERE, Where, pin_threads, placed

HOME = Path("earnshaw-runs")


@placed
def run(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="Which study; `earnshaw studies` lists them.")],
    scale: ScaleName = "quick",
    settings: Set = None,
    seed: Seed = 0,
    out: Out = None,
    where: Where = HERE,
    json: Json = False,
) -> None:
    """Run a study, or go on with one.

    An interrupted run goes on when the same command is given again; what is stored is not computed twice.
    """
    given = parse_settings(settings or [])
    pin_threads()
    declared = studies.get(study)
    declared.settings(scale, **given)
    directory = out or HOME / default_name(study, scale, seed, given)

    from earnshaw import runs
    from earnshaw.cli.progress import watcher

    place = where.place()
    observer = watcher()
    try:
        with place.open() as executor:
            outcome = runs.run(
                declared, directory, scale=scale, seed=seed, settings=given, observer=observer, executor=executor
            )
    except KeyboardInterrupt:
        again = resume_line(study, scale, seed, settings or [], directory, where.words())
        raise Interrupted(f"interrupted; what was stored is kept, and this goes on with it: {again}") from None
    finally:
        observer.close()
    if json:
        show.as_json(outcome.to_json())
    else:
        _show(declared, outcome)
    stop(of_verdicts(verdict.verdict for verdict in outcome.verdicts))


def default_name(study: str, scale: str, seed: int, given: dict[str, Any]) -> str:
    """A directory's name for a run; other settings get another.

    >>> default_name("dual-table", "quick", 0, {})
    'dual-table-quick-seed0'
    """
    mark = ""
    if given:
        digest = hashlib.sha256(json_text.dumps(given, sort_keys=True).encode()).hexdigest()
        mark = f"-{digest[:8]}"
    return f"{study}-{scale}-seed{seed}{mark}"


def resume_line(
    study: str, scale: str, seed: int, settings: Sequence[str], directory: Path, where: Sequence[str] = ()
) -> str:
    """The command that goes on with a run.

    >>> resume_line("dual-table", "quick", 0, ["d=3"], Path("my runs"))
    "earnshaw run dual-table --scale quick --seed 0 --set d=3 --out 'my runs'"
    """
    chosen = [part for setting in settings for part in ("--set", setting)]
    words = ["earnshaw", "run", study, "--scale", scale, "--seed", str(seed), *chosen, "--out", str(directory)]
    return shlex.join([*words, *where])


def _show(study: studies.Study, outcome: Any) -> None:
    show.line(f"{study.name}  {study.artefact}")
    show.records(outcome.rows)
    for verdict in outcome.verdicts:
        show.line(f"{show.verdict_word(verdict.verdict)}\t{verdict.theorem}\tmargin {show.value(verdict.margin)}")
    show.line(f"{outcome.out}  ({outcome.seconds:.1f} s)")
