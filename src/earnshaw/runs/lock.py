"""One process for each run's directory, and how anybody can tell whether that process is alive.

The kernel's lock decides where there is one, and is gone with its process however that ends. The record in the file
says who holds it; where a network's file system has no locks, or keeps them to each machine, the record decides: a
process of this machine is looked up, one of another shows that it is alive by touching the file.
"""

import errno
import fcntl
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from earnshaw.errors import EarnshawError

LOCK = ".lock"
SECONDS_BETWEEN_SIGNS = 10.0
SECONDS_UNTIL_DEAD = 60.0
_NO_LOCKS_HERE = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


@dataclass(frozen=True)
class Holder:
    """The process that runs in a directory."""

    host: str
    pid: int
    born: str
    """When the process began, in the system's own count: a number may be given to another process later."""

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Hold the directory's lock; somebody else's is a sentence."""
    path = directory / LOCK
    with open(path, "a+") as file:
        holder = living_holder(directory)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _taken(directory, holder) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS_HERE:
                raise
        if holder is not None and holder != _this_process():
            raise _taken(directory, holder)
        _write(file, json.dumps(asdict(_this_process())))
        over = threading.Event()
        signs = threading.Thread(target=_show_life, args=(path, over), name="sign of life", daemon=True)
        signs.start()
        try:
            yield
        finally:
            over.set()
            signs.join()
            _write(file, "")


def living_holder(directory: Path) -> Holder | None:
    """Who is running in a directory now, as far as can be told without touching it."""
    path = directory / LOCK
    try:
        record = json.loads(path.read_bytes() or b"null")
        age = abs(time.time() - path.stat().st_mtime)
        holder = Holder(str(record["host"]), int(record["pid"]), str(record["born"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if holder.host == socket.gethostname():
        return holder if _born(holder.pid) == holder.born else None
    return holder if age < SECONDS_UNTIL_DEAD else None


def _taken(directory: Path, holder: Holder | None) -> EarnshawError:
    who = f" ({holder})" if holder else ""
    return EarnshawError(f"another process is running in {directory}{who}; wait for it, or choose another with --out")


def _this_process() -> Holder:
    return Holder(socket.gethostname(), os.getpid(), _born(os.getpid()) or "")


def _born(pid: int) -> str | None:
    """When a process of this machine began; an empty text where the system does not say, `None` if there is none."""
    try:
        # The second field is the program's name in parentheses and may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "" if not Path("/proc/self/stat").exists() and _exists(pid) else None
    return None if fields[0] == "Z" else fields[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _show_life(path: Path, over: threading.Event) -> None:
    while not over.wait(SECONDS_BETWEEN_SIGNS):
        try:
            os.utime(path)
        except OSError:
            return


def _write(file: IO[str], text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()
