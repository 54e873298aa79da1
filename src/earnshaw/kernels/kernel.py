"""The infinite-width kernel of inputs, in memory."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.errors import EarnshawError
from earnshaw.kernels.architectures import Architecture
from earnshaw.kernels.blocks import Listener, Progress, as_bytes, block_length, blocks, compute, pairs_of
from earnshaw.kernels.engine import engine_for
from earnshaw.kernels.inputs import checked, checked_beside
from earnshaw.kernels.room import available_memory
from earnshaw.kernels.which import Which, check_which


class Kernel(NamedTuple):
    """A kernel's numbers, and a bound on the error of an entry that cut series leave (rounding is not in it)."""

    values: Float[np.ndarray, "n m"]
    which: Which
    truncation_error: float


def kernel(
    x,
    architecture: Architecture,
    y=None,
    *,
    which: Which = "ntk",
    tolerance: float = 1e-12,
    threads: int | None = None,
    memory: int | None = None,
    progress: Listener | None = None,
    method: str = "auto",
) -> Kernel:
    """The kernel of a network of infinite width between the rows of x and those of y (x itself if left out).

    `which` is `ntk` (the full tangent kernel, the sum over all weights), `nngp` (the covariance of the network's
    outputs), `last-layer` (K^(H) of du19, of the weights of layer H alone), or the number h of a layer: G^(h), where
    h = H + 1 is the read-out. Series are cut where their relative error is below `tolerance`; `memory` bounds the bytes
    used beyond the result. Many inputs of one norm share one polynomial in their cosine; `method` says
    whether to use it (`composed`) or to go through the `layers`.

    >>> import numpy as np
    >>> from earnshaw.kernels import Dense
    >>> values = kernel(np.eye(2), Dense("relu", 2), which="nngp").values
    >>> values.round(6).tolist()
    [[1.0, 0.493731], [0.493731, 1.0]]
    """
    which = check_which(which, architecture.depth)
    x = checked(x, architecture)
    n = m = len(x)
    offset = None
    if y is not None:
        x = np.concatenate([x, checked_beside(y, x, architecture)])
        m, offset = len(x) - n, n
    _refuse_what_cannot_fit(n, m)
    engine = engine_for(architecture, which, x, tolerance, method)
    length = block_length(engine, max(n, m), memory, held=True)
    todo = blocks(n, m, length, symmetric=offset is None)
    values = np.empty((n, m))
    sizes = list(pairs_of(todo))
    done = iter(np.cumsum(sizes).tolist())

    def put(block, write):
        write(values)
        if progress is not None:
            progress(Progress(next(done), sum(sizes)))

    compute(engine, todo, offset, put, threads)
    return Kernel(values, which, engine.truncation_error)


def _refuse_what_cannot_fit(n: int, m: int) -> None:
    need, free = as_bytes(n, m), available_memory()
    if free is not None and need > free:
        raise EarnshawError(
            f"a kernel of {n} × {m} numbers needs {need / 2**30:.1f} GiB of memory, and {free / 2**30:.1f} are free; "
            "compute it in blocks into a file, with `kernel_file` or `earnshaw kernel FILE.npy --out KERNEL.npy`"
        )
