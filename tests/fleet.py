"""Real processes for the tests of runs: drivers, and a Dask scheduler with its workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

import pieces

TESTS = Path(__file__).parent
PROGRAM = """
import signal
import pieces
from earnshaw.cli.main import main
from earnshaw.studies.registry import REGISTRY, Entry
REGISTRY["pieces"] = Entry("pieces", pieces.study.artefact)
if __name__ == "__main__":
    # a job in the background of a shell inherits Ctrl-C as ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
"""
#: Only how long to wait before giving up; a busy machine takes its time.
PATIENCE = 180


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, **more}


def drive(out: Path, *options: str, log: Path | None = None, before: str = "", **settings) -> subprocess.Popen:
    """A driver of the study `pieces` in a process of its own, which runs the code `before` first."""
    more = {} if log is None else {pieces.LOG: str(log)}
    command = [sys.executable, "-c", before + PROGRAM, "run", "pieces", "--out", str(out), *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment(**more), **pipes, **settings)


def stored(out: Path) -> int:
    sums = out / "shards" / "SHA256SUMS"
    return sums.read_bytes().count(b"\n") if sums.exists() else 0


def wait_until(condition, what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.005)


def wait_for_shards(driver: subprocess.Popen, out: Path, count: int) -> None:
    wait_until(lambda: stored(out) >= count or driver.poll() is not None, f"{count} shards")


def workers_of(driver: subprocess.Popen) -> list[psutil.Process]:
    """The worker processes that a driver started itself."""
    children = psutil.Process(driver.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def kill(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


class Fleet:
    """A scheduler and two workers, each started on its own as an administrator would."""

    def __init__(self, log: Path, *tls: str, workers: int = 2, **variables: str):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"{'tls' if tls else 'tcp'}://127.0.0.1:{self._port}"
        self._tls = tls
        self._environment = environment(**{pieces.LOG: str(log), **variables})
        self._count = workers
        self.scheduler: subprocess.Popen | None = None
        self.workers: list[subprocess.Popen] = []

    def __enter__(self) -> "Fleet":
        self.mend()
        return self

    def __exit__(self, *error: object) -> None:
        for process in [*self.workers, self.scheduler]:
            if process is not None and process.poll() is None:
                kill(process)

    def mend(self) -> None:
        """Start what is missing."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            options = ["--host", self.address, "--port", str(self._port), "--dashboard-address", "127.0.0.1:0"]
            self.scheduler = self._dask("scheduler", *options)
            # Workers that have lost their scheduler only wait for it to come back.
            for worker in self.workers:
                if worker.poll() is None:
                    kill(worker)
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < self._count:
            options = [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
            self.workers.append(self._dask("worker", *options))

    def _dask(self, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "dask", *arguments, *self._tls]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, env=self._environment, **silent)
