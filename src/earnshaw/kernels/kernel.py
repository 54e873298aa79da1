"""The infinite-width kernel of inputs, in memory."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.kernels.architectures import Architecture
from earnshaw.kernels.inputs import arranged, checked, checked_beside
from earnshaw.kernels.prepare import prepare
from earnshaw.kernels.recursion import diagonal
from earnshaw.kernels.tiles import fill, side, tile_size
from earnshaw.kernels.which import Which, check_which, read_out, sources_of


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
) -> Kernel:
    """The kernel of a network of infinite width between the rows of x and those of y (x itself if left out).

    `which` is `ntk` (the full tangent kernel, the sum over all weights), `nngp` (the covariance of the network's
    outputs), `last-layer` (K^(H) of du19, of the weights of layer H alone), or the number h of a layer: G^(h), where
    h = H + 1 is the read-out. Series are cut where their relative error is below `tolerance`.

    >>> import numpy as np
    >>> from earnshaw.kernels import Dense
    >>> values = kernel(np.eye(2), Dense("relu", 2), which="nngp").values
    >>> values.round(6).tolist()
    [[1.0, 0.493731], [0.493731, 1.0]]
    """
    which = check_which(which, architecture.depth)
    x = checked(x, architecture)
    n = len(x)
    symmetric = y is None
    both = x if symmetric else np.concatenate([x, checked_beside(y, x, architecture)])
    sources = sources_of(which, architecture.depth)
    program, inputs, error = prepare(architecture, both, sources, tolerance)
    size = tile_size(inputs.variance[0].shape[0], len(both))
    seen = arranged(both, architecture)
    rows = slice(0, n)
    columns = rows if symmetric else slice(n, len(both))
    left = side(program, which, seen[:, rows], inputs, 0, size)
    right = left if symmetric else side(program, which, seen[:, columns], inputs, n, size)
    out = np.empty((n, columns.stop - columns.start))

    def put(i, j, tile):
        out[i, j] = tile
        if symmetric and i != j:
            out[j, i] = tile.T

    fill(program, which, left, right, put, size=size, symmetric=symmetric, threads=threads)
    if symmetric:
        np.fill_diagonal(out, np.asarray(read_out(program, which, *diagonal(program, inputs, sources))))
    return Kernel(out, which, error)
