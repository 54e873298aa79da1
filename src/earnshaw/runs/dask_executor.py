"""Shards on Dask's workers, wherever these are: results travel back, and the driver alone writes files."""

import asyncio
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any

import cloudpickle
from distributed import Client, Future, KilledWorker

from earnshaw.errors import EarnshawError
from earnshaw.runs.execute import Executor, Work
from earnshaw.runs.interruption import Interruption
from earnshaw.runs.shards import Shard
from earnshaw.runs.worker import compute_in_worker, software

#: How often to look at Ctrl-C, and how often at the number of workers.
SECONDS_PER_LOOK = 0.2
SECONDS_PER_COUNT = 1.0
SECONDS_BETWEEN_REMINDERS = 30.0
#: How long to wait at first for a result that is said to be there.
SECONDS_TO_FETCH = 5.0
#: Finished shards that may wait for the driver, for each thread that computes.
FINISHED_PER_THREAD = 4


class DaskExecutor(Executor):
    """Computes shards on the workers of a Dask client.

    `place` names the cluster in sentences, `close` gives it back, and `tend` is called now and then to keep it as large
    as it should be.
    """

    def __init__(self, client: Client, place: str, close: Callable[[], Any], tend: Callable[[], Any] | None = None):
        # Its methods answer at once or later; the types do not say that ours answers at once.
        self._client: Any = client
        self._place = place
        self._close = close
        self._tend = tend

    @property
    def parallel(self) -> int:
        """The threads of all workers that are connected now."""
        return max(self._threads(), 1)

    def close(self) -> None:
        """Leave the cluster, and end it if it was made for this executor."""
        self._close()

    def execute(
        self, work: Work, shards: Sequence[Shard], interruption: Interruption, said: Callable[[str], None]
    ) -> Generator[tuple[Shard, bytes], None, None]:
        """Hand over each shard as the bytes of a NetCDF file as soon as it is done, in any order."""
        submission = _Submission(self._client, work, shards)
        reminder = _Reminder(lambda: said(f"waiting for a worker of {self._place}"))
        next_count = 0.0

        def look() -> None:
            nonlocal next_count
            if interruption.asked:
                submission.begin_no_more()
            elif time.monotonic() > next_count:
                next_count = time.monotonic() + SECONDS_PER_COUNT
                threads = self._threads()
                reminder.remind(needed=threads == 0)
                if self._tend is not None:
                    self._tend()
                self._fill(submission, max(threads, 1))

        try:
            while submission.unfinished:
                look()
                finished = submission.next()
                if finished is not None:
                    future, shard = finished
                    content = self._content(future, shard, look)
                    self._fill(submission, submission.room)
                    yield shard, content
        finally:
            submission.withdraw()

    def _threads(self) -> int:
        # While a connection breaks, Dask's client may fail in any way.
        if self._client.status != "running":
            raise self._lost()
        try:
            return sum(self._client.nthreads().values())
        except Exception as error:
            raise self._lost() from error

    def _fill(self, submission: "_Submission", room: int) -> None:
        try:
            submission.fill(room)
        except Exception as error:
            raise self._lost() from error

    def _content(self, future: Future, shard: Shard, look: Callable[[], None]) -> bytes:
        try:
            return _fetched(future, look)
        except KilledWorker:
            raise EarnshawError(
                f"workers of {self._place} died again and again while they computed {shard.label}, most often because "
                "they had not enough memory; what was stored is kept"
            ) from None
        except (Exception, asyncio.CancelledError) as error:
            if future.status != "error":
                raise self._lost() from error
            if isinstance(error, ImportError):
                raise EarnshawError(f"a worker of {self._place} cannot load what it should compute: {error}") from error
            if isinstance(error, OSError):
                raise EarnshawError(f"a worker of {self._place} could not compute {shard.label}: {error}") from error
            raise

    def _lost(self) -> EarnshawError:
        return EarnshawError(
            f"the connection to {self._place} is lost; what was stored is kept, so give the same command again "
            "when it is back"
        )


