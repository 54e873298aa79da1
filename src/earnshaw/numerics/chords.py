"""Gram matrices, and the half-chords between directions to more than working precision.

The angle of two vectors from their inner product loses half of all digits near 0 and π. Differences keep the digits,
but cost n·m·d elementwise operations. Here pairs that are nearly parallel or opposite, and only those, get their digits
from matrix products: each coordinate of a direction is split into a head of few bits, whose products add up without any
rounding, and a small tail. Then ½‖û − v̂‖² = (1 − ûᵀv̂) − ½(1 − ‖û‖²) − ½(1 − ‖v̂‖²) is right to about 1e-23, and
angles to 1e-11 where the arccosine leaves 1e-8. The split products are computed only when some pair of the batch needs
them; which pair gets which value depends on the pair alone, so a batch never changes a member's result.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jaxtyping import Array, Bool, Float

NEARLY_PARALLEL = 1e-4
"""1 − |cos α| below which an inner product is not accurate enough; at the border it leaves 1e-14 in the angle."""


class Gram(NamedTuple):
    """Squared norms, inner products and half-chords of all pairs of two sets of vectors."""

    q: Float[Array, "n 1"]
    p: Float[Array, "1 m"]
    c: Float[Array, "n m"]
    apart: Float[Array, "n m"]
    """½‖û − v̂‖² = 1 − cos α; constant under differentiation."""
    facing: Float[Array, "n m"]
    """½‖û + v̂‖² = 1 + cos α, likewise."""


def gram(x: Float[Array, "n d"], y: Float[Array, "m d"], *, distinct: bool = False) -> Gram:
    """The Gram data of two sets of vectors; a zero vector is at a right angle to everything.

    With `distinct=True` the second set begins with the first, and no vector's pair with itself will be used.

    >>> import jax.numpy as jnp
    >>> g = gram(jnp.array([[1.0, 0.0]]), jnp.array([[1.0, 1e-9]]))
    >>> float(jnp.sqrt(2 * g.apart[0, 0]))
    1e-09
    """
    q = jnp.sum(x**2, axis=1)[:, None]
    p = jnp.sum(y**2, axis=1)[None, :]
    c = x @ y.T
    frozen = jax.lax.stop_gradient((x, y, q, p, c))
    apart, facing = _half_chords(*frozen, jnp.eye(*c.shape, dtype=bool) if distinct else jnp.zeros(c.shape, bool))
    return Gram(q, p, c, apart, facing)


def _half_chords(
    x: Float[Array, "n d"],
    y: Float[Array, "m d"],
    q: Float[Array, "n 1"],
    p: Float[Array, "1 m"],
    c: Float[Array, "n m"],
    unused: Bool[Array, "n m"],
) -> tuple[Float[Array, "n m"], Float[Array, "n m"]]:
    cosine = jnp.clip(c * _reciprocal_root(q) * _reciprocal_root(p), -1.0, 1.0)
    nearly = (1 - jnp.abs(cosine) < NEARLY_PARALLEL) & ~unused
    apart, facing = _refined(x, y, cosine, nearly)
    return jnp.where(nearly, apart, 1 - cosine), jnp.where(nearly, facing, 1 + cosine)


def _reciprocal_root(squares: Float[Array, "..."]) -> Float[Array, "..."]:
    """1/√q, and 0 for a zero vector, which makes its cosines 0."""
    return jnp.where(squares == 0, 0.0, 1 / jnp.sqrt(jnp.where(squares == 0, 1.0, squares)))


@custom_vmap
def _refined(x, y, cosine, nearly):
    return jax.lax.cond(jnp.any(nearly), _split_half_chords, lambda x, y, cosine: (cosine, cosine), x, y, cosine)


@_refined.def_vmap
def _refined_batch(axis_size, in_batched, *arguments):
    """One decision for the whole batch: vmapping the condition would compute both branches for every member."""
    full = [a if b else jnp.broadcast_to(a, (axis_size, *a.shape)) for a, b in zip(arguments, in_batched, strict=True)]
    return _refined(*full), (True, True)


def _split_half_chords(x, y, cosine):
    u, v = _directions(x), _directions(y)
    bits = _head_bits(x.shape[-1], x.dtype)
    u_head, v_head = _head(u, bits), _head(v, bits)
    u_tail, v_tail = u - u_head, v - v_head
    heads = _products(u_head, v_head)
    tails = _products(u_tail, v_head) + _products(u, v_tail)
    excess = (_norm_excess(u, u_head, u_tail)[..., :, None] + _norm_excess(v, v_head, v_tail)[..., None, :]) / 2
    apart = (1 - heads) - tails + excess
    facing = (1 + heads) + tails + excess
    return jnp.maximum(apart, 0.0), jnp.maximum(facing, 0.0)


def _products(u, v):
    return jnp.einsum("...nd,...md->...nm", u, v)


def _norm_excess(u, head, tail):
    """‖û‖² − 1, which the rounding of û makes about 1e-16; −1 for a zero vector."""
    return (jnp.sum(head * head, axis=-1) - 1) + jnp.sum(tail * (u + head), axis=-1)


def _directions(x):
    return x * _reciprocal_root(jnp.sum(x**2, axis=-1, keepdims=True))


def _head_bits(d: int, dtype: jnp.dtype) -> int:
    """How many bits a head may have so that d products of two heads add up exactly."""
    mantissa = jnp.finfo(dtype).nmant + 1
    return (mantissa - 1 - max(d - 1, 1).bit_length()) // 2


def _head(u, bits: int):
    scale = 2.0**bits
    return jnp.round(u * scale) / scale
