"""Steps against the gradient, and steps along the most negative curvature."""

from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float

from earnshaw.descent.curvature import least_curvature, only_if
from earnshaw.descent.measuring import Line, measured_size
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Measured, Schedule
from earnshaw.landscapes.landscape import Landscape

S = TypeVar("S", bound="CurvedState")


class CurvedState(State):
    """A state that remembers the last step size, λ_min where it was last looked at, and measured bounds B₂ and B₃.

    `curvature` is infinite before the first look, and `bounds` are 0 while nothing was measured.
    """

    step_size: Float[Array, ""]
    curvature: Float[Array, ""]
    bounds: Float[Array, "2"]


def memory() -> dict[str, Array]:
    """What a `CurvedState` remembers before the first step."""
    return {"step_size": jnp.zeros(()), "curvature": jnp.array(jnp.inf), "bounds": jnp.zeros(2)}


def looked_around(landscape: Landscape, state: S, curving: Bool[Array, ""]) -> tuple[S, Line]:
    """Where the next step goes, and the state with λ_min if that was needed.

    Against the gradient, or if `curving` along −sign(∇Lᵀv)v, where v is the unit vector of λ_min and sign(0) = 1; the
    speed there is −λ_min, and 0 if that is negative.
    """
    flat, unravel = ravel_pytree(state.gradient)
    needed = curving & (state.outcome == Outcome.RUNNING)
    pair = only_if(needed, lambda: least_curvature(landscape, state.params))
    down = jnp.where(flat @ pair.vector >= 0, -pair.vector, pair.vector)
    norm = state.gradient_norm
    steepest = -flat / jnp.where(norm > 0, norm, 1.0)
    line = Line(
        unravel(jnp.where(curving, down, steepest)), jnp.where(curving, jnp.maximum(-pair.value, 0.0), norm), curving
    )
    curvature = jnp.where(needed, pair.value, state.curvature)
    return eqx.tree_at(lambda s: s.curvature, state, curvature), line


def move(landscape: Landscape, state: S, line: Line, step_size: Schedule | Measured) -> S:
    """The state one step along `line` later; a measured step size of 0 says that none was allowed."""
    if isinstance(step_size, Measured):
        needed = (line.speed > 0) & (state.outcome == Outcome.RUNNING)
        trial = measured_size(step_size, landscape, state.params, line, state.bounds, needed)
        size, bounds = trial.size, trial.bounds
    else:
        size, bounds = jnp.asarray(step_size(state.steps), jnp.result_type(float)), state.bounds
    length = size * line.speed
    ahead = landscape.manifold.retract(state.params, jax.tree.map(lambda u: length * u, line.direction))
    moved = state.moved(landscape, ahead, size)
    return eqx.tree_at(lambda s: (s.step_size, s.bounds), moved, (size, bounds))
