"""`earnshaw runs DIR`: what has become of the runs in a directory."""

from pathlib import Path
from typing import Annotated, Any

import typer

from earnshaw.cli import show
from earnshaw.cli.duration import roughly
from earnshaw.cli.options import Json
from earnshaw.cli.run import HOME

_UNITS = ("B", "kB", "MB", "GB", "TB")


def runs(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to look.")] = HOME, json: Json = False
) -> None:
    """List runs with their state, age and size."""
    from earnshaw.runs import listed

    found = listed(directory)
    if json:
        show.as_json({"runs": [run.to_json() for run in found]})
        return
    rows = [[str(run.path), run.study or "?", _state(run), roughly(run.age), in_bytes(run.size)] for run in found]
    show.table(["run", "study", "state", "age", "size"], rows)


def _state(run: Any) -> str:
    if run.state == "partial":
        return f"partial {run.stored} of {run.shards or '?'}"
    return f"{run.state}: {run.note}" if run.note else run.state


def in_bytes(size: float | int) -> str:
    """A size in its largest fitting unit.

    >>> in_bytes(12), in_bytes(34_567), in_bytes(8_900_000)
    ('12 B', '34.6 kB', '8.9 MB')
    """
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("the last unit fits everything")
