"""The kernel of inputs of one norm: a single scalar function κ(ρ) of their cosine, whatever the depth.

All layers are composed into one polynomial: in ρ itself, or, for activations with kinks, in the angle, in which those
kernels are analytic where ρ has roots at ±1. The polynomial interpolates the recursion at Chebyshev's points.
"""

import math
from functools import lru_cache, partial
from typing import Literal, NamedTuple

import jax
import numpy as np
from jaxtyping import Float
from numpy.polynomial import chebyshev
from scipy.fft import dct

from earnshaw.errors import EarnshawError
from earnshaw.kernels.architectures import Architecture, ConvResNet
from earnshaw.kernels.covariance import Pairs, affine
from earnshaw.kernels.prepare import Prepared, expanded, follow, refuse_jumps
from earnshaw.kernels.recursion import diagonal, propagate
from earnshaw.kernels.which import Which, check_which, read_out, sources_of

Chart = Literal["cosine", "angle"]
DEGREES = (127, 511)
COST_OF_AN_ANGLE = 25
"""Terms of a polynomial that take as long as the angle of a pair."""


class SphereKernel(NamedTuple):
    """κ(ρ) for inputs of one norm, as Σ cₖTₖ(v) with v = ρ or v = 2α/π − 1 for the angle α = arccos ρ.

    >>> from earnshaw.kernels import Dense
    >>> kappa = on_sphere(Dense("relu", 1), which="last-layer")
    >>> round(float(kappa(0.5)), 12)
    0.333333333333
    """

    coefficients: Float[np.ndarray, " k"]
    chart: Chart
    diagonal: float
    """κ(1), without the errors of a series."""
    truncation_error: float
    """A bound on what cut series and the polynomial leave of an entry, without rounding."""

    def __call__(self, rho: float | Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """κ(ρ) for −1 ≤ ρ ≤ 1."""
        rho = np.asarray(rho, float)
        if not np.all(np.abs(rho) <= 1):
            raise EarnshawError(f"a cosine lies between −1 and 1, got {rho.ravel()[~(np.abs(rho.ravel()) <= 1)][0]}")
        v = rho if self.chart == "cosine" else 2 * np.arccos(rho) / np.pi - 1
        return np.asarray(chebyshev.chebval(v, self.coefficients))

    def powers(self) -> Float[np.ndarray, " k"] | None:
        """The same polynomial as Σ pₖvᵏ, if that loses no digits to cancellation."""
        powers = chebyshev.cheb2poly(self.coefficients)
        return powers if np.sum(np.abs(powers)) <= 8 * np.max(np.abs(self(np.array([-1.0, 0.0, 1.0])))) else None


def on_sphere(
    architecture: Architecture,
    *,
    which: Which = "ntk",
    norm: float = 1.0,
    inputs: int = 1,
    tolerance: float = 1e-12,
) -> SphereKernel:
    """The scalar function κ(ρ) of a fully connected or residual network for inputs of that norm.

    `inputs` is their dimension, which the `ntk` parameterization divides by.
    """
    if isinstance(architecture, ConvResNet):
        raise EarnshawError("the kernel of a convolutional network depends on every patch and not on one cosine")
    if not (math.isfinite(norm) and norm >= 0):
        raise EarnshawError(f"a norm must be at least 0 and finite, got {norm}")
    which = check_which(which, architecture.depth)
    found = composed(architecture, which, norm**2, inputs, tolerance)
    if found is None:
        raise EarnshawError(
            f"the kernel of {architecture.activation.name} at depth {architecture.depth} is too rough near parallel "
            f"inputs for a polynomial of degree {DEGREES[-1]}; ask for a tolerance above {tolerance:g}"
        )
    return found


@lru_cache(maxsize=64)
def composed(
    architecture: Architecture, which: Which, square: float, inputs: int, tolerance: float
) -> SphereKernel | None:
    """The polynomial in the cheaper chart, or `None` if neither reaches the tolerance."""
    sources = sources_of(which, architecture.depth)
    if any(sources):
        refuse_jumps(architecture.activation)
    layers = architecture.layers(inputs, 1)
    prepared = follow(architecture, layers, None, np.array([[square]]), sources, tolerance)
    own = float(read_out(prepared.program, which, *diagonal(prepared.program, prepared.inputs, sources))[0])
    charts: tuple[Chart, ...] = ("cosine", "angle")
    found = [_interpolated(prepared, which, square, chart, own, tolerance) for chart in charts]
    costs = [math.inf if f is None else len(f.coefficients) + COST_OF_AN_ANGLE * (f.chart == "angle") for f in found]
    return found[int(np.argmin(costs))]


def _interpolated(prepared, which, square, chart, own, tolerance):
    for degree in DEGREES:
        # the last points are no nodes, and see whether the polynomial is right between them
        nodes = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
        between = np.cos(np.pi * (np.arange(degree) + 0.28) / degree)
        values = _values(prepared, which, square, chart, np.concatenate([nodes, between]))
        coefficients = np.asarray(dct(values[: degree + 1], norm="forward"))
        coefficients[1:] *= 2
        rest = np.cumsum(np.abs(coefficients)[::-1])[::-1]
        size = max(abs(own), float(np.abs(coefficients).max()))
        # what is left at the end is rounding, if the function is resolved
        if rest[3 * degree // 4] > max(0.1 * tolerance, 1e-14 * degree / 8) * size:
            continue
        # a few terms more than the tolerance asks for cost next to nothing
        unneeded = np.flatnonzero(rest <= max(0.01 * tolerance, 2e-15) * size)
        kept = max(int(unneeded[0]), 1) if unneeded.size else degree + 1
        found = SphereKernel(coefficients[:kept], chart, own, 0.0)
        missed = float(np.abs(chebyshev.chebval(between, found.coefficients) - values[degree + 1 :]).max())
        if missed <= tolerance * size:
            return found._replace(truncation_error=prepared.truncation_error + missed)
    return None


def _values(prepared: Prepared, which: Which, square: float, chart: Chart, v: np.ndarray) -> Float[np.ndarray, " k"]:
    """κ by the recursion itself."""
    alpha = np.arccos(v) if chart == "cosine" else np.pi * (v + 1) / 2
    rho, apart = np.cos(alpha)[None, None], 2 * np.sin(alpha / 2)[None, None] ** 2
    program, sources = prepared.program, sources_of(which, len(prepared.program.layers))
    left = expanded(program, prepared.inputs, sources)
    right = jax.tree.map(lambda a: np.broadcast_to(a, (*a.shape[:-1], v.size)), left)
    q = np.full((1, 1, 1), square)
    layer = program.layers[0]
    first = affine(Pairs(q, q, square * rho, square * apart), layer.weight, layer.bias)
    return np.asarray(_run(program, which, first, left, right))


@partial(jax.jit, static_argnums=(0, 1))
def _run(program, which, pairs, left, right):
    sources = sources_of(which, len(program.layers))
    found = propagate(program, pairs, left, right, sources)
    return read_out(program, which, found.feature, found.tangent)[0]
