"""Duals of ridge activations in closed form: E σ(u)σ(v) for jointly Gaussian u, v, from their Gram data.

With q = Var u, p = Var v, c = Cov(u, v) and means a, b. The smooth forms are differentiated by autodiff; the angular
ones and those over half-planes bring their own rules (see `angular` and `orthant`).
"""

import equinox as eqx
import jax.numpy as jnp

from earnshaw.duality.angular import absolute_kernel, sign_kernel
from earnshaw.duality.orthant import above, both_above, mean_absolute, rectified, rectified_linear, root
from earnshaw.duality.rule import Rule


class ClosedForm(Rule):
    """The dual of one activation."""

    def takes_means(self) -> bool:
        """Whether the form also holds for units with biases."""
        return True


class PiecewiseLinear(ClosedForm):
    """σ(z) = λz + μ|z|: linear, ReLU (½, ½), leaky ReLU, absolute value. Without means E = λ²c + μ²·E|u||v|."""

    linear: float = eqx.field(static=True)
    absolute: float = eqx.field(static=True)

    def pairs(self, g, a=None, b=None):
        """λ²c + μ²·(2/π)(st·sin α + c(π/2 − α)); with means, σ(z) = 2μ·max(z, 0) + (λ − μ)z is expanded."""
        if a is None or b is None:
            value = self.linear**2 * g.c
            return value + self.absolute**2 * absolute_kernel(g) if self.absolute else value
        bend, slope = 2 * self.absolute, self.linear - self.absolute
        value = slope**2 * (g.c + a * b) if slope else jnp.zeros_like(g.c)
        if bend:
            value = value + bend**2 * rectified(g, a, b)
        if bend and slope:
            value = value + bend * slope * (rectified_linear(g.q, a, g.c, b) + rectified_linear(g.p, b, g.c, a))
        return value

    def diagonal(self, q, a=None):
        """(λ² + μ²)q without means."""
        return (self.linear**2 + self.absolute**2) * q if a is None else ClosedForm.diagonal(self, q, a)

    def mean(self, q, a=None):
        """λa + μE|u|."""
        if a is None:
            return self.absolute * jnp.sqrt(2 / jnp.pi) * root(q)
        return self.linear * a + self.absolute * mean_absolute(q, a)


class Threshold(ClosedForm):
    """σ(z) = κ + ν·sgn(z): sign (0, 1), step (½, ½). Without means E = κ² + ν²(1 − 2α/π)."""

    constant: float = eqx.field(static=True)
    sign: float = eqx.field(static=True)

    def pairs(self, g, a=None, b=None):
        """κ² + ν²(1 − 2α/π); with means (κ−ν)² + 2ν(κ−ν)(P(u > 0) + P(v > 0)) + 4ν²P(u > 0, v > 0)."""
        if a is None or b is None:
            return self.constant**2 + self.sign**2 * sign_kernel(g)
        low = self.constant - self.sign
        value = low**2 + 4 * self.sign**2 * both_above(g, a, b)
        return value + 2 * self.sign * low * (above(g.q, a) + above(g.p, b)) if low else value

    def diagonal(self, q, a=None):
        """κ² + ν² without means, and κ² for a zero vector."""
        if a is not None:
            return ClosedForm.diagonal(self, q, a)
        return jnp.where(q == 0, self.constant**2, self.constant**2 + self.sign**2)

    def mean(self, q, a=None):
        """κ + ν(2P(u > 0) − 1)."""
        if a is None:
            return jnp.full_like(q, self.constant)
        return self.constant + self.sign * (2 * above(q, a) - 1)


