"""Workers on this machine: processes with one thread each, which nobody outside the machine can reach."""

import logging
import os
import signal
from contextlib import ExitStack, suppress
from typing import Any

from distributed import Client, LocalCluster
from distributed.utils import silence_logging_cmgr

from earnshaw.errors import EarnshawError
from earnshaw.runs.dask_executor import DaskExecutor
from earnshaw.threads import ONE_THREAD

#: Each worker is a process of some hundred megabytes; more of them than cores only wait for one another.
PER_CORE = 4
LEAST_LIMIT = 16


def start(workers: int) -> DaskExecutor:
    """An executor on so many processes of this machine; a process that dies is replaced."""
    most = max(LEAST_LIMIT, PER_CORE * (os.cpu_count() or 1))
    if workers > most:
        raise EarnshawError(
            f"--workers {workers} is more than this machine can bear; choose at most {most}, or better as many as it "
            f"has cores ({os.cpu_count()})"
        )
    with ExitStack() as taken:
        taken.enter_context(silence_logging_cmgr(logging.CRITICAL))
        try:
            cluster = _cluster(workers)
        except (RuntimeError, OSError) as error:
            raise EarnshawError(f"{workers} workers cannot be started on this machine: {error}") from error
        taken.callback(cluster.close, timeout=10)
        client = Client(cluster, set_as_default=False)
        taken.callback(client.close, timeout=5)
        taken.callback(_kill_workers, cluster)
        return DaskExecutor(client, "this machine", taken.pop_all().close)


def _cluster(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        env=dict(ONE_THREAD),
        preload=["earnshaw.runs.worker"],
        # Spilling to a disk would mean to unpickle from it; a worker that pauses for memory would never say so.
        config={f"distributed.worker.memory.{what}": False for what in ("target", "spill", "pause")},
    )


def _kill_workers(cluster: LocalCluster) -> None:
    """Workers keep nothing that is worth waiting for, and may be in the middle of a long shard."""
    for worker in cluster.workers.values():
        nanny: Any = worker
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)
