"""One thread of arithmetic for each process that computes shards.

How XLA and BLAS divide an array among threads changes the order of its sums and so the last bits of a result. Shards
are therefore computed with one thread each, on a laptop as on a cluster, and several cores are used by several workers.
`XLA_FLAGS` has nothing for that; the size of XLA's pool is in `PJRT_NPROC`, which is read when JAX first computes, and
that of BLAS in variables that are read when NumPy is loaded.
"""

import os
import sys

ONE_THREAD = {
    "PJRT_NPROC": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # For a descent, which otherwise gives each core a block of starts.
    "EARNSHAW_THREADS": "1",
}


def pin(*, also_descents: bool = False) -> bool:
    """Give this process one thread of arithmetic; false if it is too late, because numeric code is already loaded.

    What the user has set is left alone. Blocks of starts are independent, so `descend` may go on to use all cores
    unless `also_descents`.
    """
    for name, value in ONE_THREAD.items():
        if also_descents or name != "EARNSHAW_THREADS":
            os.environ.setdefault(name, value)
    return "numpy" not in sys.modules


def cores() -> int:
    """How many threads this process should use: `EARNSHAW_THREADS`, or the cores it may run on."""
    # Several workers of one machine share its cores; whoever starts them says how many each has.
    given = os.environ.get("EARNSHAW_THREADS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    # Not every system can say which cores this process may use.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
