"""Workers on this machine: processes with one thread each, which nobody outside the machine can reach."""

import logging
import os
import signal
from contextlib import suppress
from typing import Any

from distributed import Client, LocalCluster
from distributed.utils import silence_logging_cmgr

from earnshaw.errors import EarnshawError
from earnshaw.runs.dask_executor import DaskExecutor
from earnshaw.threads import ONE_THREAD


def start(workers: int) -> DaskExecutor:
    """An executor on so many processes of this machine; a process that dies is replaced."""
    quiet = silence_logging_cmgr(logging.CRITICAL)
    quiet.__enter__()
    try:
        cluster = _cluster(workers)
    except (RuntimeError, OSError) as error:
        quiet.__exit__(None, None, None)
        raise EarnshawError(f"{workers} workers cannot be started on this machine: {error}") from error
    client = Client(cluster, set_as_default=False)

    def close() -> None:
        try:
            # Workers keep nothing that is worth waiting for, and may be in the middle of a long shard.
            for nanny in cluster.workers.values():
                _kill(nanny)
            client.close(timeout=5)
            cluster.close(timeout=10)
        finally:
            quiet.__exit__(None, None, None)

    return DaskExecutor(client, "this machine", [close])


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
        # Spilling to a disk would mean to unpickle from it.
        config={"distributed.worker.memory.target": False, "distributed.worker.memory.spill": False},
    )


def _kill(nanny: Any) -> None:
    nanny.auto_restart = False
    if nanny.pid is not None:
        with suppress(ProcessLookupError):
            os.kill(nanny.pid, signal.SIGKILL)
