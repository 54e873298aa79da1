"""A run's directory: every file appears whole or not at all, and every shard is what it was when it was written.

Shards are NetCDF files in `shards/`; `shards/SHA256SUMS` has a line for each, in the format of `sha256sum`, so that
`sha256sum -c SHA256SUMS` checks a store by hand. A line is added after its file is safely in place: whatever interrupts
a write, a shard is either stored with its checksum or is computed again.
"""

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.runs import netcdf
from earnshaw.runs.lock import LOCK, held
from earnshaw.runs.shards import Shard

MANIFEST = "manifest.json"
SUMMARY = "summary.json"
SHARDS = "shards"
SUMS = "SHA256SUMS"
_UNFINISHED = ".unfinished"
# A limit on the size of files is a quota of its own kind.
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Store:
    """The files of one run."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.shard_directory = directory / SHARDS
        self._sums: dict[str, str] = {}

    @contextmanager
    def opened(self) -> Iterator["Store"]:
        """The store, made if it is not there, held by this process alone until the end of the block."""
        with spoken(self.directory):
            self._refuse_what_is_no_run()
            self.shard_directory.mkdir(parents=True, exist_ok=True)
            self._refuse_links()
            for folder in (self.directory, self.directory.parent):
                # Whoever may write here need not be allowed to read what is above.
                with suppress(OSError):
                    _sync_directory(folder)
            with held(self.directory):
                self._clear_unfinished()
                self._sums = read_sums(self.shard_directory)
                self._end_torn_line()
                yield self

    def manifest(self) -> dict[str, Any] | None:
        """The manifest of the run that is stored here, if there is one."""
        path = self.directory / MANIFEST
        if not path.exists():
            return None
        try:
            stored = json.loads(path.read_bytes())
        except ValueError:
            stored = None
        if not isinstance(stored, dict):
            raise EarnshawError(f"{path} is damaged; choose another directory with --out")
        return stored

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Say what this run is."""
        self.write_json(MANIFEST, manifest)

    def write_json(self, name: str, value: Any) -> None:
        """Write strict JSON."""
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        self.write(name, (text + "\n").encode())

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole: under another name, synced, then renamed."""
        write_whole(self.directory / name, content)

    def write_shard(self, shard: Shard, content: bytes) -> None:
        """Store the bytes of a shard and then their checksum."""
        name = shard_name(shard.index)
        write_whole(self.shard_directory / name, content)
        digest = hashlib.sha256(content).hexdigest()
        with open(self.shard_directory / SUMS, "ab") as sums:
            sums.write(f"{digest}  {name}\n".encode())
            _sync(sums)
        if not self._sums:
            # The list itself was new to its directory.
            _sync_directory(self.shard_directory)
        self._sums[name] = digest

    def read_shard(self, shard: Shard, run: str) -> xr.Dataset | None:
        """A stored shard of the run with that identity; `None` if it was never finished.

        Raises `DamagedShard` if its bytes are not the ones that were written, or are those of another shard or run.
        """
        name = shard_name(shard.index)
        path = self.shard_directory / name
        if name not in self._sums:
            return None
        content = path.read_bytes() if path.exists() else b""
        if hashlib.sha256(content).hexdigest() != self._sums[name]:
            raise DamagedShard(f"{path} is damaged: its checksum is not the one it was stored with")
        try:
            dataset = netcdf.decode(content)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise DamagedShard(f"{path} is damaged: it is no NetCDF file") from error
        if dataset.attrs.get("shard") != shard.label:
            raise DamagedShard(f"{path} holds another shard")
        if dataset.attrs.get("run") != run:
            raise DamagedShard(f"{path} belongs to another run")
        return dataset

    def _end_torn_line(self) -> None:
        """Whoever wrote the last checksum may have died within its line; the next one must not continue it."""
        path = self.shard_directory / SUMS
        if path.exists() and path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            with open(path, "ab") as sums:
                sums.write(b"\n")

    def _clear_unfinished(self) -> None:
        """A process that was killed may leave files that never counted."""
        for folder in (self.directory, self.shard_directory):
            for path in folder.glob(f"*{_UNFINISHED}"):
                path.unlink()

    def _refuse_what_is_no_run(self) -> None:
        if self.directory.exists() and not self.directory.is_dir():
            raise EarnshawError(f"{self.directory} is a file; a run needs a directory")
        if self.directory.is_dir() and not (self.directory / MANIFEST).exists():
            # A start that was interrupted before its manifest leaves these two.
            strangers = [entry.name for entry in self.directory.iterdir() if entry.name not in (LOCK, SHARDS)]
            if strangers:
                raise EarnshawError(
                    f"{self.directory} is not empty and holds no run ({sorted(strangers)[0]} is there); "
                    "choose another directory with --out"
                )

    def _refuse_links(self) -> None:
        """A link would let a run write outside its directory."""
        for folder in (self.directory, self.shard_directory):
            links = [entry for entry in folder.iterdir() if entry.is_symlink()]
            if links:
                raise EarnshawError(f"{links[0]} is a symbolic link; a run keeps all its files in its directory")


class DamagedShard(Exception):
    """A stored shard is not what was written."""


def read_sums(shard_directory: Path) -> dict[str, str]:
    """The checksum of every shard that is stored, by the name of its file."""
    path = shard_directory / SUMS
    if not path.exists():
        return {}
    pairs = [line.split("  ", 1) for line in path.read_text(errors="replace").splitlines()]
    # A line cut short by a crash is one that never counted.
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2 and len(pair[0]) == 64}


def shard_name(index: int) -> str:
    """The file of a shard."""
    return f"{index:06d}.nc"


@contextmanager
def spoken(directory: Path) -> Iterator[None]:
    """Turn the system's refusals to write into sentences."""
    try:
        yield
    except OSError as error:
        place = error.filename or directory
        if error.errno in _NO_SPACE:
            raise EarnshawError(
                f"no space is left for {place}; everything stored so far is kept, "
                "so free some space and give the same command again"
            ) from error
        reason = (error.strerror or str(error)).lower()
        raise EarnshawError(f"cannot write {place}: {reason}; choose another directory with --out") from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears complete or not at all: under another name, synced, then renamed."""
    unfinished = path.with_name(path.name + _UNFINISHED)
    try:
        with open(unfinished, "wb") as file:
            file.write(content)
            _sync(file)
        os.replace(unfinished, path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        error.filename = str(path)
        raise
    _sync_directory(path.parent)


def _sync(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
