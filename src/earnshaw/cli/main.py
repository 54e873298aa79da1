"""The program `earnshaw`: its commands, put together without loading anything numeric."""

import io
import sys
from typing import Annotated

import typer

from earnshaw import __version__
from earnshaw.cli.boundary import Group
from earnshaw.cli.check import check
from earnshaw.cli.kernel import kernel
from earnshaw.cli.report import report
from earnshaw.cli.reproduce import reproduce
from earnshaw.cli.run import run
from earnshaw.cli.runs import runs
from earnshaw.cli.studies import studies
from earnshaw.cli.theorems import theorems

# Plain help: Rich's costs as much time to load as all the rest of it.
app = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None)


def _show_version(wanted: bool) -> bool:
    if wanted:
        typer.echo(f"earnshaw {__version__}")
        raise typer.Exit
    return wanted


@app.callback()
def earnshaw(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A laboratory for provable gradient descent: run the theorem.

    Exit codes: 0 fine or holds, 1 refuted, 2 bad usage or input, 3 not applicable, 4 inconclusive.
    """


for command in (theorems, check, studies, run, runs, reproduce, report, kernel):
    app.command()(command)


def main() -> None:
    """Run the program on the arguments of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show σ must not stop a check.
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="earnshaw")
