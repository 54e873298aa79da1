"""Where shards are computed, as a user says it: nothing of Dask is loaded before it is needed."""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.runs.execute import Executor, InProcess

CLUSTERS = ("slurm", "pbs", "sge", "lsf")


@dataclass(frozen=True)
class Certificates:
    """The files that secure connections by TLS."""

    ca: Path
    cert: Path
    key: Path


@dataclass(frozen=True)
class Place:
    """At most one of: `workers` processes of this machine, the Dask scheduler at `dask`, `workers` jobs of a `cluster`.

    `settings` are those of dask-jobqueue for `cluster`. Contradictions are refused when a place is made:

    >>> Place(workers=2, dask="tcp://10.0.0.1:8786")
    Traceback (most recent call last):
    earnshaw.errors.EarnshawError: --workers and --dask exclude each other: a cluster that is there has its own workers
    """

    workers: int | None = None
    dask: str | None = None
    cluster: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    certificates: Certificates | None = None

    def __post_init__(self):
        if self.dask is not None and self.cluster is not None:
            raise EarnshawError("--dask and --cluster exclude each other; give one of them")
        if self.dask is not None and self.workers is not None:
            raise EarnshawError("--workers and --dask exclude each other: a cluster that is there has its own workers")
        if self.workers is not None and self.workers < 1:
            raise EarnshawError(f"--workers must be at least 1, not {self.workers}")
        if self.cluster is not None and self.cluster not in CLUSTERS:
            raise unknown_name("kind of cluster", self.cluster, CLUSTERS)
        if self.cluster is not None and self.workers is None:
            raise EarnshawError(f"--cluster {self.cluster} needs the number of workers, such as --workers 20")
        if self.settings and self.cluster is None:
            raise EarnshawError("--cluster-set belongs to --cluster and cannot be used without it")
        if self.certificates is not None and self.dask is None and self.cluster is None:
            raise EarnshawError("--dask-ca, --dask-cert and --dask-key belong to --dask or --cluster")

    def open(self) -> Executor:
        """The executor there; close it when done."""
        if self.dask is None and self.cluster is None and self.workers is None:
            return InProcess()
        require_dask()
        if self.dask is not None:
            from earnshaw.runs.dask_address import connect

            return connect(self.dask, self.certificates)
        assert self.workers is not None
        if self.cluster is not None:
            from earnshaw.runs.job_queue import submit

            return submit(self.cluster, self.workers, self.settings, self.certificates)
        from earnshaw.runs.local_cluster import start

        return start(self.workers)


def require_dask() -> None:
    """Say in a sentence what to install where Dask is not."""
    missing = [name for name in ("dask", "distributed", "dask_jobqueue") if importlib.util.find_spec(name) is None]
    if missing:
        raise EarnshawError(
            f'workers need Dask, but {missing[0]} is not installed: pip install "earnshaw[cluster]" brings it'
        )
