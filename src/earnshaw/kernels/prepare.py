"""From an architecture and inputs to a program: the layers' numbers, their rules, and each input by itself."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.duality.activation import Activation
from earnshaw.errors import EarnshawError
from earnshaw.kernels.architectures import Architecture
from earnshaw.kernels.inputs import arranged
from earnshaw.kernels.moments import rule_for, single, slope_growth, truncation, with_coefficients
from earnshaw.kernels.recursion import Inputs, Layer, Program, Wiring, handed_on, patch_sum

SQUARED_NORMS_AT_ONCE = 1024


class Prepared(NamedTuple):
    """A program, its inputs by themselves (without coefficients), and a bound on what the series cut off."""

    program: Program
    inputs: Inputs
    truncation_error: float


def prepare(
    architecture: Architecture, x: Float[np.ndarray, "n ..."], sources: tuple[bool, ...], tolerance: float
) -> Prepared:
    """Follow each input through the layers, choosing for each layer a rule that is good for all of them."""
    if not (isinstance(tolerance, float) and 1e-14 <= tolerance < 1):
        raise EarnshawError(f"the tolerance of a kernel must be between 1e-14 and 1, got {tolerance}")
    if any(sources):
        refuse_jumps(architecture.activation)
    found = architecture.patches(x.shape[2:])
    wiring = None if found is None else tuple(Wiring.of(p) for p in found)
    squares = squared_norms(architecture, x)
    seen = _seen(architecture, x)
    layers = architecture.layers(seen, 1 if found is None else found[0].covered.shape[1])
    return follow(architecture, layers, wiring, squares, sources, tolerance)


def follow(
    architecture: Architecture,
    layers: tuple[Layer, ...],
    wiring: tuple[Wiring, ...] | None,
    squares: Float[np.ndarray, "p n"],
    sources: tuple[bool, ...],
    tolerance: float,
) -> Prepared:
    """The same from the squared norms of what the first layer sees."""
    variances, singles, befores, features, rules = [], [], [], [], []
    below, means = squares, np.zeros_like(squares)
    error = _Error()
    for h, layer in enumerate(layers):
        wires = wiring[h] if wiring else None
        # what the first layer sees are patches already
        variance = layer.weight * (patch_sum(below, wires) if h else below) + layer.bias
        below, means = (handed_on(below, wires), handed_on(means, wires)) if h else (below, means)
        rule = rule_for(architecture.activation, float(np.sqrt(variance.max())), tolerance)
        slopes = any(sources[: h + 1])
        one = single(rule, np.sqrt(variance), slopes=slopes)
        after, before = layer.scale**2 * one.value, means
        means = layer.scale * one.mean
        if layer.skip:
            after = after + below + 2 * layer.scale * before * one.mean
            means = means + before
        error = error.after(layer, rule, variance, one, 1 if wires is None else len(wires.covered[0]), sources[h])
        variances.append(variance)
        singles.append(one)
        befores.append(before)
        features.append(after)
        rules.append(rule)
        below = after
    pixels = below.shape[0]
    readout = architecture.readout(pixels)
    program = Program(layers, tuple(rules), wiring, readout)
    inputs = Inputs(tuple(variances), tuple(singles), tuple(befores), tuple(features))
    return Prepared(program, inputs, pixels * readout[0] * (error.feature + error.tangent))


def expanded(program: Program, inputs: Inputs, sources: tuple[bool, ...]) -> Inputs:
    """Inputs with the coefficients that pairs of them need."""
    complete = [
        with_coefficients(rule, one, np.sqrt(variance), slopes=any(sources[: h + 1]))
        for h, (rule, one, variance) in enumerate(zip(program.rules, inputs.single, inputs.variance, strict=True))
    ]
    return inputs._replace(single=tuple(complete))


def squared_norms(architecture: Architecture, x: Float[np.ndarray, "n ..."]) -> Float[np.ndarray, "p n"]:
    """‖·‖² of what every pixel of the first layer sees, a few inputs at a time."""
    parts = []
    for begin in range(0, len(x), SQUARED_NORMS_AT_ONCE):
        part = arranged(x[begin : begin + SQUARED_NORMS_AT_ONCE], architecture)
        parts.append(np.einsum("pnd,pnd->pn", part, part))
    return np.concatenate(parts, axis=1)


def refuse_jumps(activation: Activation) -> None:
    """An activation that jumps has no tangent kernel: E σ′(u)² is infinite."""
    if activation.smoothness < 0:
        raise EarnshawError(
            f"{activation.name} jumps, so its tangent kernels are infinite on the diagonal; its kernel nngp is finite"
        )


def _seen(architecture, x):
    wiring = architecture.patches(x.shape[2:])
    return x.shape[1] * (1 if wiring is None else wiring[0].covered.shape[1])


class _Error(NamedTuple):
    """Bounds on the errors of entries of Fʰ and Θʰ, and on the entries of Θʰ, for all pairs."""

    feature: float = 0.0
    tangent: float = 0.0
    largest: float = 0.0

    def after(self, layer, rule, variance, one, patch, source) -> "_Error":
        """One layer on: a moment has its own truncation error and passes on that of its covariance by its slope."""
        value, slope = float(one.value.max()), float(one.slope.max())
        s = np.sqrt(variance)
        growth = slope_growth(rule, s) if self.feature else 0.0
        covariance = layer.weight * patch * self.feature
        # E σ′² is not computed where no weight needs it; a series of the values bounds its own slope likewise
        steepness = slope if slope else _value_growth(rule, s)
        moment = layer.scale**2 * (truncation(rule) * value + steepness * covariance)
        below = layer.weight * patch * self.largest + (float(variance.max()) if source else 0.0)
        gain = layer.scale**2 * slope
        uncertain = layer.scale**2 * (truncation(rule) * slope + growth * covariance)
        tangent = uncertain * below + gain * ((covariance if source else 0.0) + layer.weight * patch * self.tangent)
        if not layer.skip:
            return _Error(moment, tangent, gain * below)
        return _Error(self.feature + moment, self.tangent + tangent, self.largest + gain * below)


def _value_growth(rule, s):
    if truncation(rule) == 0:
        return 0.0
    return float(single(rule, np.array([[s.min(), s.max()]]), slopes=True).slope.max())