class ErrorFunction(ClosedForm):
    """σ(z) = κ + ν·erf(λz). E = κ² + ν²(2/π)·asin(2λ²c/√((1 + 2λ²q)(1 + 2λ²p)))."""

    constant: float = eqx.field(static=True)
    amplitude: float = eqx.field(static=True)
    slope: float = eqx.field(static=True)

    def takes_means(self):
        """Not in closed form."""
        return False

    def pairs(self, g, a=None, b=None):
        """The arcsine as an arctangent, whose argument keeps its digits for long parallel vectors."""
        scale = 2 * self.slope**2
        q, p, c = scale * g.q, scale * g.p, scale * g.c
        cosine = jnp.sqrt(jnp.maximum(1 + q + p + (q * p - c * c), 0.0))
        return self.constant**2 + self.amplitude**2 * (2 / jnp.pi) * jnp.arctan2(c, cosine)

    def mean(self, q, a=None):
        """κ."""
        return jnp.full_like(q, self.constant)


class Gelu(ClosedForm):
    """σ(z) = z·Φ(z) with the normal distribution function Φ, by four integrations by parts.

    E = c(¼ + asin(c/√((1+q)(1+p)))/2π) + (qp − c² + c²/(1+q) + c²/(1+p))/(2π√((1+q)(1+p) − c²)).
    """

    def takes_means(self):
        """Not in closed form."""
        return False

    def pairs(self, g, a=None, b=None):
        """The closed form above."""
        q, p, c = g.q, g.p, g.c
        determinant = jnp.maximum(1 + q + p + (q * p - c * c), 0.0)
        cosine = jnp.sqrt(determinant)
        both_positive = 0.25 + jnp.arctan2(c, cosine) / (2 * jnp.pi)
        density = 1 / (2 * jnp.pi * cosine)
        return c * both_positive + density * (q * p - c**2 + c**2 / (1 + q) + c**2 / (1 + p))

    def mean(self, q, a=None):
        """q/√(2π(1 + q))."""
        return q / jnp.sqrt(2 * jnp.pi * (1 + q))


class Exponential(ClosedForm):
    """σ(z) = exp(z + shift)."""

    shift: float = eqx.field(static=True)

    def pairs(self, g, a=None, b=None):
        """exp(2·shift + a + b + (q + p)/2 + c)."""
        means = 0.0 if a is None or b is None else a + b
        return jnp.exp(2 * self.shift + means + (g.q + g.p) / 2 + g.c)

    def mean(self, q, a=None):
        """exp(shift + a + q/2)."""
        return jnp.exp(self.shift + (0.0 if a is None else a) + q / 2)


class Sinusoid(ClosedForm):
    """σ(z) = sin(z + φ)."""

    phase: float = eqx.field(static=True)

    def pairs(self, g, a=None, b=None):
        """½(cos(a − b)·exp(c − (q+p)/2) − cos(a + b + 2φ)·exp(−c − (q+p)/2)): no exponential can overflow."""
        a, b = (jnp.zeros_like(g.q), jnp.zeros_like(g.p)) if a is None or b is None else (a, b)
        half = (g.q + g.p) / 2
        return (jnp.cos(a - b) * jnp.exp(g.c - half) - jnp.cos(a + b + 2 * self.phase) * jnp.exp(-g.c - half)) / 2

    def mean(self, q, a=None):
        """sin(a + φ)·exp(−q/2)."""
        return jnp.sin(self.phase + (0.0 if a is None else a)) * jnp.exp(-q / 2)


class Scaled(ClosedForm):
    """factor·σ, for a σ with a closed form."""

    form: ClosedForm = eqx.field(static=True)
    factor: float = eqx.field(static=True)

    def takes_means(self):
        """As the form that is scaled."""
        return self.form.takes_means()

    def pairs(self, g, a=None, b=None):
        """factor²·E σ(u)σ(v)."""
        return self.factor**2 * self.form.pairs(g, a, b)

    def diagonal(self, q, a=None):
        """factor²·E σ(u)²."""
        return self.factor**2 * self.form.diagonal(q, a)

    def mean(self, q, a=None):
        """factor·E σ(u)."""
        return self.factor * self.form.mean(q, a)
