"""The dual of any activation as a Hermite series: E σ(u)σ(v) = Σₙ cₙ(s)cₙ(t)ρⁿ.

Here u = s·z + a with z standard Gaussian, and cₙ(s, a) = E σ(s·z + a)hₙ(z) by quadrature. Derivatives are not taken
through the series. By Price's theorem the derivative of E σ⁽ʲ⁾(u)σ⁽ᵏ⁾(v) in Cov(u, v) is E σ⁽ʲ⁺¹⁾(u)σ⁽ᵏ⁺¹⁾(v), and
in Var(u) it is ½E σ⁽ʲ⁺²⁾(u)σ⁽ᵏ⁾(v): each is another moment with a series of its own, finite and right for parallel,
opposite and zero vectors.
"""

import abc
import math
from collections.abc import Callable
from functools import lru_cache, partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.polynomial import polynomial

from earnshaw.duality.rule import Rule
from earnshaw.numerics.hermite import gaussian_rule, weighted_hermite

UNROLLED_TERMS = 48


class Series(Rule):
    """The moments E σ⁽ʲ⁾(u)σ⁽ᵏ⁾(v), given the Hermite coefficients of every derivative of σ."""

    @abc.abstractmethod
    def coefficients(self, order: int, s: Float[Array, " n"], a: Float[Array, " n"] | None) -> Float[Array, "n terms"]:
        """E σ⁽ʲ⁾(s·z + a)hₙ(z) for every point."""

    def pairs(self, g, a=None, b=None):
        """E σ(u)σ(v) by the series."""
        if a is None or b is None:
            return _centred_moment(self, 0, 0, g.q, g.p, g.c)
        return _moment(self, 0, 0, g.q, g.p, g.c, a, b)

    def mean(self, q, a=None):
        """The coefficient of h₀."""
        return _mean(self, 0, q, jnp.zeros_like(q) if a is None else a)

    def evaluate(self, j: int, k: int, q, p, c, a, b) -> Float[Array, "n m"]:
        """The series of one moment."""
        s, t = jnp.sqrt(q[:, 0]), jnp.sqrt(p[0])
        scale = s[:, None] * t[None, :]
        rho = jnp.clip(jnp.where(scale == 0, 0.0, c / jnp.where(scale == 0, 1.0, scale)), -1.0, 1.0)
        left = self.coefficients(j, s, None if a is None else a[:, 0])
        right = self.coefficients(k, t, None if b is None else b[0])
        terms = min(left.shape[1], right.shape[1])  # the derivatives of a polynomial have fewer
        return power_sum(left[:, :terms], right[:, :terms], rho)


class HermiteSeries(Series):
    """The series of a scalar function, with coefficients by quadrature.

    Good for standard deviations and means up to `largest_norm`; beyond it the moments are NaN, because the series has
    not been checked there. Made by `series_selection.select_series`.
    """

    function: Callable = eqx.field(static=True)
    terms: int = eqx.field(static=True)
    half_width: float = eqx.field(static=True)
    panels: int = eqx.field(static=True)
    smooth_order: int = eqx.field(static=True)
    largest_norm: float = eqx.field(static=True)
    tolerance: float = eqx.field(static=True)
    """The relative truncation error that was reached: |Φ − series| ≤ tolerance·√(Φ(θ, θ)Φ(w, w))."""

    def coefficients(self, order, s, a):
        """By quadrature where σ⁽ʲ⁾ is a function."""
        return self._coefficients(order, s, a, self.terms)

    def _coefficients(self, order, s, a, count):
        if order > self.smooth_order:
            # a kink has a δ in σ″ that no quadrature sees; Stein's identity s·E f′hₙ = √(n+1)·E f hₙ₊₁ does
            lower = self._coefficients(order - 1, s, a, count + 1)[:, 1:]
            inverse = jnp.where(s == 0, 0.0, 1 / jnp.where(s == 0, 1.0, s))
            return lower * jnp.sqrt(jnp.arange(1, count + 1)) * inverse[:, None]
        nodes, matrix = _projection(self.half_width, self.panels, count)
        arguments = s[:, None] * nodes + (0.0 if a is None else a[:, None])
        coefficients = nth_derivative(self.function, order)(arguments) @ matrix
        largest = s if a is None else jnp.maximum(s, jnp.abs(a))
        return jnp.where(largest[:, None] <= self.largest_norm * (1 + 1e-9), coefficients, jnp.nan)


