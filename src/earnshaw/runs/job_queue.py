"""Workers that a batch system starts as jobs: SLURM, PBS, SGE or LSF, through dask-jobqueue."""

import inspect
import logging
from collections.abc import Mapping
from typing import Any

from dask_jobqueue.core import Job, JobQueueCluster
from dask_jobqueue.lsf import LSFCluster
from dask_jobqueue.pbs import PBSCluster
from dask_jobqueue.sge import SGECluster
from dask_jobqueue.slurm import SLURMCluster
from distributed import Client, Status
from distributed.utils import silence_logging_cmgr

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.runs.dask_address import security
from earnshaw.runs.dask_executor import DaskExecutor
from earnshaw.runs.place import Certificates
from earnshaw.threads import ONE_THREAD

_CLASSES: dict[str, Any] = {
    "slurm": SLURMCluster,
    "pbs": PBSCluster,
    "sge": SGECluster,
    "lsf": LSFCluster,
}
#: Spilling results to a disk would mean to unpickle them from it.
_NEVER_SPILL = {"DASK_DISTRIBUTED__WORKER__MEMORY__TARGET": "False", "DASK_DISTRIBUTED__WORKER__MEMORY__SPILL": "False"}
#: Dask gives these to a job by itself.
_NOT_THE_USERS = {"self", "args", "kwargs", "job_kwargs", "job_cls", "loop", "asynchronous", "scheduler", "n_workers"}


def submit(
    kind: str, workers: int, settings: Mapping[str, Any], certificates: Certificates | None = None
) -> DaskExecutor:
    """An executor on so many workers, for which the batch system is asked now; it starts them when it can."""
    quiet = silence_logging_cmgr(logging.CRITICAL)
    quiet.__enter__()
    try:
        cluster = make_cluster(kind, settings, certificates)
        client = Client(cluster, set_as_default=False)
        cluster.scale(n=workers)
    except BaseException:
        quiet.__exit__(None, None, None)
        raise

    def close() -> None:
        try:
            client.close(timeout=5)
            cluster.close(timeout=30)
        finally:
            quiet.__exit__(None, None, None)

    return DaskExecutor(client, f"the {kind.upper()} cluster", [close])


def make_cluster(kind: str, settings: Mapping[str, Any], certificates: Certificates | None = None) -> JobQueueCluster:
    """The scheduler of a cluster that has no worker yet."""
    cluster_class = _CLASSES[kind]
    known = settings_of(cluster_class)
    for name in settings:
        if name not in known:
            raise unknown_name(f"setting of a {kind} cluster", name, known)
    if "memory" not in settings:
        raise EarnshawError(f"--cluster {kind} needs the memory of a job, such as --cluster-set memory=4GB")
    secured = security(certificates)
    cluster = cluster_class.__new__(cluster_class)
    try:
        cluster.__init__(**_with_defaults(settings), security=secured, silence_logs=logging.CRITICAL)
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        # It was never opened, and so warns needlessly that nobody closes it.
        cluster.status = Status.closed
        raise EarnshawError(f"dask-jobqueue refuses these settings of --cluster {kind}: {error}") from error
    return cluster


def settings_of(cluster_class: Any) -> set[str]:
    """What `--cluster-set` may set."""
    makers = (JobQueueCluster, Job, cluster_class.job_cls)
    names = {name for maker in makers for name in inspect.signature(maker.__init__).parameters}
    return names - _NOT_THE_USERS - {"security", "silence_logs"}


def _with_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, with one thread for each worker process and its arithmetic."""
    cores = settings.get("cores", 1)
    environment = [f"export {name}={value}" for name, value in {**ONE_THREAD, **_NEVER_SPILL}.items()]
    prologue = settings.get("job_script_prologue", [])
    if isinstance(prologue, str):
        prologue = [prologue]
    return {
        "cores": cores,
        "processes": cores,
        "scheduler_options": {"dashboard_address": "127.0.0.1:0"},
        **settings,
        "job_script_prologue": [*environment, *prologue],
    }
