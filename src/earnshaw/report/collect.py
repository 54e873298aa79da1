"""Reading runs for a report: plain files only, nothing is computed and nothing unpickled."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earnshaw.errors import EarnshawError
from earnshaw.report.shape import CHARTS, COMPARISONS, MANIFEST, SUMMARY, VERDICTS, misfit
from earnshaw.report.stored import StoredShard, stored_shards
from earnshaw.runs.manifest import FORMAT
from earnshaw.studies.style import COLUMN

_LARGEST_SVG = 500_000
#: What all figures of a page may weigh together.
_LARGEST_SVGS = 2_000_000
_SVG_WIDTH = re.compile(rb'<svg[^>]* width="([\d.]+)pt"')
_COLUMN_IN_POINTS = 72 * COLUMN + 1


@dataclass(frozen=True)
class Picture:
    """A figure's bytes, their media type, and whether it is printed across two columns."""

    media_type: str
    content: bytes
    wide: bool = False


@dataclass(frozen=True)
class RunFacts:
    """What a run says of itself; one that is not finished has shards alone, and no `summary`."""

    directory: Path
    manifest: dict[str, Any]
    shards: tuple[StoredShard, ...] = ()
    summary: dict[str, Any] | None = None
    verdicts: tuple[dict[str, Any], ...] = ()
    comparisons: tuple[dict[str, Any], ...] = ()
    charts: tuple[dict[str, Any], ...] = ()
    picture: Picture | None = None


def collect_all(directories: Sequence[Path]) -> list[RunFacts]:
    """The facts of all runs of a page."""
    return [collect(directory, of=len(directories)) for directory in directories]


def collect(directory: Path, of: int = 1) -> RunFacts:
    """The facts of one run, finished or not, that shares a page with so many in all."""
    if not directory.is_dir():
        raise EarnshawError(f"there is no run at {directory}; name a directory that `earnshaw run` wrote")
    if not (directory / "manifest.json").exists():
        raise EarnshawError(f"{directory} holds no run: manifest.json is missing{_below(directory)}")
    link = next((entry for entry in directory.iterdir() if entry.is_symlink()), None)
    if link is not None:
        raise EarnshawError(f"{link} is a symbolic link; a run keeps all its files in its directory")
    _refuse_newer(directory, _read(directory, "manifest.json"))
    manifest = _read(directory, "manifest.json", MANIFEST)
    if not (directory / "summary.json").exists():
        return RunFacts(directory, manifest, shards=stored_shards(directory))
    return RunFacts(
        directory,
        manifest,
        summary=_read(directory, "summary.json", SUMMARY),
        verdicts=tuple(_read(directory, "verdicts.json", VERDICTS)),
        comparisons=tuple(_read(directory, "references.json", COMPARISONS)),
        charts=tuple(_read(directory, "curves.json", CHARTS)),
        picture=_picture(directory, min(_LARGEST_SVG, _LARGEST_SVGS // max(1, of))),
    )


def _read(directory: Path, name: str, shape: Any = None) -> Any:
    path = directory / name
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise EarnshawError(f"the run in {directory} is damaged: {name} is missing; run the study again") from None
    except (OSError, ValueError, RecursionError):
        raise EarnshawError(f"{path} is damaged: it cannot be read; run the study again") from None
    wrong = misfit(content, shape)
    if wrong:
        raise EarnshawError(f"{path} is damaged: {wrong}; run the study again")
    return content


def _refuse_newer(directory: Path, manifest: Any) -> None:
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if isinstance(version, int) and version > FORMAT:
        raise EarnshawError(f"{directory} was written by a newer version of Earnshaw; update Earnshaw to read it")


def _below(directory: Path) -> str:
    """What the user may have meant."""
    found = sorted(directory.glob("*/manifest.json")) or sorted(directory.glob("*/*/manifest.json"))
    return f"; name the runs in it, such as {found[0].parent}" if found else ""


def _picture(directory: Path, largest: int) -> Picture | None:
    """The vector figure, or the pixels where the vectors would be heavier than a page should be."""
    svg, png = directory / "figure.svg", directory / "figure.png"
    if svg.exists() and (svg.stat().st_size <= largest or not _is_smaller(png, svg)):
        content = svg.read_bytes()
        width = _SVG_WIDTH.search(content[:4096])
        return Picture("image/svg+xml", content, wide=width is not None and float(width[1]) > _COLUMN_IN_POINTS)
    return Picture("image/png", png.read_bytes()) if png.exists() else None


def _is_smaller(one: Path, other: Path) -> bool:
    return one.exists() and one.stat().st_size < other.stat().st_size
