"""Which runs a directory holds, and what has become of each; nothing is changed by looking."""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from earnshaw.errors import EarnshawError
from earnshaw.runs.lock import living_holder
from earnshaw.runs.manifest import FORMAT
from earnshaw.runs.store import MANIFEST, SHARDS, SUMMARY, read_sums

State = Literal["complete", "partial", "running", "damaged"]


@dataclass(frozen=True)
class Listed:
    """One run: `stored` of `shards` shards are there and whole, `age` is the time since something last changed."""

    path: Path
    state: State
    study: str | None
    scale: str | None
    seed: int | None
    stored: int
    shards: int | None
    age: float
    size: int
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The facts as `earnshaw runs --json` prints them, age in seconds and size in bytes."""
        return {**vars(self), "path": str(self.path)}


def listed(directory: Path | str) -> list[Listed]:
    """Every run in a directory and below it, by path. A run's own directory lists that run."""
    directory = Path(directory)
    if not directory.is_dir():
        raise EarnshawError(f"{directory} is no directory; name one that holds runs")
    return [_look_at(path) for path in _runs_below(directory)]


def _runs_below(directory: Path) -> Iterator[Path]:
    # Links are not followed: they may lead in circles, and out of what the user asked about.
    for place, folders, files in os.walk(directory):
        folders.sort()
        if MANIFEST in files:
            folders.clear()
            yield Path(place)


def _look_at(path: Path) -> Listed:
    # A run that is going on may rename a file while we look.
    facts = [_facts(file) for file in path.rglob("*") if not file.is_symlink()]
    size = sum(size for size, _ in facts)
    age = max(time.time() - max((changed for _, changed in facts), default=path.stat().st_mtime), 0.0)
    manifest = _read_object(path / MANIFEST)
    if manifest is None or "study" not in manifest:
        return Listed(path, "damaged", None, None, None, 0, None, age, size, f"{MANIFEST} cannot be read")
    study, scale, seed, shards = (manifest.get(name) for name in ("study", "scale", "seed", "shards"))

    def made(state: State, stored: int, note: str = "") -> Listed:
        return Listed(path, state, study, scale, seed, stored, shards, age, size, note)

    sums = read_sums(path / SHARDS)
    holder = living_holder(path)
    if holder is not None:
        return made("running", len(sums), str(holder))
    if manifest.get("format", 0) > FORMAT:
        return made("damaged", len(sums), "written by a newer version of Earnshaw")
    broken = [name for name, digest in sums.items() if _digest(path / SHARDS / name) != digest]
    whole = len(sums) - len(broken)
    if broken:
        return made("damaged", whole, f"{SHARDS}/{sorted(broken)[0]} is not what was stored")
    complete = shards is not None and whole == shards and _read_object(path / SUMMARY) is not None
    return made("complete" if complete else "partial", whole)


def _facts(file: Path) -> tuple[int, float]:
    try:
        status = file.stat()
    except OSError:
        return 0, 0.0
    return (status.st_size if file.is_file() else 0), status.st_mtime


def _read_object(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
