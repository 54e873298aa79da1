"""Workers that a batch system starts as jobs: SLURM, PBS, SGE or LSF, through dask-jobqueue."""

import inspect
import logging
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any
from weakref import WeakKeyDictionary

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
#: Spilling results to a disk would mean to unpickle them from it; a worker that pauses because its memory is nearly
#: full would never say so, while one that is ended is a sentence.
_NEVER_SPILL = {f"DASK_DISTRIBUTED__WORKER__MEMORY__{what}": "False" for what in ("TARGET", "SPILL", "PAUSE")}
#: A job whose workers have all been away for so long has ended.
SECONDS_UNTIL_ENDED = 30.0
#: Where forty jobs load Python from one disk at once, a worker may need minutes before it can say that it is there. One
#: that gives up (Dask's default is a minute) is not seen to end, because it was never seen to begin.
SECONDS_TO_BEGIN = 600
#: Dask gives these to a job by itself.
_NOT_THE_USERS = {"self", "args", "kwargs", "job_kwargs", "job_cls", "loop", "asynchronous", "scheduler", "n_workers"}


def submit(
    kind: str, workers: int, settings: Mapping[str, Any], certificates: Certificates | None = None
) -> DaskExecutor:
    """An executor on so many workers, for which the batch system is asked now; it starts them when it can."""
    with ExitStack() as taken:
        taken.enter_context(silence_logging_cmgr(logging.CRITICAL))
        cluster: Any = make_cluster(kind, settings, certificates)
        taken.callback(cluster.close, timeout=30)
        jobs = Jobs(cluster)
        taken.callback(jobs.forget_refused)
        client = Client(cluster, set_as_default=False)
        taken.callback(client.close, timeout=5)
        jobs.ask_for(workers)
        return DaskExecutor(client, f"the {kind.upper()} cluster", taken.pop_all().close, jobs.replace_ended)


class Jobs:
    """The jobs of a cluster, asked for anew where one has ended.

    Every job ends when its time is up, and a run may take longer than the longest job. Dask itself never asks again.
    """

    def __init__(self, cluster: Any):
        self._cluster = cluster
        self._next_look = 0.0
        self._last_seen: WeakKeyDictionary[Any, float] = WeakKeyDictionary()

    def ask_for(self, workers: int) -> None:
        """Submit as many jobs as so many workers need; a refusal of the batch system is a sentence."""
        cluster = self._cluster
        for _ in range(-(-workers // cluster._dummy_job.worker_processes)):
            cluster.worker_spec.update(cluster.new_worker_spec())
        try:
            # `scale` would submit them in the background and lose what goes wrong.
            cluster.sync(cluster._correct_state)
        except FileNotFoundError as error:
            raise EarnshawError(
                f"there is no command {error.filename} here; run this on a machine where jobs can be submitted"
            ) from error
        except RuntimeError as error:
            said = str(error).rpartition("stderr:")[2].strip() or str(error)
            raise EarnshawError(f"the batch system refuses the job: {said}") from error

    def forget_refused(self) -> None:
        """A cluster cannot be closed while it believes that a job which was never accepted is about to begin."""
        for job in self._cluster._created:
            if job.status == Status.created:
                job.status = Status.failed

    def replace_ended(self) -> None:
        """Ask for a new job where one has ended; returns at once."""
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + SECONDS_UNTIL_ENDED / 6
            self._cluster.loop.add_callback(self._replace_ended)

    async def _replace_ended(self) -> None:
        cluster, now = self._cluster, time.monotonic()
        present = [str(worker["name"]) for worker in cluster.scheduler_info["workers"].values()]
        for name, job in list(cluster.workers.items()):
            # A job of several processes gives each a number.
            if any(worker == name or worker.startswith(f"{name}-") for worker in present):
                self._last_seen[job] = now
            elif job.job_id is None or now - self._last_seen.get(job, now) > SECONDS_UNTIL_ENDED:
                # Where its workers have only lost their way, the job must not stay beside the new one.
                cluster.workers.pop(name, None)
                await job.close()
        if len(cluster.workers) < len(cluster.worker_spec):
            await cluster._correct_state()


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
        "death_timeout": SECONDS_TO_BEGIN,
        "scheduler_options": {"dashboard_address": "127.0.0.1:0"},
        **settings,
        "job_script_prologue": [*environment, *prologue],
    }
