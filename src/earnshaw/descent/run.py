"""One descent in the making: which starts are where, and what they have shown so far."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Key, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.blocks import Block, best_size, cut, gather, sizes
from earnshaw.descent.device import RECORDS_PER_CALL, Lanes, advance, observe, prepare, transfer
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.pace import SECONDS_PER_CALL, Pace
from earnshaw.descent.probe import Probe
from earnshaw.descent.progress import Listener, Progress
from earnshaw.descent.records import Records
from earnshaw.descent.stop import Stop
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape

#: Between two looks at which starts have ended: this many steps at first, and later this share of those made so far,
#: so that an ended start wastes little and a long descent is rarely halted.
STEPS_PER_ROUND = 32
SHARE_PER_ROUND = 1 / 8
#: Before so many steps it is not worth compiling the programs for another block size.
STEPS_BEFORE_RESIZING = 256
#: A landscape that is still not content with itself after so many adaptations to the same parameters never will be.
ADAPTATIONS = 16
NEVER = np.iinfo(np.int64).max


class Result(NamedTuple):
    """Host arrays: per start, and per start and record."""

    steps: np.ndarray
    outcomes: np.ndarray
    params: PyTree
    marks: np.ndarray
    final: dict[str, np.ndarray]
    records: dict[str, np.ndarray]


class Run:
    """Runs rounds of steps over blocks of starts; between rounds, ended starts leave and the landscape may adapt.

    Rounds end at steps that depend on nothing but their number, so neither the clock nor the number of threads
    has any influence on what is computed.
    """

    def __init__(
        self,
        landscape: Landscape,
        algorithm: Algorithm,
        stop: Stop,
        probes: tuple[Probe, ...],
        marks: np.ndarray,
        params: PyTree,
        keys: Key[Array, " starts"],
    ):
        self._landscape = landscape
        self._algorithm = algorithm
        self._probes = probes
        self._last = stop.steps
        # Numbers become arrays, so that another threshold does not mean another compilation.
        self._stop = jax.tree.map(jnp.asarray, stop)
        self._numbers = sum(leaf[0].size for leaf in jax.tree.leaves(params))
        self._sizes = sizes(self._numbers)
        self._pace = Pace()
        self._halt = Event()
        self._compiled: set[int] = set()
        self._ended: list[Block] = []

        self._starts = len(keys)
        size = best_size(self._starts, self._numbers, self._sizes)
        index, batch = gather([Block(np.arange(self._starts), (params, keys))])
        self._blocks = cut(index, batch, size)
        for block in self._blocks:
            block.lanes = prepare(landscape, algorithm, self._stop, *block.lanes)
        first = _on_host(observe(landscape, probes, self._blocks[0].lanes))
        self.recorded = tuple(first)
        self._records = Records(marks, self._starts, first)

    def to_the_end(self, tell: Listener, threads: int) -> None:
        """Run until every start has ended, or somebody presses Ctrl-C."""
        step = 0
        with ThreadPoolExecutor(threads, thread_name_prefix="descent") as pool:
            try:
                self._drop_ended(step)
                while self._blocks:
                    until = min(step + max(STEPS_PER_ROUND, int(step * SHARE_PER_ROUND)), self._last)
                    self._round(until, pool, tell)
                    step = until
                    self._drop_ended(step)
                self._tell(tell)
            except KeyboardInterrupt:
                self._halt.set()

    def result(self) -> Result:
        """What the starts have come to; those that have not ended are interrupted."""
        index, lanes = gather(self._ended + self._blocks)
        order = np.argsort(index)
        outcomes = lanes.state.outcome[order]
        outcomes[outcomes == Outcome.RUNNING] = Outcome.INTERRUPTED
        steps = lanes.state.steps[order]
        final = self._observe_all(lanes, order)
        marks, records = self._records.finished(steps, final)
        params = jax.tree.map(lambda leaf: leaf[order], lanes.state.params)
        return Result(steps, outcomes, params, marks, final, records)

    def _round(self, until: int, pool: ThreadPoolExecutor, tell: Listener) -> None:
        began = [(block.lanes, block.step, block.mark) for block in self._blocks]
        for _ in range(ADAPTATIONS):
            self._compile()
            self._together(pool, [lambda b=block: self._block_to(b, until) for block in self._blocks], tell)
            adapted = self._adapted()
            if adapted is self._landscape:
                return
            # The losses of this round may be wrong: make its steps again, on the landscape that is accurate there.
            self._landscape = adapted
            self._compiled.clear()
            for block, (lanes, step, mark) in zip(self._blocks, began, strict=True):
                block.lanes, block.step, block.mark = transfer(adapted, lanes), step, mark

    def _block_to(self, block: Block, until: int) -> None:
        size = len(block.lanes.initial_loss)
        while block.step < until and not self._halt.is_set() and _running(block).any():
            target = min(until, block.step + self._pace.steps(size))
            with self._pace.measured(size, target - block.step):
                lanes, step, count, seen = self._call(block, target)
                step, count = int(step), int(count)
            self._records.put(block.index, block.mark, count, _on_host(seen))
            # One assignment, so that an interruption finds a block either before the call or after it.
            block.lanes, block.step, block.mark = lanes, step, block.mark + count

    def _call(self, block: Block, target: int) -> tuple[Lanes, Any, Any, dict[str, Any]]:
        marks = np.full(RECORDS_PER_CALL, NEVER)
        near = self._records.marks[block.mark : block.mark + RECORDS_PER_CALL]
        marks[: len(near)] = near
        args = (block.lanes, jnp.asarray(block.step), jnp.asarray(target), jnp.asarray(marks))
        return jax.block_until_ready(advance(self._landscape, self._algorithm, self._stop, self._probes, *args))

    def _compile(self) -> None:
        """Compile with a call of no steps, before several threads would all do it."""
        block = self._blocks[0]
        size = len(block.lanes.initial_loss)
        if size not in self._compiled:
            self._call(block, block.step)
            self._compiled.add(size)

    def _together(self, pool: ThreadPoolExecutor, tasks: Iterable[Callable[[], None]], tell: Listener) -> None:
        futures = {pool.submit(task) for task in tasks}
        try:
            pending = futures
            while pending:
                _, pending = wait(pending, timeout=SECONDS_PER_CALL)
                self._tell(tell)
        except BaseException:
            self._halt.set()
            wait(futures)
            raise
        for future in futures:
            future.result()

    def _tell(self, tell: Listener) -> None:
        counts = [(block.step, int(_running(block).sum())) for block in self._blocks]
        running = sum(count for _, count in counts)
        step = min((step for step, count in counts if count), default=self._last)
        tell(Progress(self._starts, self._starts - running, step, self._last))

    def _adapted(self) -> Landscape:
        """The landscape, made accurate where the starts are, or at least where those are that go on."""
        if type(self._landscape).adapt is Landscape.adapt:
            return self._landscape
        _, lanes = gather(self._blocks)
        outcome, leaves = lanes.state.outcome, jax.tree.leaves(lanes.state.params)
        somewhere = np.all([np.isfinite(leaf).reshape(len(outcome), -1).all(axis=1) for leaf in leaves], axis=0)
        # A start whose loss is not a number may only have left the range in which the landscape is known.
        reachable = somewhere & (outcome != Outcome.DIVERGED)
        for kept in (reachable, reachable & (outcome != Outcome.NOT_FINITE)):
            if kept.any():
                try:
                    return self._landscape.adapt(
                        jax.tree.map(lambda leaf, k=kept: jnp.asarray(leaf[k]), lanes.state.params)
                    )
                except EarnshawError:  # nowhere near as far out: those starts are lost, the others must not be
                    continue
        return self._landscape

    def _drop_ended(self, step: int) -> None:
        """Pack the running starts into fewer or smaller blocks, if that saves any lanes."""
        size = len(self._blocks[0].lanes.initial_loss)
        running = sum(int(_running(block).sum()) for block in self._blocks)
        best = size
        if running:
            known = self._sizes if step >= STEPS_BEFORE_RESIZING else (size,)
            best = best_size(running, self._numbers, known)
            if -(-running // best) * best >= size * len(self._blocks):
                return
        index, lanes = gather(self._blocks)
        goes_on = lanes.state.outcome == Outcome.RUNNING
        stay, leave = (jax.tree.map(lambda leaf, rows=rows: leaf[rows], lanes) for rows in (goes_on, ~goes_on))
        self._ended.append(Block(index[~goes_on], leave))
        mark = int(np.searchsorted(self._records.marks, step, side="right")) if step else 0
        self._blocks = cut(index[goes_on], stay, best, step=step, mark=mark) if running else []

    def _observe_all(self, lanes: PyTree, order: np.ndarray) -> dict[str, np.ndarray]:
        size = best_size(self._starts, self._numbers, self._sizes)
        blocks = cut(np.arange(self._starts), jax.tree.map(lambda leaf: leaf[order], lanes), size)
        seen = [_on_host(observe(self._landscape, self._probes, block.lanes)) for block in blocks]
        return {name: np.concatenate([s[name] for s in seen])[: self._starts] for name in seen[0]}


def _running(block: Block) -> np.ndarray:
    return np.asarray(block.lanes.state.outcome)[: len(block.index)] == Outcome.RUNNING


def _on_host(seen: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.asarray(value) for name, value in seen.items()}
