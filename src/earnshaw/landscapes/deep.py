"""Deep networks with a bounded sigmoid at every node, each learning a teacher of its own: prsz18 and zps17, §5."""

from itertools import pairwise
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.landscapes.checks import positive_integer
from earnshaw.landscapes.empirical import Empirical

#: From the inputs to the output: each matrix has a row for each value before it and a column for each after.
Layers = tuple[Float[Array, "_ _"], ...]


class DeepStudent(NamedTuple):
    """The weights of one network, and which teacher it has.

    `layers` go from the inputs to the output, shapes (d, width), (width, width), …, (width, 1). `teacher` is a whole
    number, kept as a floating one so that it may travel with parameters; no loss has a slope along it.
    """

    layers: tuple[Float[Array, "..."], ...]
    teacher: Float[Array, "..."]


def deep_network(layers: Layers, inputs: Float[Array, "n d"], slope: float = 1.0) -> Float[Array, " n"]:
    """x ↦ σ(… σ(σ(x W₁) W₂) …), σ(z) = tanh(slope · z) at every node, the output included.

    Slope 1 is tanh and slope ½ is the logistic function stretched over [−1, 1], 2/(1 + e^{−z}) − 1. There are no
    biases. The depth is the number of weight matrices.

    >>> one = jnp.ones((1, 1))
    >>> deep_network((one, one), one).item() == jnp.tanh(jnp.tanh(1.0)).item()
    True
    """
    # Examples along the last axis, which is long: products and tanh then take half the time on a processor.
    values = inputs.T
    for weights in layers:
        values = weights.T @ values
        values = jnp.tanh(values if slope == 1 else slope * values)
    return values[0]


def draw_layers(key: PRNGKeyArray, *, depth: Any, width: Any, d: Any, dtype: Any = jnp.float64) -> Layers:
    """Independent N(0, 1) weights for a network of that shape.

    >>> [layer.shape for layer in draw_layers(jax.random.key(0), depth=3, width=5, d=2)]
    [(2, 5), (5, 5), (5, 1)]
    """
    depth, width, d = positive_integer("depth", depth), positive_integer("width", width), positive_integer("d", d)
    if depth < 2:
        raise EarnshawError(f"a deep network has a depth of at least 2, not {depth}")
    sizes = (d, *[width] * (depth - 1), 1)
    shapes = tuple(pairwise(sizes))
    return _normal_layers(key, shapes, dtype)


def narrowed(layers: Layers, width: int | Int[Array, ""]) -> Layers:
    """The same shapes, with weights for the first `width` units of every hidden layer only.

    A unit without weights has the value σ(0) = 0 and nothing reads it, so every derivative along its weights is 0:
    under gradient descent it stays without, and the others move as in a network of that width. So one compiled
    program serves several widths.

    >>> first, last = narrowed((jnp.ones((1, 3)), jnp.ones((3, 1))), 2)
    >>> first.tolist(), last.tolist()
    ([[1.0, 1.0, 0.0]], [[1.0], [1.0], [0.0]])
    """
    before = [None, *layers[:-1]]
    kept = []
    for weights, earlier in zip(layers, before, strict=True):
        rows = True if earlier is None else jnp.arange(weights.shape[0])[:, None] < width
        columns = True if weights is layers[-1] else jnp.arange(weights.shape[1])[None, :] < width
        kept.append(jnp.where(jnp.logical_and(rows, columns), weights, 0))
    return tuple(kept)


def deep_teachers(
    teachers: tuple[Float[Array, "teachers _ _"], ...],
    inputs: Float[Array, "teachers n d"],
    *,
    slope: float = 1.0,
) -> Empirical:
    """(1/n) Σᵢ (student(xᵢ) − teacher(xᵢ))², for many teachers at once, each with examples of its own.

    The parameters are a `DeepStudent`, whose `teacher` says against which of them it is measured. So one descent, and
    one compiled program, serves all networks of a shape. Everything is computed in the precision of `inputs`.

    >>> layers = tuple(w[None] for w in draw_layers(jax.random.key(0), depth=2, width=3, d=2))
    >>> landscape = deep_teachers(layers, jnp.ones((1, 4, 2)))
    >>> landscape.loss(DeepStudent(tuple(w[0] for w in layers), jnp.zeros(()))).item()
    0.0
    """
    count, examples, _ = inputs.shape
    answers = jax.vmap(lambda layers, x: deep_network(layers, x, slope))(teachers, inputs)
    # Teachers stand beside each other within an example: the leading axis of the data belongs to the examples.
    data = jnp.moveaxis(jnp.concatenate([inputs, answers[:, :, None]], axis=2), 0, 1)
    law = _Law(tuple(weights.shape[1:] for weights in teachers), count, inputs.dtype)
    return Empirical(
        _Mistakes(slope),
        data,
        jnp.zeros(examples),
        init=law,
        vectorized=True,
        dtype=inputs.dtype,
    )


def _normal_layers(key: PRNGKeyArray, shapes: tuple[tuple[int, ...], ...], dtype: Any) -> tuple[Array, ...]:
    """All weights from one draw, whose generator is slow to compile."""
    ends = np.cumsum([before * after for before, after in shapes])
    pieces = jnp.split(jax.random.normal(key, (int(ends[-1]),), dtype), ends[:-1])
    return tuple(piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True))


# Classes and not closures, so that equal ones compile once.
class _Law(eqx.Module):
    """N(0, 1) weights and any of the teachers."""

    shapes: tuple[tuple[int, ...], ...] = eqx.field(static=True)
    teachers: int = eqx.field(static=True)
    dtype: Any = eqx.field(static=True)

    def __call__(self, key: PRNGKeyArray) -> DeepStudent:
        of_layers, of_teacher = jax.random.split(key)
        which = jax.random.randint(of_teacher, (), 0, self.teachers)
        return DeepStudent(_normal_layers(of_layers, self.shapes, self.dtype), which.astype(self.dtype))


class _Mistakes(eqx.Module):
    """What a student says more than its teacher, whose answers stand behind the inputs."""

    slope: float = eqx.field(static=True)

    def __call__(self, params: DeepStudent, examples: Float[Array, "n teachers d_and_1"]) -> Float[Array, " n"]:
        own = examples[:, jax.lax.stop_gradient(params.teacher).astype(jnp.int32)]
        return deep_network(params.layers, own[:, :-1], self.slope) - own[:, -1]
