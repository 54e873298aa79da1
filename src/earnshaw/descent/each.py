"""One start on each of many landscapes of one shape, together: many random teachers, say."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.starts import as_key
from earnshaw.descent.state import State
from earnshaw.descent.stop import Stop
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.batch import cores
from earnshaw.landscapes.landscape import Landscape

#: Landscapes that run in one program. More would wait longer for the slowest of them; fewer would cost more in calls.
TOGETHER = 32


class Ends(NamedTuple):
    """The last state on every landscape, with a leading axis on every array, and the losses at the marks."""

    state: State
    losses: Float[np.ndarray, "n marks"]


def descend_each(
    landscapes: Sequence[Landscape],
    algorithm: Algorithm,
    *,
    stop: Stop | None = None,
    key: int | PRNGKeyArray = 0,
    marks: Sequence[int] | Int[np.ndarray, " marks"] = (),
    threads: int | None = None,
) -> Ends:
    """Descend once on each landscape, from a start that is drawn with a key folded from `key` and its number.

    `descend` runs many starts on one landscape, records whatever one likes and can be interrupted; this is for
    landscapes that differ in their numbers alone, and looks only at the ends and at the losses after so many steps
    (`marks`; an ended start keeps its loss). The landscapes run in blocks of fixed size, so the number of `threads`
    has no influence on the result. They are not adapted: use potentials that are no series.

    >>> from earnshaw.descent import GradientDescent
    >>> from earnshaw.landscapes import Quadratic
    >>> bowls = [Quadratic([[curvature]]) for curvature in (0.5, 1.0)]
    >>> ends = descend_each(bowls, GradientDescent(1.0), stop=Stop(steps=100, gradient_norm=1e-12))
    >>> bool(jnp.all(jnp.abs(ends.state.params) < 1e-11))
    True
    """
    arrays, shapes = _stacked(landscapes)
    # Numbers become arrays, so that another threshold does not mean another compilation.
    rules = jax.tree.map(jnp.asarray, algorithm.default_stop() if stop is None else stop)
    keys = jax.vmap(lambda number: jax.random.fold_in(as_key(key), number))(jnp.arange(len(landscapes)))
    at = jnp.asarray(np.asarray(marks, int))
    size = min(TOGETHER, len(landscapes))

    def block(first: int) -> tuple[State, Array]:
        rows = jnp.minimum(jnp.arange(first, first + size), len(landscapes) - 1)
        own = jax.tree.map(lambda leaf: leaf[rows], (arrays, keys))
        return jax.block_until_ready(_run(own[0], shapes, algorithm, rules, own[1], at))

    firsts = range(0, len(landscapes), size)
    with ThreadPoolExecutor(threads or cores()) as pool:
        # The first block compiles what the others share.
        parts = [block(0), *pool.map(block, firsts[1:])]
    state, losses = jax.tree.map(lambda *leaves: jnp.concatenate(leaves)[: len(landscapes)], *parts)
    return Ends(state, np.asarray(losses))


def _stacked(landscapes: Sequence[Landscape]) -> tuple[PyTree, PyTree]:
    """The arrays of all landscapes with a leading axis, and what they have in common."""
    if not landscapes:
        raise EarnshawError("there is no landscape to descend on")
    parts = [eqx.partition(landscape, eqx.is_array) for landscape in landscapes]
    shapes = [jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), arrays) for arrays, _ in parts]
    alike = all(eqx.tree_equal(rest, parts[0][1]) for _, rest in parts) and all(one == shapes[0] for one in shapes)
    if not alike:
        raise EarnshawError("landscapes that descend together may differ in their numbers, not in shapes or settings")
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *(arrays for arrays, _ in parts)), parts[0][1]


@eqx.filter_jit
def _run(
    arrays: PyTree, rest: PyTree, algorithm: Algorithm, stop: Stop, keys: Array, marks: Int[Array, " marks"]
) -> tuple[State, Float[Array, "n marks"]]:
    def one(own: PyTree, key: PRNGKeyArray) -> tuple[State, Array]:
        landscape = eqx.combine(own, rest)
        start_key, descent_key = jax.random.split(key)
        first = algorithm.init(landscape, landscape.init(start_key), descent_key)

        def step(carry: tuple[State, Array, Array]) -> tuple[State, Array, Array]:
            state, count, losses = carry
            ahead = stop.judge(algorithm.step(landscape, state), first.loss)
            return ahead, count + 1, jnp.where(marks > count, ahead.loss, losses)

        start = (stop.judge(first, first.loss), jnp.zeros((), jnp.int32), jnp.full(marks.shape, first.loss))
        state, _, losses = jax.lax.while_loop(lambda carry: carry[0].outcome == Outcome.RUNNING, step, start)
        return state, losses

    return jax.vmap(one)(arrays, keys)
