"""`earnshaw report RUN…`: one page about runs that are there already."""

from pathlib import Path
from typing import Annotated

import typer

from earnshaw.cli import show
from earnshaw.cli.options import Json
from earnshaw.cli.run import HOME


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Directories that `earnshaw run` wrote.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where index.html is written.")] = HOME / "report",
    json: Json = False,
) -> None:
    """Write one page about runs.

    The page is DIR/index.html and needs nothing else. A run that is not finished is shown as far as it went.
    """
    from earnshaw.report import collect_all, write_page

    collected = collect_all(runs)
    page = write_page(collected, out)
    if json:
        show.as_json({"report": str(page), "bytes": page.stat().st_size, "runs": [_told(run) for run in collected]})
        return
    for run in collected:
        if run.summary is None:
            show.line(f"{run.directory} is not finished; the page shows what is stored")
    show.line(str(page))


def _told(run) -> dict:
    from earnshaw.report.verdicts import counts

    return {
        "study": run.manifest["study"],
        "state": "partial" if run.summary is None else "finished",
        "verdicts": dict(counts(run.verdicts)),
        "run": str(run.directory),
    }
