"""The recursion (3.15) of du19, for the covariance of features and for the tangent kernel, in one pass.

With Σʰ = ω²P(Fʰ⁻¹) + B², the covariance of pre-activations (P sums over the offsets in a patch), and the means b of
features,

    Fʰ = [Fʰ⁻¹ + τ(bᵢE σ(v) + bⱼE σ(u))] + τ²E σ(u)σ(v),    bʰ = [bʰ⁻¹] + τE σ(u),
    Θʰ = [Θʰ⁻¹] + τ²E σ′(u)σ′(v)·(Σʰ + ω²P(Θʰ⁻¹)),

for (u, v) Gaussian with covariance Σʰ, where the brackets belong to skip connections. Every pixel of one input meets
one pixel of the other: for the kernel itself the same pixel, as its read-out weights are independent.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.rule import Rule
from earnshaw.kernels.architectures import Layer
from earnshaw.kernels.covariance import Pairs, affine, from_gram
from earnshaw.kernels.moments import Numbers, Single, moments, needs_chords, spread
from earnshaw.kernels.patches import Patches
from earnshaw.numerics.chords import Gram, gram


class Program(NamedTuple):
    """Everything about a kernel but its inputs; hashable, so that a program is compiled once."""

    layers: tuple[Layer, ...]
    rules: tuple[Rule, ...]
    wiring: "tuple[Wiring, ...] | None"
    readout: tuple[float, float]
    all_pixels: bool = False
    """Whether pixels of one input meet other pixels than their own of the other, so that patches overhang apart."""


class Wiring(NamedTuple):
    """Patches as tuples: which pixels a layer's pixels see, and which its skip connection hands on."""

    covered: tuple[tuple[int, ...], ...]
    centre: tuple[int, ...]

    @staticmethod
    def of(patches: Patches) -> "Wiring":
        """The same, hashable."""
        return Wiring(tuple(map(tuple, patches.covered.tolist())), tuple(patches.centre.tolist()))


class Inputs(NamedTuple):
    """What the layers do to each input by itself, one entry for each layer (pixels × inputs in each array)."""

    variance: tuple[Numbers, ...]
    """Σʰᵢᵢ."""
    single: tuple[Single, ...]
    before: tuple[Numbers, ...]
    """b of the features before."""
    feature: tuple[Numbers, ...]
    """Fʰᵢᵢ."""


def patch_sum(values: Any, wiring: Wiring | None) -> Any:
    """P: at every pixel the sum over its patch."""
    if wiring is None:
        return values
    library = np if isinstance(values, np.ndarray) else jnp
    padded = library.concatenate([values, library.zeros_like(values[:1])])
    covered = np.array(wiring.covered)
    total = padded[covered[:, 0]]
    for offset in covered.T[1:]:
        total = total + padded[offset]
    return total


def handed_on(values: Any, wiring: Wiring | None) -> Any:
    """What skip connections see."""
    return values if wiring is None else values[np.array(wiring.centre)]


def first_pairs(x: Float[Array, "p n d"], y: Float[Array, "p m d"], program: Program) -> Pairs:
    """Σ¹ of all pairs, with every digit of small angles if a layer needs them."""
    layer = program.layers[0]
    if any(needs_chords(rule) for rule in program.rules):
        return affine(from_gram(jax.vmap(gram)(x, y)), layer.weight, layer.bias)
    q, p = jnp.sum(x**2, axis=2)[:, :, None], jnp.sum(y**2, axis=2)[:, None, :]
    c = jnp.einsum("pnd,pmd->pnm", x, y)
    return affine(Pairs(q, p, c, (q + p) / 2 - c), layer.weight, layer.bias)


class Kernels(NamedTuple):
    """What one pass through the layers yields, at every pixel of the last layer (before the read-out)."""

    feature: Float[Array, "p n m"]
    tangent: Float[Array, "p n m"] | None
    layers: tuple["Step", ...]


class Step(NamedTuple):
    """One layer on the way."""

    variance: Pairs
    feature: Pairs
    slope: Float[Array, "p n m"]


