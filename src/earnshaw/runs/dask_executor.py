"""Shards on Dask's workers, wherever these are: results travel back, and the driver alone writes files."""

import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
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
#: Each thread has one shard and the next one at hand, so that it does not wait for the driver in between.
SHARDS_PER_THREAD = 2


class DaskExecutor(Executor):
    """Computes shards on the workers of a Dask client; closes what it was given to close.

    `place` names the cluster in sentences.
    """

    def __init__(self, client: Client, place: str, to_close: Iterable[Callable[[], None]] = ()):
        # Its methods answer at once or later; the types do not say that ours answers at once.
        self._client: Any = client
        self._place = place
        self._to_close = tuple(to_close)

    @property
    def parallel(self) -> int:
        """The threads of all workers that are connected now."""
        return max(self._threads(), 1)

    def close(self) -> None:
        """Leave the cluster, and end it if it was made for this executor."""
        for close in self._to_close:
            close()

    def execute(
        self, work: Work, shards: Sequence[Shard], interruption: Interruption, said: Callable[[str], None]
    ) -> Generator[tuple[Shard, bytes], None, None]:
        """Hand over each shard as the bytes of a NetCDF file as soon as it is done, in any order."""
        submission = _Submission(self._client, work, shards)
        reminder = _Reminder(lambda: said(f"waiting for a worker of {self._place}"))
        look = 0.0
        try:
            while submission.running or (submission.waiting and not interruption.asked):
                if interruption.asked:
                    submission.withdraw_what_has_not_begun()
                elif time.monotonic() > look:
                    threads = self._threads()
                    look = time.monotonic() + SECONDS_PER_COUNT
                    reminder.remind(needed=threads == 0)
                    submission.fill(max(threads, 1) * SHARDS_PER_THREAD)
                finished = submission.next()
                if finished is not None:
                    future, shard = finished
                    submission.replace(not interruption.asked)
                    yield shard, self._content(future, shard)
        finally:
            submission.withdraw()

    def _threads(self) -> int:
        if self._client.status != "running":
            raise self._lost()
        try:
            return sum(self._client.nthreads().values())
        except (OSError, ValueError) as error:
            raise self._lost() from error

    def _content(self, future: Future, shard: Shard) -> bytes:
        if future.status in ("cancelled", "lost"):
            raise self._lost()
        try:
            return future.result()
        except KilledWorker:
            raise EarnshawError(
                f"workers of {self._place} died again and again while they computed {shard.label}, most often because "
                "they had not enough memory; what was stored is kept"
            ) from None
        except ImportError as error:
            raise EarnshawError(f"a worker of {self._place} cannot load what it should compute: {error}") from error
        except OSError as error:
            if future.status == "error":
                raise EarnshawError(f"a worker could not compute {shard.label}: {error}") from error
            raise self._lost() from error

    def _lost(self) -> EarnshawError:
        return EarnshawError(
            f"the connection to {self._place} is lost; what was stored is kept, so give the same command again "
            "when it is back"
        )


class _Submission:
    """The shards of one run: waiting here, handed to Dask, or finished."""

    def __init__(self, client: Client, work: Work, shards: Sequence[Shard]):
        self.waiting = deque(shards)
        self.running: dict[str, tuple[Future, Shard]] = {}
        self._client: Any = client
        self._packed = cloudpickle.dumps(work)
        self._software = software()
        self._name = f"{work.study.name}-{uuid.uuid4().hex[:12]}"
        self._finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._withdrawn = False

    def fill(self, room: int) -> None:
        """Hand shards to Dask until it has as many as that."""
        while self.waiting and len(self.running) < room:
            shard = self.waiting.popleft()
            key = f"{self._name}-{shard.index}"
            task = (self._packed, shard, self._software)
            future = self._client.submit(compute_in_worker, *task, key=key, pure=False, priority=-shard.index)
            self.running[key] = (future, shard)
            future.add_done_callback(lambda done: self._finished.put(done.key))

    def next(self) -> tuple[Future, Shard] | None:
        """A shard that has ended in some way; `None` if there is none for a while."""
        try:
            return self.running.pop(self._finished.get(timeout=SECONDS_PER_LOOK), None)
        except queue.Empty:
            return None

    def replace(self, wanted: bool) -> None:
        """Hand over the next shard for the one that was just finished, before anybody writes to a disk."""
        if wanted:
            self.fill(len(self.running) + 1)

    def withdraw_what_has_not_begun(self) -> None:
        """Leave with Dask only the shards that a worker is computing at this moment."""
        if self._withdrawn:
            return
        self._withdrawn = True
        stacks: dict[str, Any] = self._client.call_stack(keys=list(self.running))
        computing = {key for worker in stacks.values() for key in worker}
        self._cancel([key for key in self.running if key not in computing])

    def withdraw(self) -> None:
        """Take back everything."""
        if self._client.status == "running":
            self._cancel(list(self.running))

    def _cancel(self, keys: Sequence[str]) -> None:
        futures = [self.running.pop(key)[0] for key in keys]
        if futures:
            self._client.cancel(futures, force=True)


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
