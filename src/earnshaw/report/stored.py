"""The shards that an unfinished run has stored."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StoredShard:
    """A shard on disk: its cell and piece as one line, and the seconds it took; neither if it cannot be read."""

    label: str | None
    seconds: float | None


def stored_shards(directory: Path) -> tuple[StoredShard, ...]:
    """Every shard in a run's directory, in the order of the grid; only their labels are read."""
    return tuple(_stored(path) for path in sorted((directory / "shards").glob("*.nc")))


def _stored(path: Path) -> StoredShard:
    import h5py
    import numpy as np

    try:
        with h5py.File(path, "r") as file:
            # An attribute may come back as an array with one item.
            return StoredShard(str(file.attrs["shard"]), float(np.asarray(file.attrs["seconds"]).item()))
    except (OSError, KeyError, ValueError, TypeError):
        return StoredShard(None, None)
