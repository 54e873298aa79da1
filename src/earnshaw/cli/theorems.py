"""`earnshaw theorems`: list them, or show one."""

from typing import Annotated

import typer

from earnshaw import theorems as room
from earnshaw.cli import show
from earnshaw.cli.options import Json
from earnshaw.theorems.registry import REGISTRY


def theorems(
    theorem_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Show this one.")] = None,
    json: Json = False,
) -> None:
    """List the theorems, or show one."""
    if theorem_id is not None:
        _show_one(theorem_id, json)
    elif json:
        show.as_json({"theorems": [{"id": name, "title": entry.title} for name, entry in REGISTRY.items()]})
    else:
        show.table(["id", "title"], [[name, entry.title] for name, entry in REGISTRY.items()])


def _show_one(theorem_id: str, json: bool) -> None:
    theorem = room.get(theorem_id)
    if json:
        facts = ("id", "source", "title", "statement", "parameters")
        show.as_json({name: getattr(theorem, name) for name in facts})
        return
    show.line(f"{theorem.id}  {theorem.title}")
    show.line(theorem.source)
    show.line()
    show.line(theorem.statement)
    if theorem.parameters:
        show.line()
        show.table(
            ["parameter", "default"], [[f"--set {name}=", default] for name, default in theorem.parameters.items()]
        )
