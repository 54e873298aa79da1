"""Whoever watches a run: the command line shows progress, a notebook or a test may stay silent."""

from earnshaw.studies.study import Study


class Observer:
    """Told what happens while a study runs; this one stays silent. Subclass and override what you want to see."""

    def planned(self, studies: int, shards: int) -> None:
        """Several studies follow, with so many shards in all."""

    def estimated(self, study: Study, seconds: float, parallel: int) -> None:
        """A shard was timed: at paper scale the study takes about `seconds`, `parallel` shards at a time."""

    def started(self, study: Study, shards: int, stored: int) -> None:
        """The run begins with `shards` shards, of which `stored` are already there from before."""

    def shard_stored(self, study: Study, stored: int, shards: int) -> None:
        """One more shard is on disk."""

    def finished(self, study: Study, seconds: float) -> None:
        """Every shard is stored and the artefacts are written."""

    def said(self, sentence: str) -> None:
        """Something a person should know, such as a damaged shard that is computed again."""

    def close(self) -> None:
        """The run is over, whichever way; called by whoever made the observer."""
