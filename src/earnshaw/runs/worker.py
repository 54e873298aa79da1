"""What runs in a worker: the same shard that the driver would compute, or a refusal."""

import pickle
import platform
import signal
from functools import cache
from importlib import metadata
from typing import Any

from earnshaw.errors import EarnshawError
from earnshaw.runs.execute import compute
from earnshaw.runs.manifest import COMPUTING, source_digest
from earnshaw.runs.shards import Shard
from earnshaw.threads import pin


def dask_setup(worker: Any) -> None:
    """Called in a worker process of our own when it starts: Ctrl-C at the terminal is the driver's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@cache
def software() -> dict[str, str]:
    """What must be the same in the driver and in every worker."""
    return {
        **{name: metadata.version(name) for name in COMPUTING},
        # Functions that are not in an installed module travel as bytecode.
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "Earnshaw's source": source_digest(),
    }


def compute_in_worker(packed: bytes, shard: Shard, expected: dict[str, str]) -> bytes:
    """Compute a shard of the packed work.

    The work is opened only after the software was compared: another version may not even be able to.
    """
    for name, version in software().items():
        if version != expected.get(name):
            raise EarnshawError(
                f"the worker on {platform.node()} has {name} {version} and this process has {expected.get(name)}; "
                "install the same software on both, because one run never mixes versions"
            )
    pin(also_descents=True)
    return compute(pickle.loads(packed), shard)
