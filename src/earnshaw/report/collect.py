"""Reading finished runs for a report: plain files only, nothing is computed and nothing unpickled."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earnshaw.errors import EarnshawError

_LARGEST_SVG = 500_000


@dataclass(frozen=True)
class Picture:
    """A figure's bytes and their media type."""

    media_type: str
    content: bytes


@dataclass(frozen=True)
class RunFacts:
    """What a finished run says of itself."""

    directory: Path
    manifest: dict[str, Any]
    summary: dict[str, Any]
    verdicts: list[dict[str, Any]]
    picture: Picture | None


def collect(directory: Path) -> RunFacts:
    """The facts of one finished run."""
    return RunFacts(
        directory,
        manifest=_read_json(directory, "manifest.json"),
        summary=_read_json(directory, "summary.json"),
        verdicts=_read_json(directory, "verdicts.json"),
        picture=_picture(directory),
    )


def _read_json(directory: Path, name: str) -> Any:
    try:
        return json.loads((directory / name).read_bytes())
    except FileNotFoundError:
        raise EarnshawError(f"{directory} holds no finished run: {name} is missing") from None
    except (OSError, ValueError):
        raise EarnshawError(f"{directory / name} cannot be read; run the study again") from None


def _picture(directory: Path) -> Picture | None:
    """The vector figure, or the pixels where the vectors would be heavier than a page should be."""
    svg, png = directory / "figure.svg", directory / "figure.png"
    if svg.exists() and svg.stat().st_size <= _LARGEST_SVG:
        return Picture("image/svg+xml", svg.read_bytes())
    return Picture("image/png", png.read_bytes()) if png.exists() else None
