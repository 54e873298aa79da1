"""The overview: all artefacts with how many verdicts of each word they have."""

import math
from collections.abc import Sequence
from html import escape

from earnshaw.report.collect import RunFacts
from earnshaw.report.numbers import counted, duration
from earnshaw.report.parts import Cell, element, paragraph, table
from earnshaw.report.verdicts import MARKS, counts, tally, word
from earnshaw.theorems.verdict import WORDS


def overview(runs: Sequence[RunFacts], ids: Sequence[str]) -> str:
    """The verdicts of all runs in numbers, and a line for each run."""
    verdicts = [verdict for run in runs for verdict in run.verdicts]
    parts = [element("h2", "Overview"), paragraph(sentence(runs), "lead")]
    if verdicts:
        parts.append(tally(counts(verdicts)))
    if runs:
        columns = ("study", "artefact", *(Cell(_heading(name)) for name in WORDS), "time")
        rows = [_row(run, identity) for run, identity in zip(runs, ids, strict=True)]
        parts.append(table("Artefacts and their verdicts", columns, rows, show_caption=False, named_rows=True))
    return element("section", *parts, id="overview", class_="overview")


def sentence(runs: Sequence[RunFacts]) -> str:
    """What was run, in a sentence or two."""
    if not runs:
        return "No study was run."
    count = sum(len(run.verdicts) for run in runs)
    scales = " and ".join(dict.fromkeys(run.manifest["scale"] for run in runs))
    seeds = ", ".join(str(seed) for seed in dict.fromkeys(run.manifest["seed"] for run in runs))
    said = f"{counted(len(runs), 'study', 'studies')} at {scales} scale with seed {seeds}: {counted(count, 'verdict')}."
    partial = sum(run.summary is None for run in runs)
    if partial:
        said += f" {counted(partial, 'run')} {'is' if partial == 1 else 'are'} not finished and shown in part."
    return said


def _heading(name: str) -> str:
    """A word over its column; of a narrow window only its mark is left."""
    mark = element("span", MARKS[name], aria_hidden="true", class_="mark")
    return mark + element("span", name, class_="name")


def _row(run: RunFacts, identity: str) -> list:
    counted_words = counts(run.verdicts)
    link = Cell(element("a", escape(run.manifest["study"]), href=f"#{identity}"))
    cells = []
    for name in WORDS:
        count = counted_words[name]
        shown = element("span", str(count), class_=f"word {name}") if count else element("span", "–", class_="none")
        cells.append(Cell(shown, count))
    if run.summary is None:
        return [link, run.manifest["artefact"], *cells, Cell(element("span", "partial", class_="partial"), math.inf)]
    seconds = run.summary["computing_seconds"]
    return [link, run.manifest["artefact"], *cells, Cell(escape(duration(seconds)), seconds)]


def marks(run: RunFacts) -> str:
    """The words that occur in a run, as marks for the table of contents."""
    if run.summary is None:
        return element("span", "partial", class_="partial")
    found = counts(run.verdicts)
    return "".join(
        word(name).replace(f" {name}<", f'<span class="unseen"> {name}</span><') for name in WORDS if found[name]
    )
