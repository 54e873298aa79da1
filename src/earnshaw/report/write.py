"""Writing a report to disk."""

from collections.abc import Sequence
from pathlib import Path

from earnshaw.errors import EarnshawError
from earnshaw.report.collect import RunFacts, collect_all
from earnshaw.report.page import GENERATOR, html
from earnshaw.runs.store import spoken, write_whole

_HEAD = 4096


def write_report(runs: Sequence[Path], out: Path) -> Path:
    """Write `out/index.html` about runs, finished or not, and return its path.

    A page that is there already is replaced only if it is an earlier report.
    """
    return write_page(collect_all([Path(run) for run in runs]), out)


def write_page(runs: Sequence[RunFacts], out: Path) -> Path:
    """Write `out/index.html` about runs that have been read already."""
    page = Path(out) / "index.html"
    with spoken(page.parent):
        page.parent.mkdir(parents=True, exist_ok=True)
        _refuse_to_replace_another(page)
        write_whole(page, html(runs).encode())
    return page


def _refuse_to_replace_another(page: Path) -> None:
    if not page.exists():
        return
    with open(page, "rb") as file:
        if f'name="generator" content="{GENERATOR} '.encode() not in file.read(_HEAD):
            raise EarnshawError(f"{page} is there already and is no report; choose another directory with --out")
