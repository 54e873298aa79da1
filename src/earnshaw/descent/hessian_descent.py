"""Descent along the direction of most negative curvature."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.moves import CurvedState, looked_around, memory, move
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Measured, Schedule, as_step_size
from earnshaw.descent.stop import Stop
from earnshaw.landscapes.landscape import Landscape


class HessianDescent(Algorithm):
    """x ← R(x, βv), β = αλ_min sign(∇Lᵀv), v a unit eigenvector of λ_min < 0 (prsz18 Alg. 1, with its sign corrected).

    The printed β = −αλ_min sign(∇Lᵀv) climbs, since −λ_min > 0; the proof of Lemma D.2 uses this one. sign(0) is 1, and
    R is the retraction of the manifold. Where λ_min ≥ 0 there is no such direction: no step is made, and the start ends
    as "stopped". A measured step that no size makes descend ends it as "stalled".

    `step_size` is α: a number, a function of the step's number, or "measured" (see `Measured`). The whole Hessian is
    decomposed for up to 64 parameters; beyond, λ_min is found by the Lanczos method.

    >>> from earnshaw.landscapes import DoubleWell
    >>> well, algorithm = DoubleWell(2), HessianDescent(0.25)
    >>> state = algorithm.init(well, jnp.zeros(2), jax.random.key(0))
    >>> algorithm.step(well, state).params.tolist()
    [-0.25, 0.0]
    """

    step_size: Schedule | Measured

    def __init__(self, step_size: Any):
        self.step_size = as_step_size(step_size)

    def default_stop(self) -> Stop:
        """Critical points are where this algorithm begins to work, so none of them ends it."""
        return Stop(gradient_norm=None)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> CurvedState:
        """The state before the first step."""
        return CurvedState.at(landscape, params, key, **memory())

    def step(self, landscape: Landscape, state: State) -> CurvedState:
        """One step along the most negative curvature, and none where there is no negative one."""
        assert isinstance(state, CurvedState)
        state, line = looked_around(landscape, state, jnp.array(True))
        moved = move(landscape, state, line, self.step_size)
        flat, stuck = state.curvature >= 0, isinstance(self.step_size, Measured) & (moved.step_size == 0)
        kept = jax.tree.map(lambda old, new: jnp.where(flat | stuck, old, new), state, moved)
        return kept.ended(Outcome.STOPPED, flat).ended(Outcome.STALLED, stuck)
