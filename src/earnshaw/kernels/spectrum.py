"""The ends of a kernel's spectrum: all eigenvalues where they fit, else Lanczos on products with blocks of rows."""

from typing import NamedTuple, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.errors import EarnshawError
from earnshaw.kernels.tiles import deal
from earnshaw.numerics.lanczos import largest_eigenpair, smallest_eigenpair

LARGEST_DENSE = 4096
ROWS_AT_ONCE = 512


@runtime_checkable
class Matrix(Protocol):
    """A symmetric matrix that gives its rows: an array of NumPy's, in memory or in a file, or of Zarr's."""

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, n)."""
        ...

    def __getitem__(self, rows: slice) -> np.ndarray: ...


class Spectrum(NamedTuple):
    """The smallest and the largest eigenvalue.

    Each is known to lie within `residual` of an eigenvalue; 0 for a dense matrix, where it is rounding.
    """

    smallest: float
    largest: float
    smallest_residual: float
    largest_residual: float
    method: str

    @property
    def condition(self) -> float:
        """λ_max/λ_min; infinite if the smallest eigenvalue is not positive."""
        return self.largest / self.smallest if self.smallest > 0 else float("inf")


def spectrum(
    values: Matrix,
    *,
    method: str = "auto",
    restarts: int = 50,
    tolerance: float = 1e-10,
    threads: int | None = None,
) -> Spectrum:
    """Both ends of the spectrum of a symmetric matrix, in memory or in a file.

    Lanczos takes at most 40 + 20·`restarts` products with the matrix for each end, and stops when an eigenvalue is
    known to `tolerance`·λ_max. At the lower end, where eigenvalues crowd, it may need most of them.

    >>> found = spectrum(np.diag([3.0, 1.0, 2.0]))
    >>> (found.smallest, found.largest, found.condition)
    (1.0, 3.0, 3.0)
    """
    shape = tuple(values.shape)
    if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0:
        raise EarnshawError(f"a spectrum needs a square matrix, got shape {shape}")
    n = shape[0]
    if method not in ("auto", "dense", "lanczos"):
        raise EarnshawError(f"a spectrum is computed by auto, dense or lanczos, not {method!r}")
    if method == "dense" or (method == "auto" and n <= LARGEST_DENSE):
        found = np.linalg.eigvalsh(np.asarray(values[:]))
        return Spectrum(float(found[0]), float(found[-1]), 0.0, 0.0, "dense")

    def product(v):
        out, v = np.empty(n), np.asarray(v)

        def rows(begin: int) -> None:
            out[begin : begin + ROWS_AT_ONCE] = np.asarray(values[begin : begin + ROWS_AT_ONCE]) @ v

        deal(rows, range(0, n, ROWS_AT_ONCE), threads)
        return out

    def matvec(v):
        return jax.pure_callback(product, jax.ShapeDtypeStruct((n,), jnp.float64), v)

    start = jax.random.normal(jax.random.key(0), (n,))
    low = smallest_eigenpair(matvec, start, restarts=restarts, tolerance=tolerance)
    high = largest_eigenpair(matvec, start, restarts=restarts, tolerance=tolerance)
    return Spectrum(float(low.value), float(high.value), float(low.residual), float(high.residual), "lanczos")
