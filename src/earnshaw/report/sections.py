"""The sections of a report: the overview, one section for each study, and the facts."""

import json
import shlex
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from earnshaw.report.collect import RunFacts
from earnshaw.report.parts import element, picture, table, value
from earnshaw.theorems.verdict import WORDS

_MARKS = {"holds": "✓", "refuted": "✗", "not-applicable": "∅", "inconclusive": "?"}


def overview(runs: Sequence[RunFacts]) -> str:
    """All artefacts with how many verdicts of each word they have."""
    head = element("tr", *(element("th", escape(name), scope="col") for name in ("study", "artefact", *WORDS)))
    rows = []
    for run in runs:
        counts = Counter(verdict["verdict"] for verdict in run.verdicts)
        name = run.manifest["study"]
        link = element("a", escape(name), href=f"#{name}")
        cells = [element("td", str(counts[word]) if counts[word] else "–", class_="number") for word in WORDS]
        rows.append(element("tr", element("th", link, scope="row"), _td(run.manifest["artefact"]), *cells))
    caption = element("caption", "Artefacts and their verdicts")
    drawn = element("table", caption, element("thead", head), element("tbody", *rows))
    frame = element("div", drawn, class_="scroll", role="region", aria_label="Artefacts and verdicts", tabindex="0")
    return element("section", element("h2", "Overview"), frame, id="overview")


def study(run: RunFacts) -> str:
    """One study: its question, figure, table, verdicts, and how to run it again."""
    manifest = run.manifest
    name = manifest["study"]
    parts = [
        element("h2", escape(name)),
        element("p", escape(manifest["artefact"]), class_="artefact"),
        element("p", escape(manifest["question"]), class_="question"),
    ]
    if run.picture is not None:
        described = f"Figure of the study {name}. {manifest['question']} The table below has the numbers."
        caption = element("figcaption", escape(f"{manifest['artefact']}, computed here"))
        parts.append(element("figure", picture(run.picture, described), caption))
    rows = run.summary["rows"]
    if rows:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        parts.append(table(f"Table of {name}", columns, [[row.get(column) for column in columns] for row in rows]))
    if run.verdicts:
        parts += [element("h3", "Verdicts"), *(_verdict(verdict) for verdict in run.verdicts)]
    parts += [element("h3", "Run it again"), element("pre", element("code", escape(_command(manifest))))]
    return element("section", *parts, id=name)


def facts(runs: Sequence[RunFacts]) -> str:
    """Versions, machine and times."""
    software = dict(runs[0].manifest["versions"]) if runs else {}
    machine = dict(runs[0].manifest["platform"]) if runs else {}
    times = [
        [
            run.manifest["study"],
            run.manifest["scale"],
            run.manifest["seed"],
            run.summary["starts"],
            round(run.summary["computing_seconds"], 2),
        ]
        for run in runs
    ]
    return element(
        "section",
        element("h2", "Facts"),
        table("Runs", ("study", "scale", "seed", "starts", "seconds of computing"), times),
        table("Software", ("package", "version"), list(software.items())),
        table("Machine", ("what", "which"), list(machine.items())),
        id="facts",
    )


def _verdict(verdict: dict[str, Any]) -> str:
    word = verdict["verdict"]
    title = f"{element('span', f'{_MARKS[word]} {word}', class_=f'word {word}')} {escape(verdict['theorem'])}"
    hypotheses = [
        element("li", f"{'✓ met' if each['met'] else '✗ not met'}: {escape(each['text'])} ({value(each['value'])})")
        for each in verdict["hypotheses"]
    ]
    pairs = [(name, verdict.get(name)) for name in ("predicted", "measured", "margin", "counterexample")]
    shown = [
        element("dt", name) + element("dd", value(thing))
        for name, thing in pairs
        if thing is not None or name != "counterexample"
    ]
    return element(
        "article",
        element("h4", title),
        element("ul", *hypotheses, class_="hypotheses") if hypotheses else "",
        element("dl", *shown),
        element("p", escape(verdict["note"])) if verdict.get("note") else "",
        class_="verdict",
    )


def _command(manifest: dict[str, Any]) -> str:
    words = ["earnshaw", "run", manifest["study"], "--scale", manifest["scale"], "--seed", str(manifest["seed"])]
    for name, given in manifest["settings"].items():
        words += ["--set", f"{name}={given if isinstance(given, str) else json.dumps(given)}"]
    return shlex.join(words)


def _td(text: str) -> str:
    return element("td", escape(text))
