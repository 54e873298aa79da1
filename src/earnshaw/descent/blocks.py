"""Cutting a batch of starts into blocks that keep a processor busy and its cache warm."""

import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from earnshaw.descent.devices import placed
from earnshaw.landscapes.batch import block_size

#: A step of a block costs as much as this many parameters, whatever its size (measured: tens of microseconds).
NUMBERS_PER_STEP = 2**10
LARGEST_BLOCK = 2**10
#: Each size is compiled once, so there are few, far apart.
SIZES = 3
RATIO = 4


@dataclass
class Block:
    """Some starts that run together: `lanes` has one lane for each entry of `index`, and then padding."""

    index: np.ndarray
    lanes: Any
    step: int = 0
    mark: int = 0
    """The place in the schedule of the next record."""


def sizes(numbers: int) -> tuple[int, ...]:
    """The block sizes for starts with so many parameters each, largest first.

    They depend on the problem, not on the machine's number of cores, so the results do not either.
    """
    largest = block_size(numbers)
    if jax.default_backend() == "cpu":
        largest = min(largest, LARGEST_BLOCK)
    return tuple(sorted({max(largest // RATIO**i, 1) for i in range(SIZES)}, reverse=True))


def best_size(running: int, numbers: int, candidates: tuple[int, ...]) -> int:
    """The size with which a step of all running starts costs least; the larger one when two cost the same.

    >>> best_size(500, 400, (16, 4, 1)), best_size(3, 400, (16, 4, 1))
    (16, 4)
    """

    def cost(size: int) -> int:
        return math.ceil(running / size) * (NUMBERS_PER_STEP + size * numbers)

    return min(sorted(candidates, reverse=True), key=cost)


def cut(index: np.ndarray, batch: PyTree, size: int, *, step: int = 0, mark: int = 0) -> list[Block]:
    """Blocks of equal size from the host arrays of a batch, the last one padded with copies of its first lane."""
    blocks = []
    for number, first in enumerate(range(0, len(index), size)):
        rows = np.arange(first, min(first + size, len(index)))
        padded = np.concatenate([rows, np.full(size - len(rows), first)])
        blocks.append(Block(index[rows], to_device(batch, padded, number), step, mark))
    return blocks


def gather(blocks: list[Block]) -> tuple[np.ndarray, PyTree]:
    """The starts of all blocks, without the padding, as host arrays."""

    def without_padding(block: Block) -> PyTree:
        return jax.tree.map(lambda leaf: _host(leaf)[: len(block.index)], block.lanes)

    parts = [without_padding(block) for block in blocks]
    return np.concatenate([b.index for b in blocks]), jax.tree.map(lambda *leaves: _join(leaves), *parts)


@dataclass(frozen=True)
class _HostKeys:
    """Random keys as plain numbers, which is what the host can index."""

    data: np.ndarray

    def __getitem__(self, rows: Any) -> "_HostKeys":
        return _HostKeys(self.data[rows])


def to_device(batch: PyTree, rows: np.ndarray, number: int = 0) -> PyTree:
    """Some rows of every host array, on the device whose turn it is for block `number`."""

    def send(leaf: Any) -> Any:
        picked = leaf[rows]
        if isinstance(picked, _HostKeys):
            return placed(jax.random.wrap_key_data(jnp.asarray(picked.data)), number)
        return placed(jnp.asarray(picked), number)

    return jax.tree.map(send, batch)


def _host(leaf: Any) -> Any:
    if isinstance(leaf, _HostKeys):
        return leaf
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return _HostKeys(np.asarray(jax.random.key_data(leaf)))
    return np.asarray(leaf)


def _join(leaves: tuple[Any, ...]) -> Any:
    if isinstance(leaves[0], _HostKeys):
        return _HostKeys(np.concatenate([leaf.data for leaf in leaves]))
    return np.concatenate(leaves)
