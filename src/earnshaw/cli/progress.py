"""Progress of a run on stderr: a bar at a terminal, now and then a line elsewhere."""

import sys
from typing import Any

from earnshaw.runs.observer import Observer
from earnshaw.studies.study import Study


def watcher() -> Observer:
    """The observer that suits this process's stderr."""
    return Bars() if sys.stderr.isatty() else Lines()


class Lines(Observer):
    """A line when a run starts, at every tenth of it, and when it ends."""

    def __init__(self) -> None:
        self._tenth = 0

    def started(self, study: Study, shards: int, stored: int) -> None:
        self._tenth = 10 * stored // shards
        kept = f", {stored} stored before" if stored else ""
        self.said(f"{study.name}: {shards} shards{kept}")

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        tenth = 10 * stored // shards
        if tenth > self._tenth and stored < shards:
            self._tenth = tenth
            self.said(f"{study.name}: {stored} of {shards} shards stored")

    def finished(self, study: Study, seconds: float) -> None:
        self.said(f"{study.name}: finished in {seconds:.1f} s")

    def said(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)


class Bars(Observer):
    """A bar with the rate and the time that is left, by Rich."""

    def __init__(self) -> None:
        self._progress: Any = None
        self._task: Any = None

    def started(self, study: Study, shards: int, stored: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(
            *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
        )
        self._task = self._progress.add_task(study.name, total=shards, completed=stored)
        self._progress.start()

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        self._progress.update(self._task, completed=stored)

    def finished(self, study: Study, seconds: float) -> None:
        self.close()
        self.said(f"{study.name}: finished in {seconds:.1f} s")

    def said(self, sentence: str) -> None:
        if self._progress is not None:
            self._progress.console.print(sentence, markup=False, highlight=False)
        else:
            print(sentence, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
