"""The three programs that run on the device, each mapped over the starts of a block."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, Key, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.descent.stop import Stop
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape

#: Records that one call has room for; when they are full it returns.
RECORDS_PER_CALL = 64


class Lanes(eqx.Module):
    """What is known about the starts of a block; every leaf has a leading axis over them."""

    state: State
    start: PyTree
    initial_loss: Array


@eqx.filter_jit
def prepare(
    landscape: Landscape, algorithm: Algorithm, stop: Stop, params: PyTree, keys: Key[Array, " lanes"]
) -> Lanes:
    """The lanes before the first step; some may already have ended."""

    def one(start: PyTree, key: PRNGKeyArray) -> Lanes:
        state = algorithm.init(landscape, start, key)
        return Lanes(stop.judge(state, state.loss), start, state.loss)

    return _strong(jax.vmap(one)(params, keys))


@eqx.filter_jit
def transfer(landscape: Landscape, lanes: Lanes) -> Lanes:
    """The same lanes on another landscape: same parameters, new losses and gradients."""

    def one(lane: Lanes) -> Lanes:
        return Lanes(lane.state.placed(landscape, lane.state.params), lane.start, landscape.loss(lane.start))

    return _strong(jax.vmap(one)(lanes))


@eqx.filter_jit
def observe(landscape: Landscape, probes: tuple[Probe, ...], lanes: Lanes) -> dict[str, Array]:
    """What the probes see in every lane."""
    return _observe(landscape, probes, lanes)


@eqx.filter_jit
def advance(
    landscape: Landscape,
    algorithm: Algorithm,
    stop: Stop,
    probes: tuple[Probe, ...],
    lanes: Lanes,
    step: Int[Array, ""],
    until: Int[Array, ""],
    marks: Int[Array, " room"],
) -> tuple[Lanes, Int[Array, ""], Int[Array, ""], dict[str, Array]]:
    """Run all lanes from `step` to `until`, recording at the steps `marks`.

    All lanes have made the same number of steps, because those that ended wait, frozen, until they leave the batch.
    Returns early when every lane has ended or the room for records is full. Gives the lanes, the step that was
    reached, the number of records made, and the records with axes (record, lane, …).
    """
    seen = jax.eval_shape(lambda: _observe(landscape, probes, lanes))
    records = {name: jnp.zeros((marks.size, *s.shape), s.dtype) for name, s in seen.items()}
    one = jax.vmap(_stepper(landscape, algorithm, stop))

    def running(lanes: Lanes) -> Array:
        return jnp.any(lanes.state.outcome == Outcome.RUNNING)

    def to_next_mark(carry: tuple[Any, ...]) -> tuple[Any, ...]:
        lanes, step, count, records = carry
        target = jnp.minimum(until, marks[count])
        lanes, step = jax.lax.while_loop(
            lambda c: (c[1] < target) & running(c[0]), lambda c: (one(c[0]), c[1] + 1), (lanes, step)
        )

        def record(records: dict[str, Array]) -> dict[str, Array]:
            now = _observe(landscape, probes, lanes)
            return {name: records[name].at[count].set(value) for name, value in now.items()}

        due = step == marks[count]
        return lanes, step, count + due, jax.lax.cond(due, record, lambda r: r, records)

    def unfinished(carry: tuple[Any, ...]) -> Array:
        lanes, step, count, _ = carry
        return (step < until) & running(lanes) & (count < marks.size)

    lanes, step, count, records = jax.lax.while_loop(
        unfinished, to_next_mark, (lanes, step, jnp.zeros((), jnp.int64), records)
    )
    return lanes, step, count, records


def _stepper(landscape: Landscape, algorithm: Algorithm, stop: Stop) -> Callable[[Lanes], Lanes]:
    def one(lane: Lanes) -> Lanes:
        before = lane.state
        after = stop.judge(algorithm.step(landscape, before), lane.initial_loss)
        goes_on = before.outcome == Outcome.RUNNING
        return Lanes(jax.tree.map(lambda a, b: jnp.where(goes_on, a, b), after, before), lane.start, lane.initial_loss)

    return one


def _observe(landscape: Landscape, probes: tuple[Probe, ...], lanes: Lanes) -> dict[str, Array]:
    def one(lane: Lanes) -> dict[str, Array]:
        seen: dict[str, Array] = {}
        for probe in probes:
            found = probe(landscape, lane.state, lane.start)
            if twice := seen.keys() & found.keys():
                raise EarnshawError(
                    f"two probes record {min(twice)!r}; every recorded variable needs a name of its own"
                )
            seen |= found
        return seen

    return jax.vmap(one)(lanes)


def _strong(tree: PyTree) -> PyTree:
    """Without weak types, which would make the next call look like one that was never compiled."""

    def strong(leaf: Array) -> Array:
        if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return leaf
        return jax.lax.convert_element_type(leaf, leaf.dtype)

    return jax.tree.map(strong, tree)
