"""Gradient descent with any step sizes, on any manifold."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import as_schedule
from earnshaw.landscapes.landscape import Landscape


class GradientDescent(Algorithm):
    """x ← Π(x − α_t ∇L(x)), Π the projection on the manifold (zps17 Alg. 1, prsz18 Alg. 4).

    ∇ is the Riemannian gradient. On a sphere, that is the printed step with another size: x − αg with an ambient
    gradient g = g_T + (gᵀx) x points where x − α/(1 − α gᵀx) g_T points.

    `step_size` is a number, a `Constant` or `Decaying`, or any function of the step's number (from 0) that JAX can
    trace.

    >>> from earnshaw.landscapes import Quadratic
    >>> bowl, algorithm = Quadratic(jnp.eye(1)), GradientDescent(0.5)
    >>> state = algorithm.init(bowl, jnp.array([4.0]), jax.random.key(0))
    >>> algorithm.step(bowl, algorithm.step(bowl, state)).params.tolist()
    [1.0]
    """

    step_size: Callable[[Any], Any]

    def __init__(self, step_size: float | int | Float[Array, ""] | Callable[[Any], Any]):
        self.step_size = as_schedule(step_size)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> State:
        """The state before the first step."""
        return State.at(landscape, params, key)

    def step(self, landscape: Landscape, state: State) -> State:
        """One step against the gradient, and back to the manifold."""
        size = jnp.asarray(self.step_size(state.steps), jnp.result_type(float))
        # In the precision of the parameters, which some landscapes keep lower than that of the step size.
        ahead = jax.tree.map(lambda x, g: x - size.astype(x.dtype) * g, state.params, state.gradient)
        return state.moved(landscape, landscape.manifold.project(ahead), size)
