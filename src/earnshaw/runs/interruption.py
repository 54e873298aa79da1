"""Ctrl-C during a run: once to stop when the running shards are done, twice to stop now."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ASKED = "stopping when the shards that are running now are done; press Ctrl-C again to stop at once"


class Interruption:
    """What the user has asked for so far."""

    def __init__(self) -> None:
        self.asked = False
        self.at_once = False

    def raise_if_at_once(self) -> None:
        """For whoever comes back from code that may have swallowed the interruption, as a descent does."""
        if self.at_once:
            raise KeyboardInterrupt


@contextmanager
def interruptible(said: Callable[[str], None]) -> Iterator[Interruption]:
    """Within the block the first Ctrl-C only sets `asked`; the next raises `KeyboardInterrupt`.

    Only the main thread of a process gets signals, and a process that ignores them goes on doing so.
    """
    interruption = Interruption()

    def handle(number: int, frame: FrameType | None) -> None:
        if interruption.asked:
            interruption.at_once = True
            raise KeyboardInterrupt
        interruption.asked = True
        # From another thread, because this one may be in the middle of writing a line.
        threading.Thread(target=said, args=(ASKED,), daemon=True).start()

    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield interruption
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
