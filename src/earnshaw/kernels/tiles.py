"""A kernel in tiles that stay in a core's cache, dealt to threads.

XLA streams a large array through memory on one core. A tile's size depends on the network alone, and the grid of tiles
begins at the first input, so a kernel has the same bits whatever the number of threads and the blocks that it was
computed in.
"""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.kernels.prepare import expanded
from earnshaw.kernels.recursion import Inputs, Program, first_pairs, propagate
from earnshaw.kernels.which import Which, read_out, sources_of
from earnshaw.threads import cores

LARGEST_TILE = 256
NUMBERS_PER_TILE = 2**16


def tile_size(pixels: int, n: int) -> int:
    """How many inputs on each side of a tile: a power of two, less when each pair has many pixels.

    >>> tile_size(1, 10_000), tile_size(784, 10_000), tile_size(1, 20)
    (256, 8, 32)
    """
    size = LARGEST_TILE
    while size > 8 and pixels * size**2 > NUMBERS_PER_TILE:
        size //= 2
    while size > 8 and size // 2 >= n:
        size //= 2
    return size


class Side(NamedTuple):
    """Consecutive inputs of one side of a kernel, padded to whole tiles: what the first layer sees, and the rest."""

    x: Float[Array, "p n d"]
    inputs: Inputs
    length: int


def side(
    program: Program, which: Which, seen: Float[np.ndarray, "p n d"], inputs: Inputs, begin: int, size: int
) -> Side:
    """The inputs from `begin` on, with the coefficients of their series; copies of the last one fill the last tile."""
    count = seen.shape[1]
    index = np.minimum(np.arange(-(-count // size) * size), count - 1)
    chosen = jax.tree.map(lambda a: a[..., begin + index], inputs)
    return Side(jnp.asarray(seen[:, index]), expanded(program, chosen, sources_of(which, len(program.layers))), count)


def fill(
    program: Program,
    which: Which,
    left: Side,
    right: Side,
    put: Callable[[slice, slice, np.ndarray], None],
    *,
    size: int,
    symmetric: bool,
    threads: int | None = None,
) -> None:
    """Compute all tiles of a block (those on and above the diagonal if it is symmetric) and hand each to `put`."""

    def one(corner):
        i, j = corner
        tile = _tile(program, which, size, left.x, right.x, left.inputs, right.inputs, i, j)
        rows, columns = slice(i, min(i + size, left.length)), slice(j, min(j + size, right.length))
        put(rows, columns, np.asarray(tile)[: rows.stop - i, : columns.stop - j])

    deal(one, list(_corners(left.length, right.length, size, symmetric)), threads)


def deal(work: Callable, items: list, threads: int | None) -> None:
    """Do all the work on several threads; the first error is raised."""
    count = min(threads or cores(), len(items))
    if count <= 1:
        for item in items:
            work(item)
        return
    with ThreadPoolExecutor(count, thread_name_prefix="kernel") as pool:
        for _ in pool.map(work, items):
            pass


def _corners(n: int, m: int, size: int, symmetric: bool) -> Iterator[tuple[int, int]]:
    for i, j in itertools.product(range(0, n, size), range(0, m, size)):
        if not symmetric or j >= i:
            yield i, j


@partial(jax.jit, static_argnums=(0, 1, 2))
def _tile(program, which, size, x, y, left, right, i, j):
    x, left = _cut(x, i, size, 1), jax.tree.map(lambda a: _cut(a, i, size, a.ndim - 1), left)
    y, right = _cut(y, j, size, 1), jax.tree.map(lambda a: _cut(a, j, size, a.ndim - 1), right)
    sources = sources_of(which, len(program.layers))
    found = propagate(program, first_pairs(x, y, program), left, right, sources)
    return read_out(program, which, found.feature, found.tangent)


def _cut(array, begin, size, axis):
    return jax.lax.dynamic_slice_in_dim(array, begin, size, axis)
