"""The options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter; repeatable.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed of every random number.")]
ScaleName = Annotated[
    str, typer.Option("--scale", metavar="quick|paper", help="The sizes: seconds, or those of the paper.")
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where the run is kept and resumed.")]
