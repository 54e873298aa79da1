"""Second moments of all pairs of two sets of features, carried from layer to layer without losing small angles.

A kernel with a kink, such as ReLU's, depends on the angle α of two features, and 1 − cos α = α²/2 is lost in the
rounding of cos α. So ½E(u − v)² is carried beside E uv: it is additive, and each layer knows how to compute it.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp

from earnshaw.numerics.chords import Gram


class Pairs(NamedTuple):
    """E u², E v², E uv and ½E(u − v)² for all pairs of two sets of features u, v, at every pixel."""

    q: Any
    """(p n 1), for p pixels."""
    p: Any
    """(p 1 m)."""
    c: Any
    """(p n m)."""
    e: Any
    """(p n m)."""

    def gram(self) -> Gram:
        """The same as Gram data."""
        scale = jnp.sqrt(self.q * self.p)
        alive = scale > 0
        divisor = jnp.where(alive, scale, 1.0)
        lengths = (jnp.sqrt(self.q) - jnp.sqrt(self.p)) ** 2 / 2
        apart = jnp.where(alive, jnp.clip((self.e - lengths) / divisor, 0.0, 2.0), 1.0)
        facing = jnp.where(apart < 1, 2 - apart, jnp.where(alive, jnp.clip(1 + self.c / divisor, 0.0, 2.0), 1.0))
        return Gram(self.q, self.p, self.c, apart, facing)


def from_gram(g: Gram) -> Pairs:
    """Pairs from Gram data, whose half-chords are exact."""
    scale = jnp.sqrt(g.q * g.p)
    return Pairs(g.q, g.p, g.c, scale * g.apart + (jnp.sqrt(g.q) - jnp.sqrt(g.p)) ** 2 / 2)


def affine(pairs: Pairs, weight: float, bias: float) -> Pairs:
    """After a layer of weights and biases: ω²E uv + B²."""
    return Pairs(weight * pairs.q + bias, weight * pairs.p + bias, weight * pairs.c + bias, weight * pairs.e)
