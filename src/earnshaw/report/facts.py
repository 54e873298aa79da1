"""The page of facts: times, versions, machine."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from earnshaw.report.collect import RunFacts
from earnshaw.report.numbers import duration
from earnshaw.report.parts import Cell, element, table
from earnshaw.report.sources import sources


def facts(runs: Sequence[RunFacts]) -> str:
    """What was computed with what, on what, and for how long."""
    columns = ("study", "scale", "seed", "starts", "computing", "from start to end")
    named = sources(runs)
    return element(
        "section",
        element("h2", "Facts"),
        table("Papers", ("id", "paper"), named, named_rows=True) if named else "",
        table("Runs", columns, [_times(run) for run in runs], named_rows=True),
        table("Software", ("package", "version"), _gathered(runs, "versions"), named_rows=True),
        table("Machine", ("what", "which"), _gathered(runs, "platform"), named_rows=True),
        id="facts",
    )


def _times(run: RunFacts) -> list[Any]:
    manifest, summary = run.manifest, run.summary
    named = [manifest["study"], manifest["scale"], manifest["seed"]]
    if summary is None:
        return [*named, None, None, Cell("not finished", math.inf)]
    times = [summary["computing_seconds"], summary["seconds"]]
    return [*named, summary["starts"], *(Cell(duration(seconds), seconds) for seconds in times)]


def _gathered(runs: Sequence[RunFacts], which: str) -> list[list[str]]:
    """The facts of all runs; where runs differ, each value with the studies that have it."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for name, fact in run.manifest[which].items():
            found[name][str(fact)].append(run.manifest["study"])
    return [[name, _told(versions)] for name, versions in found.items()]


def _told(versions: dict[str, list[str]]) -> str:
    if len(versions) == 1:
        return next(iter(versions))
    return "; ".join(f"{version} ({', '.join(studies)})" for version, studies in versions.items())
