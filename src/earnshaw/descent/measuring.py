"""How long a step may be, from derivatives of the loss along it."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PyTree

from earnshaw.descent.step_sizes import Measured
from earnshaw.landscapes.landscape import Landscape

#: Where a step is looked at, as shares of it. The second gives the second derivative where the step begins.
NODES = (0.0, 2.0**-10, 0.25, 0.5, 0.75, 1.0)
#: What the descent lemmas promise: this share of α‖∇L‖², and this share of α²γ³ (printed as one half).
GRADIENT_SHARE, CURVATURE_SHARE = 1 / 2, 1 / 3
#: A bound that is met up to rounding is met.
SLACK = 1e-6


class Line(NamedTuple):
    """A step that may be made: along the unit tangent vector `direction`, of length α·`speed`.

    `curving` says that it goes along a negative curvature −`speed`, and not against a gradient of norm `speed`.
    """

    direction: PyTree
    speed: Float[Array, ""]
    curving: Bool[Array, ""]


class Trial(NamedTuple):
    """A step size α, the bounds B₂ and B₃ along that step, and whether the lemma allows it and keeps its promise."""

    size: Float[Array, ""]
    bounds: Float[Array, "2"]
    accepted: Bool[Array, ""]


def promised_decrease(line: Line, size: Float[Array, ""]) -> Float[Array, ""]:
    """What prsz18 Lemma D.1 (α‖∇L‖²/2) or Lemma D.2 (corrected: α²γ³/3) promises of a step of size α."""
    return jnp.where(line.curving, CURVATURE_SHARE * size**2 * line.speed**3, GRADIENT_SHARE * size * line.speed**2)


def measured_size(
    rule: Measured, landscape: Landscape, params: PyTree, line: Line, guess: Float[Array, "2"], needed: Bool[Array, ""]
) -> Trial:
    """The size of the step along `line`; 0, not accepted, if no size was allowed or none is `needed`.

    `guess` are bounds B₂ and B₃ to start with, such as those of the step before; 0 stands for unknown.
    """

    def bound_of(bounds: Float[Array, "2"]) -> Float[Array, ""]:
        return jnp.where(line.curving, bounds[1], bounds[0])

    def attempt(carry: tuple[Trial, Array]) -> tuple[Trial, Array]:
        last, count = carry
        loss, bounds = _bounds(landscape, params, line.direction, last.size * line.speed)
        bound = bound_of(bounds)
        allowed = last.size * bound <= 1 + SLACK
        promise = promised_decrease(line, last.size) * (1 - SLACK)
        rounding = 8 * jnp.finfo(loss.dtype).eps * jnp.abs(loss[0])
        accepted = allowed & (loss[-1] <= loss[0] - promise + rounding)
        # The bound of a longer step nearly always holds for a shorter one, but next to a collision it says nothing.
        shorter = jnp.where(allowed, last.size / 2, jnp.maximum(last.size / 2, (1 - SLACK) / bound))
        return Trial(jnp.where(accepted, last.size, shorter), bounds, accepted), count + 1

    def unfinished(carry: tuple[Trial, Array]) -> Array:
        last, count = carry
        return needed & ~last.accepted & (count < rule.trials)

    longest = rule.reach / jnp.where(line.speed > 0, line.speed, 1.0)
    known = bound_of(guess)
    first = jnp.where(known > 0, jnp.minimum(longest, 1 / jnp.where(known > 0, known, 1.0)), longest)
    trial = jax.lax.while_loop(unfinished, attempt, (Trial(first, guess, jnp.array(False)), jnp.array(0)))[0]
    return trial._replace(
        size=jnp.where(trial.accepted, trial.size, 0.0), bounds=jnp.where(trial.accepted, trial.bounds, guess)
    )


def _bounds(
    landscape: Landscape, params: PyTree, direction: PyTree, length: Float[Array, ""]
) -> tuple[Float[Array, " nodes"], Float[Array, "2"]]:
    """The losses at the nodes of a step, and the largest divided differences of first and second order of φ'."""

    def loss(t: Float[Array, ""]) -> Float[Array, ""]:
        return landscape.loss(landscape.manifold.retract(params, jax.tree.map(lambda u: t * u, direction)))

    t = length * jnp.asarray(NODES)
    values, slopes = jax.vmap(lambda s: jax.jvp(loss, (s,), (jnp.ones_like(s),)))(t)
    second = jnp.diff(slopes) / jnp.diff(t)
    third = jnp.diff(second) / ((t[2:] - t[:-2]) / 2)
    return values, jnp.stack([jnp.max(jnp.abs(second)), jnp.max(jnp.abs(third))])
