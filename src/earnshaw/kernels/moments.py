"""What one layer does to two jointly Gaussian pre-activations: E σ(u)σ(v) and its slope E σ′(u)σ′(v) in Cov(u, v).

The rules are those of `Dual`. What they need of each input by itself (for a series its Hermite coefficients, which are
integrals) is computed once, and not again for every tile of a kernel.
"""

import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.activation import Activation
from earnshaw.duality.angular import angle
from earnshaw.duality.closed_forms import PiecewiseLinear, Scaled, Threshold
from earnshaw.duality.dual import Dual
from earnshaw.duality.rule import Rule
from earnshaw.duality.series import HermiteSeries, Series, nth_derivative
from earnshaw.errors import EarnshawError
from earnshaw.numerics.chords import Gram
from earnshaw.numerics.hermite import gaussian_rule

UNROLLED = 16
"""Terms of a series that are summed without a loop between them."""


Numbers = Array | np.ndarray


class Single(NamedTuple):
    """What a layer does to each input by itself, and the coefficients of its series (none for a closed form)."""

    value: Numbers
    """E σ(u)², like the next two for every pixel and input (p n)."""
    slope: Numbers
    """E σ′(u)²."""
    mean: Numbers
    """E σ(u)."""
    coefficients: Numbers
    """One row for every term (terms p n)."""
    slope_coefficients: Numbers


def rule_for(activation: Activation, largest: float, tolerance: float) -> Rule:
    """The closed form or the series for pre-activations of standard deviation up to `largest`."""
    if not math.isfinite(largest):
        raise EarnshawError(
            f"the features of {activation.name} grow beyond all numbers; choose fewer layers or smaller weights"
        )
    # One series for all norms between two powers of √2: selecting it costs more than a term too many.
    rounded = 2.0 ** (math.ceil(2 * math.log2(max(largest, 0.5)) - 1e-9) / 2)
    return Dual(activation, tolerance=tolerance, max_norm=rounded).rule


def truncation(rule: Rule) -> float:
    """The relative error of a rule, |Φ − series| ≤ truncation·√(Φ(u, u)Φ(v, v)): 0 where there is no series to cut."""
    return rule.tolerance if isinstance(rule, HermiteSeries) else 0.0


def needs_chords(rule: Rule) -> bool:
    """Whether the rule has a kink at parallel inputs, so that it has to know more digits of small angles."""
    return isinstance(_form(rule)[0], PiecewiseLinear | Threshold)


def second_moment(rule: Rule, order: int, s: Float[Array, " n"]) -> Float[Array, " n"]:
    """E σ⁽ʲ⁾(sz)² for j = 0 or 1: by quadrature where the rule is a series, so that nothing is cut off."""
    if isinstance(rule, HermiteSeries) and order <= rule.smooth_order:
        nodes, weights = gaussian_rule(rule.half_width, rule.panels)
        weights = weights * np.exp(-(nodes**2) / 4)
        derivative = nth_derivative(rule.function, order)
        return _by_rows(lambda part: derivative(part[:, None] * nodes) ** 2 @ weights, s)
    if isinstance(rule, Series):
        return _by_rows(lambda part: jnp.sum(rule.coefficients(order, part, None) ** 2, axis=1), s)
    if order == 0:
        return rule.diagonal(s**2)
    # parallel vectors
    c = (s**2)[:, None, None]
    g = Gram(c, c, c, jnp.zeros_like(c), jnp.full_like(c, 2.0))
    return jax.jvp(lambda c: jax.vmap(rule.pairs)(g._replace(c=c)), (c,), (jnp.ones_like(c),))[1][:, 0, 0]


def single(rule: Rule, s: Float[np.ndarray, "p n"], *, slopes: bool) -> Single:
    """The moments of each input for pre-activations of standard deviations s; the slopes only on demand."""
    found = [np.asarray(part).reshape(s.shape) for part in _single(rule, slopes, s.ravel())]
    none = np.zeros((0, *s.shape))
    return Single(found[0], found[1], found[2], none, none)


@partial(jax.jit, static_argnums=(0, 1))
def _single(rule, slopes, s):
    value = second_moment(rule, 0, s)
    slope = second_moment(rule, 1, s) if slopes else jnp.zeros_like(s)
    return value, slope, _by_rows(lambda part: rule.mean(part**2), s)


def with_coefficients(rule: Rule, one: Single, s: Float[np.ndarray, "p n"], *, slopes: bool) -> Single:
    """The same with what a series needs for pairs of these inputs."""
    if not isinstance(rule, Series):
        return one
    values, slope_values = _coefficients(rule, slopes, s)
    return one._replace(coefficients=values, slope_coefficients=slope_values)


