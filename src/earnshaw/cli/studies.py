"""`earnshaw studies`: list them, or show one."""

from typing import Annotated

import typer

from earnshaw import studies as room
from earnshaw.cli import show
from earnshaw.cli.options import Json
from earnshaw.studies.registry import REGISTRY


def studies(
    name: Annotated[str | None, typer.Argument(metavar="[STUDY]", help="Show this one.")] = None,
    json: Json = False,
) -> None:
    """List the studies, or show one."""
    if name is not None:
        _show_one(name, json)
    elif json:
        show.as_json({"studies": [{"name": name, "artefact": entry.artefact} for name, entry in REGISTRY.items()]})
    else:
        show.table(["study", "artefact"], [[name, entry.artefact] for name, entry in REGISTRY.items()])


def _show_one(name: str, json: bool) -> None:
    study = room.get(name)
    if json:
        show.as_json({fact: getattr(study, fact) for fact in ("name", "artefact", "question", "parameters")})
        return
    show.line(f"{study.name}  {study.artefact}")
    show.line(study.question)
    quick, paper = study.parameters["quick"], study.parameters["paper"]
    if quick:
        show.line()
        show.table(["parameter", "quick", "paper"], [[f"--set {name}=", quick[name], paper[name]] for name in quick])
