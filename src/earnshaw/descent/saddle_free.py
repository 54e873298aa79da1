"""A descent for searches: Newton's steps with the curvatures made positive, which passes no particle unseen."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State, tree_norm
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.encounters import encounters
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.particles import Particles

#: A step is kept if the loss falls by this share of what its slope promises; a kept step that brings more than the
#: second share of it may be followed by a longer one.
ENOUGH, GENEROUS = 1e-4, 0.25
#: Curvatures are taken to be at least this share of the largest one. A plateau ends a step by its radius, not here.
FLATTEST = 1e-12
#: Changes of the loss below this share of it are rounding.
ROUNDING = 4e-16
SHORTEST = 1e-15


class _Memory(State):
    """The longest step that the last ones allow."""

    radius: Float[Array, ""]


class SaddleFreeDescent(Algorithm):
    r"""x ← x − |H|⁻¹∇L(x), no longer than a radius that adapts, taken only where the loss falls.

    |H| is the Hessian with its eigenvalues replaced by their absolute values, so that saddles push away and minima
    attract quadratically. The loss never rises. For a few dozen parameters, since every step diagonalises a Hessian.

    With `collision` above 0 no electron covers more than the share `fraction` of its distance to the nearest particle
    in one step, and a start in which an electron comes within `collision` of another particle ends as "collapsed":
    neither a pole nor a kink of the potential is ever stepped over.

    >>> from earnshaw.landscapes import Quadratic
    >>> bowl, algorithm = Quadratic(jnp.diag(jnp.array([1.0, 100.0]))), SaddleFreeDescent(radius=10.0)
    >>> state = algorithm.init(bowl, jnp.array([4.0, 4.0]), jax.random.key(0))
    >>> algorithm.step(bowl, state).params.round(9).tolist()
    [0.0, 0.0]
    """

    radius: Float[Array, ""]
    collision: Float[Array, ""]
    fraction: Float[Array, ""]

    def __init__(self, radius: Any = 1.0, collision: Any = 0.0, fraction: Any = 0.5):
        for what, value, least in (("radius", radius, True), ("collision", collision, False)):
            if not (float(value) > 0 if least else float(value) >= 0):
                raise EarnshawError(f"the {what} must {'be positive' if least else 'not be negative'}, got {value!r}")
        if not 0 < float(fraction) < 1:
            raise EarnshawError(
                f"the fraction of a distance that a step may cover lies between 0 and 1, not {fraction}"
            )
        self.radius, self.collision, self.fraction = (jnp.asarray(v, float) for v in (radius, collision, fraction))

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> State:
        """The state before the first step; it may have collapsed already."""
        state = _Memory.at(landscape, params, key, radius=self.radius)
        return self._judged(landscape, state)

    def step(self, landscape: Landscape, state: State) -> State:
        """One step, or a shorter radius and no step."""
        assert isinstance(state, _Memory)
        direction, slope = _direction(landscape, state)
        length = tree_norm(direction)
        share = jnp.minimum(1.0, state.radius / jnp.where(length > 0, length, 1.0))
        share = jnp.minimum(share, self._room(landscape, state.params, direction))
        ahead = landscape.manifold.retract(state.params, jax.tree.map(lambda v: share * v, direction))
        trial = state.moved(landscape, ahead, share)
        fall, promised = state.loss - trial.loss, share * slope
        # Where the loss no longer resolves a step, the gradient does.
        resolved = jnp.abs(fall) > ROUNDING * jnp.abs(state.loss)
        better = jnp.where(resolved, fall >= ENOUGH * promised, trial.gradient_norm < state.gradient_norm)
        better &= jnp.isfinite(trial.loss) & jnp.isfinite(trial.gradient_norm)
        stay = eqx.tree_at(lambda s: s.steps, state, trial.steps)
        chosen = jax.tree.map(lambda new, old: jnp.where(better, new, old), trial, stay)
        longer = jnp.where(fall > GENEROUS * promised, 2.0, 1.0) * state.radius
        chosen = eqx.tree_at(lambda s: s.radius, chosen, jnp.where(better, longer, 0.25 * share * length))
        # A step this short moves nothing, so the start is as near to its critical point as rounding lets it come.
        stuck = ~better & (share * length <= SHORTEST * (1 + tree_norm(state.params)))
        return self._judged(landscape, chosen).ended(Outcome.STOPPED, stuck)

    def _room(self, landscape: Landscape, params: PyTree, direction: PyTree) -> Float[Array, ""]:
        if not isinstance(landscape, Particles):
            return jnp.ones(())
        speed = jnp.linalg.norm(direction.positions, axis=-1)
        ratios = encounters(landscape, params).nearest / jnp.where(speed > 0, speed, 1.0)
        share = self.fraction * jnp.min(jnp.where(speed > 0, ratios, jnp.inf))
        return jnp.where(self.collision > 0, share, 1.0)

    def _judged(self, landscape: Landscape, state: State) -> State:
        if not isinstance(landscape, Particles):
            return state
        near = jnp.min(encounters(landscape, state.params).nearest)
        return state.ended(Outcome.COLLAPSED, (self.collision > 0) & (near <= self.collision))


def _direction(landscape: Landscape, state: State) -> tuple[PyTree, Float[Array, ""]]:
    """The step −|H|⁻¹g as a tangent vector, and −gᵀ(step), what it promises to first order."""
    basis = landscape.manifold.tangent_basis(state.params)
    gradient, unravel = ravel_pytree(state.gradient)
    hessian = landscape.hessian(state.params)
    values, vectors = jnp.linalg.eigh((hessian + hessian.T) / 2)
    along = vectors.T @ (basis.T @ gradient)
    curvature = jnp.abs(values)
    largest = jnp.max(curvature)
    floor = jnp.where(largest > 0, FLATTEST * largest, 1.0)
    step = -along / jnp.maximum(curvature, floor)
    return unravel(basis @ (vectors @ step)), -jnp.dot(along, step)
