"""Printing: one JSON object for programs, tables and colours for people at a terminal, plain lines for pipes."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import typer

from earnshaw.cli.boundary import one_line
from earnshaw.plain import plain

_COLOURS = {
    "holds": typer.colors.GREEN,
    "refuted": typer.colors.RED,
    "not-applicable": typer.colors.YELLOW,
    "inconclusive": typer.colors.MAGENTA,
}


def as_json(value: dict[str, Any]) -> None:
    """One JSON object on stdout."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def line(text: str = "") -> None:
    """A line on stdout."""
    typer.echo(text)


def verdict_word(word: str) -> str:
    """One of the four words, coloured at a terminal."""
    return typer.style(word, fg=_COLOURS[word], bold=True)


def value(thing: object) -> str:
    """A value in a line of text: short numbers, no quotes around words."""
    thing = plain(thing)
    if isinstance(thing, str):
        return one_line(thing)
    if isinstance(thing, float):
        return f"{thing:.6g}"
    return json.dumps(thing, ensure_ascii=False)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table: drawn by Rich at a terminal, tab-separated lines elsewhere, so that `cut` and `grep` work."""
    texts = [[value(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in texts:
            line("\t".join(row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in texts:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)


def records(rows: Sequence[dict[str, Any]]) -> None:
    """Rows that are dicts, as a table with their names on top."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[row.get(name, "") for name in columns] for row in rows]
    if not sys.stdout.isatty():
        cells = [columns, *cells]
    table(columns, cells)
