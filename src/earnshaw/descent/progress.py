"""Telling whoever waits how far a descent is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Progress(NamedTuple):
    """How far a descent is: `step` is the least number of steps that every running start has made."""

    starts: int
    finished: int
    step: int
    steps: int


Listener = Callable[[Progress], None]


@contextmanager
def listener(wanted: bool | Listener | None) -> Iterator[Listener]:
    """The function to tell: the given one, or a bar on stderr if that is a terminal (`True`: in any case)."""
    if callable(wanted):
        yield wanted
    elif wanted or (wanted is None and sys.stderr is not None and sys.stderr.isatty()):
        with _bar() as tell:
            yield tell
    else:
        yield lambda progress: None


@contextmanager
def _bar() -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Display

    columns = (
        TextColumn("{task.fields[finished]}/{task.fields[starts]} starts done"),
        BarColumn(),
        TextColumn("step {task.fields[step]}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Display(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("descent", total=1.0, starts=0, finished=0, step=0, rate="")

        def tell(progress: Progress) -> None:
            # A finished start will cost nothing more, so it counts as if it had made all its steps.
            running = progress.starts - progress.finished
            share = (progress.finished + running * progress.step / max(progress.steps, 1)) / progress.starts
            elapsed = display.tasks[0].elapsed or 0.0
            rate = f"{progress.step / elapsed:.3g} steps/s" if elapsed > 0 else ""
            display.update(
                task,
                completed=share,
                starts=progress.starts,
                finished=progress.finished,
                step=progress.step,
                rate=rate,
            )

        yield tell