def propagate(program: Program, pairs: Pairs, left: Inputs, right: Inputs, sources: tuple[bool, ...]) -> Kernels:
    """From Σ¹ to the last features F^H and to Θ^H, with what the layers in `sources` add to the latter."""
    feature, tangent, steps = None, None, []
    for h, (layer, rule) in enumerate(zip(program.layers, program.rules, strict=True)):
        wiring = program.wiring[h] if program.wiring else None
        if h:
            assert feature is not None
            summed = Pairs(*(patch_sum(part, wiring) for part in feature))
            pairs = affine(summed, layer.weight, layer.bias)
        slopes = any(sources[: h + 1])
        g = _with_variances(pairs, left.variance[h], right.variance[h])
        if program.all_pixels:
            # where one patch overhangs the image and the other does not, ½E(u − v)² has half of what is not met
            pairs = pairs._replace(e=pairs.e + (g.q - pairs.q) / 2 + (g.p - pairs.p) / 2)
            g = _with_variances(pairs, left.variance[h], right.variance[h])
        value, slope = moments(rule, g, left.single[h], right.single[h], slopes=slopes)
        chord = spread(rule, g, pairs.e, value, left.single[h], right.single[h])
        new = tangent
        if slopes:
            gain = layer.scale**2 * slope
            new = gain * pairs.c if sources[h] else jnp.zeros_like(gain)
            if tangent is not None:
                new = new + gain * layer.weight * patch_sum(tangent, wiring)
                if layer.skip:
                    new = new + handed_on(tangent, wiring)
        tangent = new
        c, e = layer.scale**2 * value, layer.scale**2 * chord
        if layer.skip:
            assert feature is not None
            c, e = _with_skip(layer, c, e, feature, wiring, left, right, h)
        feature = Pairs(left.feature[h][:, :, None], right.feature[h][:, None, :], c, e)
        steps.append(Step(pairs, feature, slope))
    assert feature is not None
    return Kernels(feature.c, tangent, tuple(steps))


def _with_variances(pairs: Pairs, left, right) -> Gram:
    """Gram data with the variances that were computed for each input by itself."""
    return pairs._replace(q=left[:, :, None], p=right[:, None, :]).gram()


def _with_skip(layer, c, e, feature, wiring, left, right, h):
    bi, bj = left.before[h][:, :, None], right.before[h][:, None, :]
    mi, mj = left.single[h].mean[:, :, None], right.single[h].mean[:, None, :]
    c = c + handed_on(feature.c, wiring) + layer.scale * (bi * mj + bj * mi)
    e = e + handed_on(feature.e, wiring) + layer.scale * (bi - bj) * (mi - mj)
    return c, e


def diagonal(program: Program, inputs: Inputs, sources: tuple[bool, ...]) -> tuple[Numbers, Numbers | None]:
    """F^H and Θ^H of every input with itself, for which no angle is needed."""
    tangent = None
    for h, layer in enumerate(program.layers):
        if not any(sources[: h + 1]):
            continue
        wiring = program.wiring[h] if program.wiring else None
        gain = layer.scale**2 * inputs.single[h].slope
        new = gain * (inputs.variance[h] if sources[h] else 0.0)
        if tangent is not None:
            new = new + gain * layer.weight * patch_sum(tangent, wiring)
            if layer.skip:
                new = new + handed_on(tangent, wiring)
        tangent = new
    return inputs.feature[-1], tangent


def tangents(program: Program, steps: tuple[Step, ...]) -> list[Float[Array, "p n m"]]:
    """What the weights of each layer add to Θ^H, by themselves."""
    found = []
    for k in range(len(program.layers)):
        gain = program.layers[k].scale ** 2 * steps[k].slope
        tangent = gain * steps[k].variance.c
        for h in range(k + 1, len(program.layers)):
            layer, wiring = program.layers[h], program.wiring[h] if program.wiring else None
            passed = layer.scale**2 * steps[h].slope * layer.weight * patch_sum(tangent, wiring)
            tangent = passed + handed_on(tangent, wiring) if layer.skip else passed
        found.append(tangent)
    return found
