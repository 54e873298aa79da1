"""Progress of runs on stderr: bars at a terminal, now and then a line elsewhere."""

import sys

from earnshaw.cli.duration import roughly
from earnshaw.cli.pace import Pace
from earnshaw.runs.observer import Observer
from earnshaw.studies.study import Study


def watcher() -> Observer:
    """The observer that suits this process's stderr."""
    if not sys.stderr.isatty():
        return Lines()
    from earnshaw.cli.bars import Bars

    return Bars()


def forecast(study: Study, seconds: float, parallel: int) -> str:
    """The sentence about the scale of the paper."""
    by = f"{parallel} workers" if parallel > 1 else "one worker"
    return f"{study.name}: paper scale takes about {roughly(seconds)} here with {by}"


class Lines(Observer):
    """A line when a run starts, at every tenth of it, and when it ends."""

    def __init__(self) -> None:
        self._tenth = 0
        self._pace = Pace()
        self._all = 0
        self._before = 0
        self._shards = 0

    def planned(self, studies: int, shards: int) -> None:
        self._all = shards
        self.said(f"{studies} {'study' if studies == 1 else 'studies'}, {shards} shards in all")

    def estimated(self, study: Study, seconds: float, parallel: int) -> None:
        self.said(forecast(study, seconds, parallel))

    def started(self, study: Study, shards: int, stored: int) -> None:
        self._tenth = 10 * stored // shards
        self._pace = Pace(stored)
        self._shards = shards
        kept = f", {stored} stored before" if stored else ""
        self.said(f"{study.name}: {shards} shards{kept}")

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        tenth = 10 * stored // shards
        if tenth > self._tenth and stored < shards:
            self._tenth = tenth
            in_all = f"; {self._before + stored} of {self._all} in all" if self._all else ""
            self.said(f"{study.name}: {stored} of {shards} shards stored{self._pace.words(stored, shards)}{in_all}")

    def finished(self, study: Study, seconds: float) -> None:
        self._before += self._shards
        self.said(f"{study.name}: finished in {seconds:.1f} s")

    def said(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)
