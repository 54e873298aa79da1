"""A kernel in blocks of inputs, so that what is in memory at one time is bounded; only half of a symmetric one."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from earnshaw.errors import EarnshawError
from earnshaw.kernels.engine import Engine
from earnshaw.kernels.tiles import corners, deal

DEFAULT_MEMORY = 2**29
"""Bytes that the inputs of a block and their coefficients may take if nothing is said."""


@runtime_checkable
class Target(Protocol):
    """Where a kernel goes: anything that takes assignments to rectangles, such as an array of NumPy's or Zarr's."""

    def __setitem__(self, where: tuple[slice, slice], values: np.ndarray) -> None: ...


class Block(NamedTuple):
    """A rectangle of a kernel."""

    rows: slice
    columns: slice


class Progress(NamedTuple):
    """How far a kernel is: pairs of inputs that are done, of all that have to be computed."""

    done: int
    pairs: int


Listener = Callable[[Progress], None]


class Window:
    """A block in memory that takes assignments by their place in the whole kernel, and lets those outside pass."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.values = np.empty((block.rows.stop - block.rows.start, block.columns.stop - block.columns.start))

    def __setitem__(self, where: tuple[slice, slice], values: np.ndarray) -> None:
        (i, k), (j, m) = ((part.start, part.stop) for part in where)
        rows, columns = self.block
        if rows.start <= i and k <= rows.stop and columns.start <= j and m <= columns.stop:
            self.values[i - rows.start : k - rows.start, j - columns.start : m - columns.start] = values


def block_length(engine: Engine, n: int, memory: int | None, *, held: bool) -> int:
    """How many inputs a block has on each side, in whole tiles, so that two sides and a block stay within `memory`.

    With `held` the values of the block itself are somewhere else already.
    """
    room = DEFAULT_MEMORY if memory is None else memory
    per_input = 4 * engine.bytes_per_input  # two sides, and as much again while their coefficients are integrated
    # the block itself, and the pages of the file to which it is written, once as it is and once transposed:
    # per_input·b + 24b² ≤ room
    most = room / per_input if held else (math.sqrt(per_input**2 + 96 * room) - per_input) / 48
    tiles = int(most // engine.size)
    if tiles < 1:
        least = engine.size * per_input + (0 if held else 24 * engine.size**2)
        raise EarnshawError(
            f"one tile of this kernel needs {least / 2**20:.3g} MiB of memory, and {room / 2**20:.3g} MiB were given"
        )
    return min(tiles * engine.size, -(-n // engine.size) * engine.size)


def blocks(n: int, m: int, length: int, *, symmetric: bool) -> list[Block]:
    """The blocks of an n × m kernel; those on and above the diagonal if it is symmetric.

    >>> [(b.rows.start, b.columns.start) for b in blocks(5, 5, 3, symmetric=True)]
    [(0, 0), (0, 3), (3, 3)]
    """
    found = corners(n, m, length, symmetric=symmetric)
    return [Block(slice(i, min(i + length, n)), slice(j, min(j + length, m))) for i, j in found]


def compute(
    engine: Engine,
    todo: list[Block],
    offset: int | None,
    put: Callable[[Block, Callable[[Target], None]], None],
    threads: int | None,
) -> None:
    """Compute blocks in order. `put` gets each one with a function that writes it into a target.

    `offset` is where the inputs of the columns begin in the engine; `None` for the kernel of inputs with themselves,
    whose blocks off the diagonal are written twice.
    """
    for _, row in itertools.groupby(todo, key=lambda block: block.rows.start):
        row = list(row)
        left = engine.side(row[0].rows)
        for block in row:
            if offset is None and block.rows == block.columns:
                right = left
            else:
                begin = offset or 0
                right = engine.side(slice(begin + block.columns.start, begin + block.columns.stop))
            write = partial(_write, engine, block, left, right, mirrored=offset is None, threads=threads)
            put(block, write)


def _write(engine, block, left, right, target, *, mirrored, threads) -> None:
    """Compute the tiles of a block, and write each to where it belongs and, if mirrored, to the other side too."""
    on_diagonal = mirrored and block.rows == block.columns
    own = engine.diagonal()[block.rows] if on_diagonal else None

    def one(corner):
        i, j = corner
        tile = engine.tile(left, right, i, j)
        if own is not None and i == j:
            tile = tile.copy()
            # E σ(u)σ(v) is symmetric, but a rounded sum need not be
            tile = np.triu(tile) + np.triu(tile, 1).T
            np.fill_diagonal(tile, own[i : i + len(tile)])
        rows = slice(block.rows.start + i, block.rows.start + i + tile.shape[0])
        columns = slice(block.columns.start + j, block.columns.start + j + tile.shape[1])
        target[rows, columns] = tile
        if mirrored and rows != columns:
            target[columns, rows] = tile.T

    deal(one, corners(left.length, right.length, engine.size, symmetric=on_diagonal), threads)


def pairs_of(todo: list[Block]) -> Iterator[int]:
    """How many pairs of inputs each block has."""
    for block in todo:
        yield (block.rows.stop - block.rows.start) * (block.columns.stop - block.columns.start)


def as_bytes(n: int, m: int) -> int:
    """What a kernel takes in float64.

    >>> as_bytes(50_000, 50_000) / 2**30 < 18.7
    True
    """
    return 8 * n * m
