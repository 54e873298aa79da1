"""The work of a kernel in tiles that stay in a core's cache, dealt to threads.

XLA streams a large array through memory on one core. A tile's size depends on the network alone, and the grid of tiles
begins at the first input, so a kernel has the same bits whatever the number of threads and the blocks that it was
computed in.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Any

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


def corners(n: int, m: int, size: int, *, symmetric: bool) -> list[tuple[int, int]]:
    """Where the tiles of an n × m block begin; those on and above the diagonal if it is symmetric.

    >>> corners(3, 3, 2, symmetric=True)
    [(0, 0), (0, 2), (2, 2)]
    """
    grid = itertools.product(range(0, n, size), range(0, m, size))
    return [(i, j) for i, j in grid if j >= i or not symmetric]


def deal(work: Callable[[Any], None], items: Sequence[Any], threads: int | None) -> None:
    """Do all the work on several threads; the first error is raised."""
    count = min(threads or cores(), len(items))
    waiting, lock, stopped = iter(items), Lock(), False

    def several() -> None:
        nonlocal stopped
        try:
            while not stopped:
                with lock:
                    item = next(waiting, None)
                if item is None:
                    return
                work(item)
        except BaseException:
            # nobody needs the rest
            stopped = True
            raise

    # this thread takes a share too: waking a thread costs as much as a small tile
    helpers = [_helpers(count - 1).submit(several) for _ in range(count - 1)]
    try:
        several()
    finally:
        stopped_early = [helper.exception() for helper in helpers]
    for error in stopped_early:
        if error is not None:
            raise error


@cache
def _helpers(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work; starting them anew would cost as much as a small kernel."""
    return ThreadPoolExecutor(threads, thread_name_prefix="kernel")
