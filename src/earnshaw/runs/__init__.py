"""Runs: a study executed into a directory, shard by shard, so that an interrupted run goes on where it stopped."""

from earnshaw.runs.listing import Listed, listed
from earnshaw.runs.observer import Observer
from earnshaw.runs.place import Certificates, Place
from earnshaw.runs.run import Outcome, run
from earnshaw.runs.shards import count_shards

__all__ = ["Certificates", "Listed", "Observer", "Outcome", "Place", "count_shards", "listed", "run"]
