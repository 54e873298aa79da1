"""Writing a report: one HTML file that needs nothing else, neither a network nor JavaScript."""

from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path

import earnshaw
from earnshaw.report import sections
from earnshaw.report.collect import RunFacts, collect
from earnshaw.report.parts import element
from earnshaw.runs.store import spoken, write_whole


def write_report(runs: Sequence[Path], out: Path) -> Path:
    """Write `out/index.html` about finished runs and return its path."""
    collected = [collect(Path(run)) for run in runs]
    page = Path(out) / "index.html"
    with spoken(page.parent):
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, html(collected).encode())
    return page


def html(runs: Sequence[RunFacts]) -> str:
    """The whole page."""
    names = ["overview", *(run.manifest["study"] for run in runs), "facts"]
    links = [element("li", element("a", escape(name), href=f"#{name}")) for name in names]
    body = element(
        "body",
        element(
            "header",
            element("h1", "Earnshaw"),
            element("p", f"Theorems that ran, with version {escape(earnshaw.__version__)}."),
            element("nav", element("ul", *links), aria_label="Sections"),
        ),
        element("main", sections.overview(runs), *map(sections.study, runs), sections.facts(runs)),
    )
    style = resources.files("earnshaw.report").joinpath("style.css").read_text(encoding="utf-8")
    head = element(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<link rel="icon" href="data:,">',
        element("title", "Earnshaw: report"),
        element("style", style),
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"
