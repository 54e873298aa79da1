"""Progress bars at a terminal, by Rich: one for the study and one for all studies."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from earnshaw.cli.progress import forecast
from earnshaw.runs.observer import Observer
from earnshaw.studies.study import Study


class Rate(ProgressColumn):
    """Shards a second."""

    def render(self, task: Task) -> Text:
        """The rate, as soon as there is one."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.2g}/s", style="progress.data.speed")


class Bars(Observer):
    """A bar with the rate and the time that is left."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._in_all: TaskID | None = None
        self._before = 0
        self._shards = 0

    def planned(self, studies: int, shards: int) -> None:
        self._in_all = self._bars().add_task(f"all {studies} studies", total=shards)

    def estimated(self, study: Study, seconds: float, parallel: int) -> None:
        self.said(forecast(study, seconds, parallel))

    def started(self, study: Study, shards: int, stored: int) -> None:
        self._task = self._bars().add_task(study.name, total=shards, completed=stored)
        self._shards = shards
        self._update_all(stored)

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        if self._task is not None:
            self._bars().update(self._task, completed=stored)
            self._update_all(stored)

    def finished(self, study: Study, seconds: float) -> None:
        self._before += self._shards
        if self._task is not None:
            self._bars().remove_task(self._task)
            self._task = None
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

    def _bars(self) -> Progress:
        if self._progress is None:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate())
            console = Console(stderr=True)
            self._progress = Progress(
                *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True
            )
            self._progress.start()
        return self._progress

    def _update_all(self, stored: int) -> None:
        if self._in_all is not None:
            self._bars().update(self._in_all, completed=self._before + stored)