def _fetched(future: Future, look: Callable[[], None]) -> bytes:
    """A result from the worker that has it; `look` is called for as long as that takes.

    One that was lost with its worker is computed again, which may have to wait for a worker to come.
    """
    patience = SECONDS_TO_FETCH
    while True:
        try:
            return future.result(timeout=patience)
        except TimeoutError:
            if future.status == "error":
                raise
            # What is large and on its way must arrive some time.
            patience = 2 * patience if future.status == "finished" else SECONDS_TO_FETCH
        look()


class _Submission:
    """The shards of one run: waiting here, computed by somebody, or finished and not yet fetched.

    A worker has no second shard at hand: what has been handed to Dask is running, so that an interruption waits for
    just that. The next shard is therefore handed over in the moment in which one is done, by the thread that is told,
    and not after the driver has written to its disk.
    """

    def __init__(self, client: Client, work: Work, shards: Sequence[Shard]):
        self._client: Any = client
        self._packed = cloudpickle.dumps(work)
        self._software = software()
        self._name = f"{work.study.name}-{uuid.uuid4().hex[:12]}"
        self._lock = threading.RLock()
        self._waiting = deque(shards)
        self._computing: set[str] = set()
        self._handed: dict[str, tuple[Future, Shard]] = {}
        self._finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.room = 0

    @property
    def unfinished(self) -> bool:
        """Whether there is anything to wait for."""
        with self._lock:
            return bool(self._waiting or self._handed)

    def fill(self, room: int) -> None:
        """From now on let so many shards be computed at a time."""
        with self._lock:
            self.room = room
            # If the driver's disk is slower than all the workers, they wait for it.
            while (
                self._waiting
                and len(self._computing) < room
                and len(self._handed) < FINISHED_PER_THREAD * room + len(self._computing)
            ):
                self._hand_over(self._waiting.popleft())

    def begin_no_more(self) -> None:
        """Compute nothing that no worker has begun."""
        with self._lock:
            self._waiting.clear()

    def next(self) -> tuple[Future, Shard] | None:
        """A shard that has ended in some way; `None` if there is none for a while."""
        try:
            key = self._finished.get(timeout=SECONDS_PER_LOOK)
        except queue.Empty:
            return None
        with self._lock:
            return self._handed.pop(key, None)

    def withdraw(self) -> None:
        """Take back everything."""
        with self._lock:
            self._waiting.clear()
            futures = [future for future, _ in self._handed.values()]
            self._handed.clear()
        if futures and self._client.status == "running":
            # Where the connection is just being lost there is nobody to tell.
            with suppress(Exception):
                self._client.cancel(futures, force=True)

    def _hand_over(self, shard: Shard) -> None:
        key = f"{self._name}-{shard.index}"
        task = (self._packed, shard, self._software)
        try:
            future = self._client.submit(compute_in_worker, *task, key=key, pure=False, priority=-shard.index)
        except Exception:
            self._waiting.appendleft(shard)
            raise
        self._computing.add(key)
        self._handed[key] = (future, shard)
        future.add_done_callback(self._done)

    def _done(self, future: Future) -> None:
        """Called by a thread of the client."""
        with self._lock:
            self._computing.discard(str(future.key))
            self._finished.put(str(future.key))
            if future.status == "finished":
                # The driver's own thread fills as well, and says what goes wrong.
                with suppress(Exception):
                    self.fill(self.room)


class _Reminder:
    """Says something at once and then now and then, for as long as there is a reason."""

    def __init__(self, say: Callable[[], None]):
        self._say = say
        self._next = 0.0

    def remind(self, needed: bool) -> None:
        if not needed:
            self._next = 0.0
        elif time.monotonic() >= self._next:
            self._say()
            self._next = time.monotonic() + SECONDS_BETWEEN_REMINDERS
