"""Gaussian inputs conditioned on a ball, drawn exactly and without rejection."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.scipy.special import gammainc, gammaln
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.geometry import uniform_sphere
from earnshaw.landscapes.checks import positive_integer, positive_number

#: Newton's method below needs about 40 steps in the worst case, deep in the upper tail.
MAX_STEPS = 200


def truncated_gaussian(key: PRNGKeyArray, n: int, d: int, radius: Any) -> Float[Array, "n d"]:
    """n draws of a standard Gaussian x of R^d conditioned on ‖x‖ ≤ radius (zps17, appendix B).

    The direction is uniform, and the length solves F(‖x‖²) = U·F(radius²) for a uniform U, where F is the
    distribution function of χ² with d degrees of freedom. The equation is solved between logarithms, so that a ball
    of tiny probability is as good as any other; radius = ∞ gives the Gaussian itself.

    >>> x = truncated_gaussian(jax.random.key(0), 1000, 3, 1e-8)
    >>> bool(jnp.all(jnp.linalg.norm(x, axis=1) <= 1e-8))
    True
    """
    n, d = positive_integer("the number of inputs", n), positive_integer("the dimension", d)
    unbounded = not isinstance(radius, Tracer) and np.array_equal(radius, np.inf)
    radius = jnp.asarray(np.inf, dtype=float) if unbounded else positive_number("the radius of the ball", radius)
    direction_key, length_key = jax.random.split(key)
    # 1 − U lies in (0, 1], which keeps the logarithm finite.
    uniform = 1 - jax.random.uniform(length_key, (n, 1))
    return _lengths(uniform, d, radius) * uniform_sphere(direction_key, (n, d))


@partial(jax.jit, static_argnums=1)
def _lengths(uniform: Float[Array, "n 1"], d: int, radius: Float[Array, ""]) -> Float[Array, "n 1"]:
    a = d / 2
    target = jnp.log(uniform) + _log_gamma_cdf(a, 2 * jnp.log(radius) - jnp.log(2.0))
    # In s = log(‖x‖²/2) the logarithm of the distribution function is increasing and concave, so Newton's method from
    # the left climbs to the root and cannot overshoot. F(x) ≤ xᵃ/Γ(a + 1) gives such a place to start.
    start = (target + gammaln(a + 1)) / a

    def unfinished(state: tuple[Array, Array, Array]) -> Array:
        _, step, count = state
        return (count < MAX_STEPS) & jnp.any(jnp.abs(step) > 1e-14)

    def climb(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        s, _, count = state
        value = _log_gamma_cdf(a, s)
        log_slope = a * s - jnp.exp(s) - gammaln(a) - value
        # Rounding can make the last steps negative; they would only walk back and forth.
        step = jnp.maximum((target - value) * jnp.exp(-log_slope), 0.0)
        return s + step, step, count + 1

    s, _, _ = jax.lax.while_loop(unfinished, climb, (start, jnp.full_like(start, jnp.inf), jnp.array(0)))
    return jnp.minimum(jnp.exp((s + jnp.log(2.0)) / 2), radius)


def _log_gamma_cdf(a: float, log_x: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """log P(a, x), the regularised lower incomplete gamma function, also where x or P itself underflows.

    Well below the mean it is a log x − x − log Γ(a + 1) + log Σ xⁿ/((a + 1)⋯(a + n)), whose terms fall by half or more.
    """
    x = jnp.exp(log_x)
    below = x < a / 2
    small = jnp.where(below, x, 0.0)

    def add(n: Any, state: tuple[Array, Array]) -> tuple[Array, Array]:
        term, total = state
        term = term * small / (a + n)
        return term, total + term

    _, total = jax.lax.fori_loop(1, 60, add, (jnp.ones_like(x), jnp.ones_like(x)))
    series = a * jnp.where(below, log_x, 0.0) - small - gammaln(a + 1) + jnp.log(total)
    return jnp.where(below, series, jnp.log(gammainc(a, jnp.where(below, a, x))))
