"""Losses and gradients of many parameters at once, in blocks that stay in a core's cache, on all cores.

One program over all the starts would stream its intermediate arrays through memory, and XLA runs most of such a program
on one core. Blocks of a size that depends on the problem alone give the same numbers on any number of cores.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape
from earnshaw.threads import cores

#: Parameters of all the starts of a block together. Small enough for the intermediate arrays of a pair interaction
#: to stay in a core's cache, and for many blocks to share the cores evenly. An accelerator wants very many starts at
#: once; what is more than that is for the next accelerator.
NUMBERS_PER_BLOCK = {"cpu": 2**13}
NUMBERS_PER_BLOCK_ELSEWHERE = 2**20


def block_size(numbers: int) -> int:
    """How many starts with so many parameters each make a block: a power of two.

    >>> block_size(400), block_size(10**9)
    (16, 1)
    """
    room = NUMBERS_PER_BLOCK.get(jax.default_backend(), NUMBERS_PER_BLOCK_ELSEWHERE)
    return 2 ** math.floor(math.log2(max(room // max(numbers, 1), 1)))


def piece_size(numbers: int) -> int:
    """How many members of a batch are evaluated together: fewer than a block descends, as nothing is kept between them.

    >>> piece_size(400)
    4
    """
    return max(block_size(numbers) // 4, 1)


def values_and_gradients(
    landscape: Landscape, batch: PyTree, *, threads: int | None = None
) -> tuple[Float[Array, " starts"], PyTree]:
    """Loss and Riemannian gradient at every member of a batch of parameters (a leading axis on every array).

    >>> import jax.numpy as jnp
    >>> from earnshaw.landscapes import Quadratic
    >>> losses, gradients = values_and_gradients(Quadratic(jnp.eye(2)), jnp.array([[1.0, 0.0], [0.0, 2.0]]))
    >>> losses.tolist(), gradients.tolist()
    ([0.5, 2.0], [[1.0, 0.0], [0.0, 2.0]])
    """
    return _in_blocks(_value_and_gradient, landscape, batch, threads)


def gradients(landscape: Landscape, batch: PyTree, *, threads: int | None = None) -> PyTree:
    """The Riemannian gradient at every member of a batch, without the losses, which cost extra."""
    return _in_blocks(_gradient, landscape, batch, threads)


def _value_and_gradient(landscape, params):
    return landscape.value_and_gradient(params)


def _gradient(landscape, params):
    return landscape.value_and_gradient(params)[1]


def _in_blocks(function, landscape, batch, threads):
    leaves = jax.tree.leaves(batch)
    if not leaves or len({leaf.shape[:1] for leaf in leaves}) != 1 or leaves[0].ndim == 0 or not len(leaves[0]):
        shapes = [tuple(leaf.shape) for leaf in leaves]
        raise EarnshawError(
            f"a batch needs one leading axis of the same positive length everywhere, got shapes {shapes}"
        )
    landscape = landscape.adapt(batch)
    count = len(leaves[0])
    size = min(piece_size(sum(math.prod(leaf.shape[1:]) for leaf in leaves)), 2 ** math.ceil(math.log2(count)))
    pieces = -(-count // size)
    each = -(-pieces // min(threads or cores(), pieces)) * size

    def run(begin):
        return jax.block_until_ready(_mapped(function, landscape, batch, begin, size, each))

    *others, last = range(0, count, each)
    # this thread takes a share too: waking a thread costs a tenth of a small batch
    waiting = [_helpers(len(others)).submit(run, begin) for begin in others]
    here = run(last)
    return _joined([*(future.result() for future in waiting), here], count)


@cache
def _helpers(threads):
    """Threads that wait for work: starting them anew would cost as much as a small batch."""
    return ThreadPoolExecutor(threads, thread_name_prefix="batch")


@eqx.filter_jit
def _mapped(function, landscape, batch, begin, size, each):
    """The function on `each` members from `begin` on, piece by piece; copies of the first member fill the last one."""

    def pieces(leaf):
        missing = -len(leaf) % each
        filled = jnp.concatenate([leaf, jnp.broadcast_to(leaf[:1], (missing, *leaf.shape[1:]))]) if missing else leaf
        return jax.lax.dynamic_slice_in_dim(filled, begin, each).reshape(-1, size, *leaf.shape[1:])

    results = jax.lax.map(jax.vmap(lambda params: function(landscape, params)), jax.tree.map(pieces, batch))
    return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), results)


@partial(jax.jit, static_argnums=1)
def _joined(results, count):
    return jax.tree.map(lambda *parts: jnp.concatenate(parts)[:count], *results)
