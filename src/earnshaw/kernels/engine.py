"""The two ways to compute a tile of a kernel, behind one interface.

`ComposedEngine` is for inputs of one norm: the polynomial κ of their cosine. `LayeredEngine` goes through the layers.
"""

import abc
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.kernels.architectures import Architecture, ConvResNet
from earnshaw.kernels.inputs import arranged
from earnshaw.kernels.prepare import expanded, prepare
from earnshaw.kernels.recursion import diagonal, first_pairs, propagate
from earnshaw.kernels.sphere import SphereKernel, composed
from earnshaw.kernels.tiles import tile_size
from earnshaw.kernels.which import Which, read_out, sources_of
from earnshaw.numerics.chords import gram
from earnshaw.numerics.inverse_trig import angle_from_half_chords

METHODS = ("auto", "layers", "composed")
FEWEST_COMPOSED = 128
"""For fewer inputs composing the layers costs more than going through them."""
ONE_NORM = 1e-14
"""Squared norms that differ by less, relatively, are one norm up to rounding."""


class Side(NamedTuple):
    """Consecutive inputs, padded to whole tiles, with what an engine needs of each."""

    data: Any
    length: int


class Engine(abc.ABC):
    """What computes the kernel of an array of inputs, tile by tile."""

    size: int
    """How many inputs a side of a tile has."""
    bytes_per_input: int
    """What an input of a side takes in memory."""
    truncation_error: float

    @abc.abstractmethod
    def side(self, rows: slice) -> Side:
        """The inputs of a slice as a side."""

    @abc.abstractmethod
    def tile(self, left: Side, right: Side, i: int, j: int) -> Float[np.ndarray, "n m"]:
        """The tile that begins at the i-th input of one side and the j-th of the other."""

    @abc.abstractmethod
    def diagonal(self) -> Float[np.ndarray, " n"]:
        """The kernel of every input with itself."""


class ComposedEngine(Engine):
    """κ of the cosine, in a chart of its own."""

    def __init__(self, x: Float[np.ndarray, "n d"], square: float, kappa: SphereKernel) -> None:
        self.size = tile_size(1, len(x))
        self.bytes_per_input = 8 * x.shape[1]
        self.truncation_error = kappa.truncation_error
        self._x, self._root, self._kappa = x, np.sqrt(square), kappa
        powers = kappa.powers()
        self._horner = powers is not None
        self._coefficients = jnp.asarray(kappa.coefficients if powers is None else powers)

    def side(self, rows: slice) -> Side:
        """Unit vectors."""
        x = self._x[rows]
        return Side(jnp.asarray(x[_padded(len(x), self.size)] / self._root), len(x))

    def tile(self, left: Side, right: Side, i: int, j: int) -> Float[np.ndarray, "n m"]:
        """The polynomial in every cosine."""
        chart, horner = self._kappa.chart, self._horner
        return _cut(
            _composed_tile(chart, horner, self.size, self._coefficients, left.data, right.data, i, j), left, right, i, j
        )

    def diagonal(self) -> Float[np.ndarray, " n"]:
        """κ(1) for all."""
        return np.full(len(self._x), self._kappa.diagonal)