class PolynomialSeries(Series):
    """The series of σ(z) = Σ pᵢzⁱ, which ends after degree + 1 terms and is exact at any norm."""

    powers: tuple[float, ...] = eqx.field(static=True)

    def coefficients(self, order, s, a):
        """From the powers of sz + a and E zᵐhₙ(z)."""
        derivative = polynomial.polyder(np.array(self.powers), order) if order else np.array(self.powers)
        degree = len(derivative) - 1
        means = jnp.zeros_like(s) if a is None else a
        columns = []
        for m in range(degree + 1):
            tail = sum(derivative[i] * math.comb(i, m) * means ** (i - m) for i in range(m, degree + 1))
            columns.append(s**m * tail)
        return jnp.stack(columns, axis=1) @ _power_moments(degree)


@lru_cache(maxsize=64)
def _power_moments(degree: int) -> np.ndarray:
    """E zᵐhₙ(z) = m!/(2ᵏk!√n!) with k = (m − n)/2, and 0 unless k is a natural number."""
    moments = np.zeros((degree + 1, degree + 1))
    for m in range(degree + 1):
        for k in range(m // 2 + 1):
            n = m - 2 * k
            moments[m, n] = math.factorial(m) / (2**k * math.factorial(k) * math.sqrt(math.factorial(n)))
    return moments


def nth_derivative(function: Callable, order: int) -> Callable:
    """The order-th derivative of a scalar function, for arrays of any shape."""
    for _ in range(order):
        function = jax.grad(function)
    return lambda values: jax.vmap(function)(values.ravel()).reshape(values.shape)


@lru_cache(maxsize=64)
def _projection(half_width: float, panels: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = gaussian_rule(half_width, panels)
    return nodes, weights[:, None] * weighted_hermite(nodes, count)


def power_sum(
    left: Float[Array, "n terms"], right: Float[Array, "m terms"], rho: Float[Array, "n m"]
) -> Float[Array, "n m"]:
    """Σₙ leftᵢₙ·rightⱼₙ·ρᵢⱼⁿ by Horner's rule."""
    terms = left.shape[1]
    if terms <= UNROLLED_TERMS:
        value = jnp.zeros_like(rho)
        for n in range(terms - 1, -1, -1):
            value = value * rho + left[:, n, None] * right[None, :, n]
        return value

    def step(i, value):
        n = terms - 1 - i
        return value * rho + left[:, n, None] * right[None, :, n]

    return jax.lax.fori_loop(0, terms, step, jnp.zeros_like(rho))


@partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _centred_moment(series: Series, j: int, k: int, q, p, c):
    return series.evaluate(j, k, q, p, c, None, None)


@_centred_moment.defjvp
def _centred_moment_jvp(series, j, k, primals, tangents):
    dq, dp, dc = tangents

    def at(jj, kk):
        return _centred_moment(series, jj, kk, *primals)

    tangent = at(j + 1, k + 1) * dc + at(j + 2, k) * dq / 2 + at(j, k + 2) * dp / 2
    return at(j, k), tangent


@partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _moment(series: Series, j: int, k: int, q, p, c, a, b):
    return series.evaluate(j, k, q, p, c, a, b)


@_moment.defjvp
def _moment_jvp(series, j, k, primals, tangents):
    dq, dp, dc, da, db = tangents

    def at(jj, kk):
        return _moment(series, jj, kk, *primals)

    gaussian = at(j + 1, k + 1) * dc + at(j + 2, k) * dq / 2 + at(j, k + 2) * dp / 2
    return at(j, k), gaussian + at(j + 1, k) * da + at(j, k + 1) * db


@partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _mean(series: Series, j: int, q, a):
    return series.coefficients(j, jnp.sqrt(q), a)[:, 0]


@_mean.defjvp
def _mean_jvp(series, j, primals, tangents):
    dq, da = tangents
    curvature, slope = _mean(series, j + 2, *primals), _mean(series, j + 1, *primals)
    return _mean(series, j, *primals), curvature * dq / 2 + slope * da