def slope_growth(rule: Rule, s: Float[np.ndarray, "p n"]) -> float:
    """A bound on the derivative of E σ′(u)σ′(v) in Cov(u, v) for a series: Σ n·dₙ²/s² with the coefficients of σ′."""
    if not isinstance(rule, Series) or s.min() == 0:
        return 0.0
    ends = np.array([[s.min(), s.max()]])
    squares = np.asarray(_coefficients(rule, True, ends)[1])[:, 0] ** 2
    return float(np.max(np.arange(len(squares)) @ squares / ends[0] ** 2))


@partial(jax.jit, static_argnums=(0, 1))
def _coefficients(rule, slopes, s):
    def of(order):
        flat = _by_rows(lambda part: rule.coefficients(order, part, None), s.ravel())
        return flat.T.reshape(-1, *s.shape)

    return of(0), of(1) if slopes else jnp.zeros((0, *s.shape))


def _by_rows(function, s):
    """Apply to a few inputs at a time: the quadrature has hundreds of nodes for each."""
    room = 512
    if len(s) <= room:
        return function(s)
    padded = jnp.concatenate([s, jnp.broadcast_to(s[:1], (-len(s) % room,))])
    out = jax.lax.map(function, padded.reshape(-1, room))
    return out.reshape(-1, *out.shape[2:])[: len(s)]


def moments(
    rule: Rule, g: Gram, left: Single, right: Single, *, slopes: bool
) -> tuple[Float[Array, "p n m"], Float[Array, "p n m"]]:
    """E σ(u)σ(v) and E σ′(u)σ′(v) of all pairs of two sets, for every pixel (the first axis); slopes on demand."""
    if isinstance(rule, Series):
        rho = _cosine(g)
        value = power_sum(left.coefficients, right.coefficients, rho)
        return value, power_sum(left.slope_coefficients, right.slope_coefficients, rho) if slopes else value
    pairs = jax.vmap(rule.pairs)
    if not slopes:
        value = pairs(g)
        return value, value
    return jax.jvp(lambda c: pairs(g._replace(c=c)), (g.c,), (jnp.ones_like(g.c),))


def spread(
    rule: Rule, g: Gram, e: Float[Array, "p n m"], value: Float[Array, "p n m"], left: Single, right: Single
) -> Float[Array, "p n m"]:
    """½E(σ(u) − σ(v))² from e = ½E(u − v)²; without cancellation for the rules that have kinks."""
    form, factor = _form(rule)
    if isinstance(form, PiecewiseLinear):
        scale = jnp.sqrt(g.q * g.p)
        alpha = jax.vmap(angle)(g)
        bent = (2 / jnp.pi) * scale * (jnp.sqrt(g.apart * g.facing) - alpha * (g.facing - g.apart) / 2)
        return factor**2 * ((form.linear**2 + form.absolute**2) * e - form.absolute**2 * bent)
    if isinstance(form, Threshold):
        alive = jnp.where(g.q == 0, 0.0, 0.5) + jnp.where(g.p == 0, 0.0, 0.5)  # σ jumps by half as much to σ(0)
        return factor**2 * form.sign**2 * ((2 / jnp.pi) * jax.vmap(angle)(g) * alive)
    return jnp.asarray(left.value[:, :, None] + right.value[:, None, :]) / 2 - value


def power_sum(left: Numbers, right: Numbers, rho: Float[Array, "p n m"]) -> Float[Array, "p n m"]:
    """Σₖ leftₖᵢ·rightₖⱼ·ρᵢⱼᵏ by Horner's rule, with one row of coefficients for each k (terms p n)."""
    left, right = jnp.asarray(left), jnp.asarray(right)
    terms = left.shape[0]
    value = jnp.zeros_like(rho)
    rest = terms % UNROLLED
    for k in range(terms - 1, terms - 1 - rest, -1):
        value = value * rho + left[k][:, :, None] * right[k][:, None, :]
    if terms == rest:
        return value

    def several(i, value):
        first = terms - rest - UNROLLED * (i + 1)
        a = jax.lax.dynamic_slice_in_dim(left, first, UNROLLED)
        b = jax.lax.dynamic_slice_in_dim(right, first, UNROLLED)
        for k in range(UNROLLED - 1, -1, -1):
            value = value * rho + a[k][:, :, None] * b[k][:, None, :]
        return value

    return jax.lax.fori_loop(0, terms // UNROLLED, several, value)


def _cosine(g: Gram) -> Float[Array, "p n m"]:
    scale = jnp.sqrt(g.q * g.p)
    return jnp.clip(jnp.where(scale == 0, 0.0, g.c / jnp.where(scale == 0, 1.0, scale)), -1.0, 1.0)


def _form(rule: Rule) -> tuple[Rule, float]:
    """A closed form without the factors that scale it, and their product."""
    factor = 1.0
    while isinstance(rule, Scaled):
        rule, factor = rule.form, factor * rule.factor
    return rule, factor
