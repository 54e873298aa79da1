"""The section of one study: its question, figure, numbers, verdicts, and how to run it again."""

import json
import shlex
from collections import defaultdict
from html import escape
from typing import Any

from earnshaw.report.beside import beside
from earnshaw.report.charts import charts
from earnshaw.report.collect import RunFacts
from earnshaw.report.numbers import counted, duration
from earnshaw.report.parts import Cell, element, paragraph, picture, table, value
from earnshaw.report.stored import StoredShard
from earnshaw.report.verdicts import listing
from earnshaw.report.words import words


def study(run: RunFacts, identity: str, of: int = 1) -> str:
    """One study, finished or not, that shares the page with so many in all."""
    manifest = run.manifest
    head = [
        paragraph(manifest["artefact"], "over"),
        element("h2", escape(manifest["study"])),
        paragraph(manifest["question"], "question"),
    ]
    body = _partial(run, identity) if run.summary is None else _finished(run, run.summary, identity, of)
    return element("section", *head, *body, id=identity, class_="study")


def command(manifest: dict[str, Any]) -> str:
    """The line that runs a study again."""
    words = ["earnshaw", "run", manifest["study"], "--scale", manifest["scale"], "--seed", str(manifest["seed"])]
    for name, given in manifest["settings"].items():
        words += ["--set", f"{name}={given if isinstance(given, str) else json.dumps(given)}"]
    return shlex.join(words)


def _finished(run: RunFacts, summary: dict[str, Any], identity: str, of: int) -> list[str]:
    parts = [_figure(run, identity, of), beside(run, identity)]
    rows = summary["rows"]
    if rows:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        cells = [[row.get(column) for column in columns] for row in rows]
        parts += [
            element("h3", "Numbers"),
            table(f"Numbers of {identity}", columns, cells, show_caption=False, class_="data"),
        ]
    again = command(run.manifest)
    if run.verdicts:
        parts += [element("h3", "Verdicts"), *listing(run.verdicts, again)]
    return [*parts, *_again(run, again)]


def _figure(run: RunFacts, identity: str, of: int) -> str:
    if run.picture is None and not run.charts:
        return ""
    parts = []
    if run.picture is not None:
        described = f"Figure of the study {run.manifest['study']}. {run.manifest['question']} The numbers are below."
        # A wide figure keeps a size at which it can be read, and scrolls where the window is narrower.
        wide = {"class_": "paper wide", "role": "region", "aria_label": f"Figure of {identity}", "tabindex": "0"}
        frame = wide if run.picture.wide else {"class_": "paper"}
        parts.append(element("div", picture(run.picture, described), **frame))
    parts.append(element("figcaption", words(f"{run.manifest['artefact']}, computed here.")))
    return element("figure", *parts) + charts(run.charts, identity, of)


def _partial(run: RunFacts, identity: str) -> list[str]:
    said = (
        f"Partial: this run is not finished. {counted(len(run.shards), 'shard')} of it {_is(len(run.shards))} stored."
    )
    damaged = sum(shard.label is None for shard in run.shards)
    if damaged:
        said += f" {counted(damaged, 'shard')} cannot be read and will be computed again."
    parts = [element("p", escape(said), class_="partial notice")]
    rows = _cells(run.shards)
    if rows:
        parts += [
            element("h3", "Stored so far"),
            table(f"Stored cells of {identity}", ("cell", "shards", "time"), rows, show_caption=False),
        ]
    resume = f"{command(run.manifest)} --out {shlex.quote(str(run.directory))}"
    return [*parts, *_again(run, resume, "Finish it")]


def _cells(shards: tuple[StoredShard, ...]) -> list[list[Any]]:
    """The stored shards, cell by cell."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for shard in shards:
        if shard.label is not None:
            grouped[shard.label.rpartition(" #")[0]].append(shard.seconds or 0.0)
    return [[_cell(label), len(times), Cell(duration(sum(times)), sum(times))] for label, times in grouped.items()]


def _cell(label: str) -> str:
    try:
        cell = json.loads(label)
        return ", ".join(f"{name} = {item}" for name, item in cell.items())
    except (ValueError, AttributeError):
        return label


def _again(run: RunFacts, line: str, title: str = "Run it again") -> list[str]:
    """The command, and every parameter that it stands for."""
    parameters = element(
        "details", element("summary", "Parameters"), value(run.manifest["parameters"]), class_="parameters"
    )
    shown = element("pre", element("code", escape(line)))
    return [element("h3", title), shown, parameters if run.manifest["parameters"] else ""]


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
