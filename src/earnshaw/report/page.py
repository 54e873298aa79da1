"""The whole page: one HTML file that needs nothing else, and can be read without its scripts."""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from importlib import resources

import earnshaw
from earnshaw.report.collect import RunFacts
from earnshaw.report.facts import facts
from earnshaw.report.overview import marks, overview
from earnshaw.report.parts import element, slug
from earnshaw.report.study import study

GENERATOR = "Earnshaw"
_STYLES = ("page.css", "tables.css", "verdicts.css", "charts.css", "print.css")
_SCRIPTS = ("numbers.js", "axes.js", "drawing.js", "chart.js", "sort.js", "start.js")


def html(runs: Sequence[RunFacts]) -> str:
    """The page about `runs`."""
    ids = identities(runs)
    script = "(() => {\n'use strict';\n" + "\n".join(map(_asset, _SCRIPTS)) + "})();"
    sections = [study(run, identity, of=len(runs)) for run, identity in zip(runs, ids, strict=True)]
    body = element(
        "body",
        element("a", "Skip to the results", href="#main", class_="skip"),
        element("header", element("h1", "Earnshaw"), _byline(), _contents(runs, ids)),
        element("main", overview(runs, ids), *sections, facts(runs), id="main"),
        element("script", script),
    )
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_policy(script))}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="{GENERATOR} {escape(earnshaw.__version__)}">',
        '<link rel="icon" href="data:,">',
        element("title", "Earnshaw: report"),
        element("style", "\n".join(map(_asset, _STYLES))),
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"


def identities(runs: Sequence[RunFacts]) -> list[str]:
    """An id for each run's section; a study that was run twice gets two."""
    taken = {"overview", "facts", "main"}
    ids = []
    for run in runs:
        wanted = identity = slug(run.manifest["study"]) or "study"
        number = 1
        while identity in taken:
            number += 1
            identity = f"{wanted}-{number}"
        taken.add(identity)
        ids.append(identity)
    return ids


def _byline() -> str:
    return element("p", f"Theorems that ran, <span>version {escape(earnshaw.__version__)}</span>", class_="byline")


def _contents(runs: Sequence[RunFacts], ids: Sequence[str]) -> str:
    items = [element("li", element("a", "Overview", href="#overview"))]
    for run, identity in zip(runs, ids, strict=True):
        items.append(element("li", element("a", escape(run.manifest["study"]), href=f"#{identity}"), " ", marks(run)))
    items.append(element("li", element("a", "Facts", href="#facts")))
    return element("nav", element("ul", *items), aria_label="Contents")


def _policy(script: str) -> str:
    """The browser itself refuses every request, and every script but ours."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _asset(name: str) -> str:
    return resources.files("earnshaw.report").joinpath("assets", name).read_text(encoding="utf-8")
