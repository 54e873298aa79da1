"""A kernel that is larger than memory: computed in blocks into a file, and resumed after an interruption."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw import __version__
from earnshaw.errors import EarnshawError
from earnshaw.kernels.architectures import Architecture
from earnshaw.kernels.blocks import Block, Listener, Progress, Window, as_bytes, block_length, blocks, compute, pairs_of
from earnshaw.kernels.engine import engine_for
from earnshaw.kernels.inputs import checked
from earnshaw.kernels.which import Which, check_which

DEFAULT_MEMORY = 2**30
RECORD = ".blocks"
"""What is appended to the file's name for the record of the blocks that are in it."""


class KernelFile(NamedTuple):
    """A finished kernel in a file; `open_kernel(path)` gives its numbers without reading them all."""

    path: Path
    n: int
    which: Which
    truncation_error: float


def kernel_file(
    path: str | os.PathLike,
    x,
    architecture: Architecture,
    *,
    which: Which = "ntk",
    tolerance: float = 1e-12,
    threads: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Listener | None = None,
) -> KernelFile:
    """The kernel of the rows of x with themselves, as `kernel` gives it, in a file: `.npy`, or `.zarr` with Zarr.

    Half of the blocks are computed, each of them once; `memory` bounds the bytes that this takes, but for some tens of
    MiB of the compiler's. A record beside the file says which blocks are done. Called again after an interruption, with
    the same inputs and network, it goes on; called again after the end, it does nothing.
    """
    path = Path(path)
    which = check_which(which, architecture.depth)
    x = checked(x, architecture)
    n = len(x)
    storage = _storage(path)
    engine = engine_for(architecture, which, x, tolerance)
    length = block_length(engine, n, memory, held=False)
    identity = _identity(x, architecture, which, tolerance)
    record = Path(f"{path}{RECORD}")
    done, length = _begin(storage, path, record, identity, n, length, engine.size)
    everything = blocks(n, n, length, symmetric=True)
    finished = [block for block in everything if (block.rows.start, block.columns.start) in done]
    todo = [block for block in everything if (block.rows.start, block.columns.start) not in done]
    pairs, ready = sum(pairs_of(everything)), sum(pairs_of(finished))

    def put(block: Block, write: Callable) -> None:
        nonlocal ready
        window = Window(block)
        write(window)
        storage.write(path, block, window.values)
        # the line says that the block is in the file, so it comes second
        with open(record, "a") as lines:
            lines.write(json.dumps([block.rows.start, block.columns.start]) + "\n")
        ready += window.values.size
        if progress is not None:
            progress(Progress(ready, pairs))

    if progress is not None:
        progress(Progress(ready, pairs))
    compute(engine, todo, None, put, threads)
    return KernelFile(path, n, which, engine.truncation_error)


def open_kernel(path: str | os.PathLike) -> Any:
    """The matrix in a finished file, read where it is indexed: a memory map of NumPy's or an array of Zarr's."""
    path = Path(path)
    if not path.exists():
        raise EarnshawError(f"there is no file {path}")
    return _storage(path).open(path)


class _Npy:
    """A file of NumPy's, mapped anew for every block so that pages that are written do not count as ours."""

    @staticmethod
    def create(path: Path, n: int, length: int, size: int) -> None:
        np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(n, n)).flush()

    @staticmethod
    def write(path: Path, block: Block, values: np.ndarray) -> None:
        target = np.lib.format.open_memmap(path, mode="r+")
        target[block.rows, block.columns] = values
        if block.rows != block.columns:
            target[block.columns, block.rows] = values.T
        target.flush()

    @staticmethod
    def open(path: Path) -> Any:
        return np.load(path, mmap_mode="r")


class _Zarr:
    """A directory of Zarr's, whose chunks are whole parts of a block."""

    @staticmethod
    def create(path: Path, n: int, length: int, size: int) -> None:
        tiles = next(k for k in (8, 7, 6, 5, 4, 3, 2, 1) if (length // size) % k == 0)
        chunk = min(size * tiles, n)
        _zarr().create_array(store=str(path), shape=(n, n), chunks=(chunk, chunk), dtype="float64")

    @staticmethod
    def write(path: Path, block: Block, values: np.ndarray) -> None:
        target = _zarr().open_array(str(path), mode="r+")
        target[block.rows, block.columns] = values
        if block.rows != block.columns:
            target[block.columns, block.rows] = np.ascontiguousarray(values.T)

    @staticmethod
    def open(path: Path) -> Any:
        return _zarr().open_array(str(path), mode="r")


def _storage(path: Path) -> type[_Npy] | type[_Zarr]:
    if path.suffix == ".npy":
        return _Npy
    if path.suffix == ".zarr":
        _zarr()
        return _Zarr
    raise EarnshawError(f"a kernel is written to a file that ends in .npy or .zarr, and not to {path.name!r}")


def _zarr() -> Any:
    try:
        import zarr  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise EarnshawError("a .zarr file needs zarr: pip install 'earnshaw[zarr]'; or write a .npy file") from None
    return zarr


def _begin(storage, path: Path, record: Path, identity: str, n: int, length: int, size: int):
    """What was done before, and the length of its blocks; a new file if there was nothing."""
    if record.exists() and path.exists():
        head, *lines = record.read_text().splitlines() or [""]
        try:
            written = json.loads(head)
        except ValueError:
            written = {}
        if written.get("identity") != identity:
            raise EarnshawError(f"{path} holds the kernel of other inputs or another network; choose another file")
        # a line that was cut off by the end of a process belongs to a block that is computed again
        whole = [line for line in lines if line.startswith("[") and line.endswith("]")]
        return {tuple(json.loads(line)) for line in whole}, int(written["length"])
    if path.exists():
        raise EarnshawError(f"{path} exists and no record of its blocks is beside it; choose another file or remove it")
    if not path.parent.is_dir():
        raise EarnshawError(f"there is no directory {path.parent}")
    need, free = as_bytes(n, n), shutil.disk_usage(path.parent).free
    if need > free:
        raise EarnshawError(
            f"the kernel of {n} inputs takes {need / 2**30:.1f} GiB, and {free / 2**30:.1f} are free in {path.parent}"
        )
    record.unlink(missing_ok=True)
    storage.create(path, n, length, size)
    record.write_text(json.dumps({"identity": identity, "length": length}) + "\n")
    return set(), length


def _identity(x: np.ndarray, architecture: Architecture, which: Which, tolerance: float) -> str:
    """What tells kernels apart: all numbers that go in, and of the activation its values, as a function has no name."""
    values = np.asarray(jax.vmap(architecture.activation.function)(jnp.linspace(-6.0, 6.0, 97)))
    settings = {name: getattr(architecture, name) for name in architecture.__dataclass_fields__ if name != "activation"}
    words = [
        __version__,
        type(architecture).__name__,
        architecture.activation.name,
        settings,
        which,
        tolerance,
        x.shape,
    ]
    digest = hashlib.sha256(repr(words).encode())
    digest.update(values.tobytes())
    digest.update(x.tobytes())
    return digest.hexdigest()
