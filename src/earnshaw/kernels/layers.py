"""All kernels of a network on the way through its layers: K^(h), b^(h) and G^(h) of du19 chapter 3, in memory."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.kernels.architectures import Architecture
from earnshaw.kernels.inputs import arranged, checked
from earnshaw.kernels.prepare import expanded, prepare
from earnshaw.kernels.recursion import Wiring, diagonal, first_pairs, propagate, tangents
from earnshaw.kernels.which import read_out, sources_of


class Layers(NamedTuple):
    """The kernels of every layer, for networks of infinite width; p pixels where the network is convolutional."""

    covariances: tuple[Float[np.ndarray, "n n"] | Float[np.ndarray, "n n p p"], ...]
    """Σ¹, …, Σ^H: what the pre-activations of layer h have as their covariance. Without biases and with ω = 1 these are
    K^(0), …, K^(H−1); for a convolutional network entry (i, j, l, r) is about pixel l of input i and pixel r of j."""
    means: tuple[Float[np.ndarray, " n"] | Float[np.ndarray, "n p"], ...]
    """b^(1), …, b^(H)."""
    tangents: Float[np.ndarray, "h n n"]
    """G^(1), …, G^(H+1) at infinite width: the shares of all layers and of the read-out in the tangent kernel."""
    truncation_error: float


def layers(x, architecture: Architecture, *, tolerance: float = 1e-12) -> Layers:
    """The kernels of every layer for the rows of x.

    >>> import numpy as np
    >>> from earnshaw.kernels import Dense
    >>> found = layers(np.eye(2), Dense("relu", 2))
    >>> found.covariances[1].round(6).tolist()
    [[1.0, 0.31831], [0.31831, 1.0]]
    """
    x = checked(x, architecture)
    depth = architecture.depth
    program, light, error = prepare(architecture, x, (True,) * depth, tolerance)
    inputs = expanded(program, light, (True,) * depth)
    seen = jnp.asarray(arranged(x, architecture))
    same_pixel, shares = _through(program, seen, inputs, None)
    # the diagonals are known without series or angles
    for h, share in enumerate(shares, 1):
        own = diagonal(program, light, sources_of(h, depth))
        np.fill_diagonal(share, np.asarray(read_out(program, h, *own)))
    last = program.layers[-1]
    means = [*inputs.before[1:], last.scale * inputs.single[-1].mean + (inputs.before[-1] if last.skip else 0.0)]
    means = [np.asarray(b).T for b in means]
    if program.wiring is None:
        matrices, means = [c[0] for c in same_pixel], [b[:, 0] for b in means]
        for matrix, variance in zip(matrices, inputs.variance, strict=True):
            np.fill_diagonal(matrix, np.asarray(variance[0]))
    else:
        all_pixels, _ = _through(program, seen, inputs, program.wiring)
        matrices = [_by_pixels(c) for c in all_pixels]
    return Layers(tuple(matrices), tuple(means), np.stack(shares), error)


def _through(program, seen, inputs, wiring):
    """Every Σʰ, and every share of the tangent kernel if each pixel meets itself alone (`wiring` is `None`)."""
    left = right = (seen, inputs)
    if wiring is not None:
        # one virtual pixel for every pair of pixels
        paired = tuple(_paired(w, _pixels_before(wiring, h, seen)) for h, w in enumerate(wiring))
        program = program._replace(wiring=paired, all_pixels=True)
        left, right = (_repeated(left, "left"), _repeated(right, "right"))
    covariances, shares = _jitted(program, wiring is None, left, right)
    return [np.array(c) for c in covariances], [np.array(s) for s in shares]


@partial(jax.jit, static_argnums=(0, 1))
def _jitted(program, with_shares, left, right):
    sources = (with_shares,) * len(program.layers)
    found = propagate(program, first_pairs(left[0], right[0], program), left[1], right[1], sources)
    covariances = [step.variance.c for step in found.layers]
    if not with_shares:
        return covariances, []
    shares = [read_out(program, h, jnp.zeros_like(t), t) for h, t in enumerate(tangents(program, found.layers), 1)]
    return covariances, [*shares, read_out(program, "nngp", found.feature, None)]


def _repeated(side, which):
    """Every array with one entry for each pair of pixels: pair l·p + r has pixel l on the left and r on the right."""

    def take(array):
        if array.shape[-1] == 0 or array.ndim < 2:
            return array
        axis = array.ndim - 2
        p = array.shape[axis]
        index = np.repeat(np.arange(p), p) if which == "left" else np.tile(np.arange(p), p)
        return jnp.take(array, index, axis=axis)

    seen, inputs = side
    p = seen.shape[0]
    index = np.repeat(np.arange(p), p) if which == "left" else np.tile(np.arange(p), p)
    return seen[index], jax.tree.map(take, inputs)


def _pixels_before(wiring, h, seen):
    return len(wiring[h - 1].centre) if h else seen.shape[0]


def _paired(wiring: Wiring, before: int) -> Wiring:
    """The wiring of pairs of pixels: at the same offset of their patches, or padding if one of them is outside."""
    covered, centre = np.array(wiring.covered), np.array(wiring.centre)
    pairs = covered[:, None, :] * before + covered[None, :, :]
    outside = (covered[:, None, :] == before) | (covered[None, :, :] == before)
    pairs = np.where(outside, before**2, pairs).reshape(-1, covered.shape[1])
    centres = (centre[:, None] * before + centre[None, :]).ravel()
    return Wiring(tuple(map(tuple, pairs.tolist())), tuple(centres.tolist()))


def _by_pixels(covariance):
    """(pairs of pixels, n, n) as (n, n, p, p)."""
    p = round(np.sqrt(covariance.shape[0]))
    return covariance.reshape(p, p, *covariance.shape[1:]).transpose(2, 3, 0, 1)
