"""How the dual of an activation is evaluated: by a closed form or by a series."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.numerics.chords import Gram


class Rule(eqx.Module):
    """Moments of σ at jointly Gaussian u, v with Var u = q, Var v = p, Cov = c and means a, b (0 if left out)."""

    @abc.abstractmethod
    def pairs(
        self, g: Gram, a: Float[Array, "n 1"] | None = None, b: Float[Array, "1 m"] | None = None
    ) -> Float[Array, "n m"]:
        """E σ(u)σ(v) for all pairs."""

    @abc.abstractmethod
    def mean(self, q: Float[Array, " n"], a: Float[Array, " n"] | None = None) -> Float[Array, " n"]:
        """E σ(u)."""

    def diagonal(self, q: Float[Array, " n"], a: Float[Array, " n"] | None = None) -> Float[Array, " n"]:
        """E σ(u)², which is a pair of parallel vectors."""

        def one(q, a):
            q = q.reshape(1, 1)
            a = None if a is None else a.reshape(1, 1)
            return self.pairs(Gram(q, q, q, jnp.zeros_like(q), jnp.full_like(q, 2.0)), a, a)[0, 0]

        return jax.vmap(one)(q, a)