class LayeredEngine(Engine):
    """The recursion, pair by pair; every input brings its own coefficients."""

    def __init__(
        self, architecture: Architecture, which: Which, x: Float[np.ndarray, "n ..."], tolerance: float
    ) -> None:
        self._which: Which = which
        self._architecture, self._x = architecture, x
        self._sources = sources_of(which, architecture.depth)
        self._program, self._inputs, self.truncation_error = prepare(architecture, x, self._sources, tolerance)
        pixels = self._inputs.variance[0].shape[0]
        self.size = tile_size(pixels, len(x))
        seen = arranged(x[:1], architecture)
        numbers = sum(2 * getattr(rule, "terms", 8) + 8 for rule in self._program.rules)
        self.bytes_per_input = 8 * pixels * (seen.shape[2] + numbers)

    def side(self, rows: slice) -> Side:
        """What the first layer sees, and the coefficients of all layers."""
        x = self._x[rows]
        index = _padded(len(x), self.size)
        chosen = jax.tree.map(lambda a: a[..., rows][..., index], self._inputs)
        seen = arranged(x, self._architecture)[:, index]
        return Side((jnp.asarray(seen), expanded(self._program, chosen, self._sources)), len(x))

    def tile(self, left: Side, right: Side, i: int, j: int) -> Float[np.ndarray, "n m"]:
        """Through all layers."""
        tile = _layered_tile(self._program, self._which, self.size, left.data, right.data, i, j)
        return _cut(tile, left, right, i, j)

    def diagonal(self) -> Float[np.ndarray, " n"]:
        """By the recursion for single inputs."""
        return np.asarray(read_out(self._program, self._which, *diagonal(self._program, self._inputs, self._sources)))


def engine_for(
    architecture: Architecture, which: Which, x: Float[np.ndarray, "n ..."], tolerance: float, method: str = "auto"
) -> Engine:
    """The composed engine where all inputs have one norm and a polynomial is good enough, else the layered one."""
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    wanted = method == "composed" or (method == "auto" and len(x) >= FEWEST_COMPOSED)
    if wanted and not isinstance(architecture, ConvResNet):
        squares = np.einsum("nd,nd->n", x, x)
        square = float(squares.mean())
        if np.all(np.abs(squares - square) <= ONE_NORM * square):
            # unit vectors are unit up to rounding, and share one polynomial
            square = 1.0 if abs(square - 1) <= ONE_NORM else square
            kappa = composed(architecture, which, square, x.shape[1], tolerance)
            if kappa is not None:
                return ComposedEngine(x, square, kappa)
    if method == "composed":
        raise EarnshawError("the layers cannot be composed: inputs differ in norm, or the kernel is too rough for it")
    return LayeredEngine(architecture, which, x, tolerance)


def _padded(count: int, size: int) -> np.ndarray:
    """Indices that fill whole tiles with copies of the last input."""
    return np.minimum(np.arange(-(-count // size) * size), count - 1)


def _cut(tile: Array, left: Side, right: Side, i: int, j: int) -> np.ndarray:
    return np.asarray(tile)[: left.length - i, : right.length - j]


@partial(jax.jit, static_argnums=(0, 1, 2))
def _composed_tile(chart, horner, size, coefficients, x, y, i, j):
    x, y = _slice(x, i, size, 0), _slice(y, j, size, 0)
    if chart == "cosine":
        v = jnp.clip(x @ y.T, -1.0, 1.0)
    else:
        g = gram(x, y)
        v = (2 / jnp.pi) * angle_from_half_chords(g.apart, g.facing) - 1
    terms = coefficients.shape[0]
    value = jnp.full_like(v, coefficients[terms - 1])
    if horner:
        for k in range(terms - 2, -1, -1):
            value = value * v + coefficients[k]
        return value
    # Clenshaw's recurrence for the Chebyshev polynomials
    after = jnp.zeros_like(v)
    if terms == 1:
        return value
    for k in range(terms - 2, 0, -1):
        value, after = 2 * v * value - after + coefficients[k], value
    return v * value - after + coefficients[0]


@partial(jax.jit, static_argnums=(0, 1, 2))
def _layered_tile(program, which, size, left, right, i, j):
    x, left = _side_slice(left, i, size)
    y, right = _side_slice(right, j, size)
    sources = sources_of(which, len(program.layers))
    found = propagate(program, first_pairs(x, y, program), left, right, sources)
    return read_out(program, which, found.feature, found.tangent)


def _side_slice(data, begin, size):
    x, inputs = data
    return _slice(x, begin, size, 1), jax.tree.map(lambda a: _slice(a, begin, size, a.ndim - 1), inputs)


def _slice(array, begin, size, axis):
    return jax.lax.dynamic_slice_in_dim(array, begin, size, axis)
