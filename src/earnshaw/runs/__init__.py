"""Runs: a study executed into a directory, shard by shard, so that an interrupted run goes on where it stopped."""

from earnshaw.runs.observer import Observer
from earnshaw.runs.run import Outcome, run

__all__ = ["Observer", "Outcome", "run"]
