"""Duals of ridge activations in closed form: E σ(u)σ(v) for centred jointly Gaussian u, v, from their Gram data.

With q = Var u, p = Var v and c = Cov(u, v). Each form also gives its mean E σ(u). The smooth ones are differentiated
by autodiff; the angular ones bring their own rules (see `angular`).
"""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.angular import absolute_kernel, sign_kernel
from earnshaw.numerics.chords import Gram


class ClosedForm(eqx.Module):
    """The dual of one activation."""

    @abc.abstractmethod
    def pairs(self, g: Gram) -> Float[Array, "n m"]:
        """E σ(u)σ(v) for all pairs."""

    @abc.abstractmethod
    def mean(self, q: Float[Array, "..."]) -> Float[Array, "..."]:
        """E σ(u) for Var u = q."""

    def diagonal(self, q: Float[Array, " n"]) -> Float[Array, " n"]:
        """E σ(u)² for Var u = q."""
        q = q[:, None]
        # one pair a row: parallel vectors, so the half-chords are 0 and 2
        return jax.vmap(lambda s: self.pairs(Gram(s[None], s[None], s[None], 0 * s[None], 0 * s[None] + 2))[0, 0])(q)


def root(q: Float[Array, "..."]) -> Float[Array, "..."]:
    """√q with derivative 0 at q = 0."""
    return jnp.where(q == 0, 0.0, jnp.sqrt(jnp.where(q == 0, 1.0, q)))


class PiecewiseLinear(ClosedForm):
    """σ(z) = λz + μ|z|: linear, ReLU (½, ½), leaky ReLU, absolute value. E = λ²c + μ²·E|u||v|."""

    linear: float = eqx.field(static=True)
    absolute: float = eqx.field(static=True)

    def pairs(self, g):
        """λ²c + μ²·(2/π)(st·sin α + c(π/2 − α))."""
        value = self.linear**2 * g.c
        return value + self.absolute**2 * absolute_kernel(g) if self.absolute else value

    def diagonal(self, q):
        """(λ² + μ²)q."""
        return (self.linear**2 + self.absolute**2) * q

    def mean(self, q):
        """μ√(2q/π)."""
        return self.absolute * jnp.sqrt(2 / jnp.pi) * root(q)


class Threshold(ClosedForm):
    """σ(z) = κ + ν·sgn(z): sign (0, 1), step (½, ½). E = κ² + ν²(1 − 2α/π)."""

    constant: float = eqx.field(static=True)
    sign: float = eqx.field(static=True)

    def pairs(self, g):
        """κ² + ν²(1 − 2α/π)."""
        return self.constant**2 + self.sign**2 * sign_kernel(g)

    def diagonal(self, q):
        """κ² + ν², and κ² for a zero vector."""
        return jnp.where(q == 0, self.constant**2, self.constant**2 + self.sign**2)

    def mean(self, q):
        """κ."""
        return jnp.full_like(q, self.constant)


class ErrorFunction(ClosedForm):
    """σ(z) = κ + ν·erf(az). E = κ² + ν²(2/π)·asin(2a²c/√((1 + 2a²q)(1 + 2a²p)))."""

    constant: float = eqx.field(static=True)
    amplitude: float = eqx.field(static=True)
    slope: float = eqx.field(static=True)

    def pairs(self, g):
        """The arcsine as an arctangent, whose argument keeps its digits for long parallel vectors."""
        scale = 2 * self.slope**2
        q, p, c = scale * g.q, scale * g.p, scale * g.c
        cosine = jnp.sqrt(jnp.maximum(1 + q + p + (q * p - c * c), 0.0))
        return self.constant**2 + self.amplitude**2 * (2 / jnp.pi) * jnp.arctan2(c, cosine)

    def mean(self, q):
        """κ."""
        return jnp.full_like(q, self.constant)


class Gelu(ClosedForm):
    """σ(z) = z·Φ(z) with the normal distribution function Φ, by four integrations by parts.

    E = c(¼ + asin(c/√((1+q)(1+p)))/2π) + (qp − c² + c²/(1+q) + c²/(1+p))/(2π√((1+q)(1+p) − c²)).
    """

    def pairs(self, g):
        """The closed form above."""
        q, p, c = g.q, g.p, g.c
        determinant = jnp.maximum(1 + q + p + (q * p - c * c), 0.0)
        cosine = jnp.sqrt(determinant)
        both_positive = 0.25 + jnp.arctan2(c, cosine) / (2 * jnp.pi)
        density = 1 / (2 * jnp.pi * cosine)
        return c * both_positive + density * (q * p - c**2 + c**2 / (1 + q) + c**2 / (1 + p))

    def mean(self, q):
        """q/√(2π(1 + q))."""
        return q / jnp.sqrt(2 * jnp.pi * (1 + q))


class Exponential(ClosedForm):
    """σ(z) = exp(z + b). E = exp(2b + (q + p)/2 + c)."""

    shift: float = eqx.field(static=True)

    def pairs(self, g):
        """exp(2b + (q + p)/2 + c)."""
        return jnp.exp(2 * self.shift + (g.q + g.p) / 2 + g.c)

    def mean(self, q):
        """exp(b + q/2)."""
        return jnp.exp(self.shift + q / 2)


class Sinusoid(ClosedForm):
    """σ(z) = sin(z + φ). E = ½(exp(c − (q+p)/2) − cos(2φ)·exp(−c − (q+p)/2))."""

    phase: float = eqx.field(static=True)

    def pairs(self, g):
        """Written with exponentials of non-positive numbers, so that it cannot overflow."""
        half = (g.q + g.p) / 2
        return (jnp.exp(g.c - half) - jnp.cos(2 * self.phase) * jnp.exp(-g.c - half)) / 2

    def mean(self, q):
        """sin(φ)·exp(−q/2)."""
        return jnp.sin(self.phase) * jnp.exp(-q / 2)


class Scaled(ClosedForm):
    """factor·σ, for a σ with a closed form."""

    form: ClosedForm = eqx.field(static=True)
    factor: float = eqx.field(static=True)

    def pairs(self, g):
        """factor²·E σ(u)σ(v)."""
        return self.factor**2 * self.form.pairs(g)

    def diagonal(self, q):
        """factor²·E σ(u)²."""
        return self.factor**2 * self.form.diagonal(q)

    def mean(self, q):
        """factor·E σ(u)."""
        return self.factor * self.form.mean(q)
