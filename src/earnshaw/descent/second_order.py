"""Gradient steps while the gradient is large, and curvature steps where it is small."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.moves import CurvedState, looked_around, memory, move
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Measured, Schedule, as_step_size, step_size_value
from earnshaw.descent.stop import Stop
from earnshaw.landscapes.landscape import Landscape


class SecondOrder(Algorithm):
    """A gradient step where ‖∇L‖ ≥ η, else one step of `HessianDescent`, until a step gains too little (prsz18 Alg. 2).

    It returns x_{i−1} when L(x_i) ≥ L(x_{i−1}) − min(αη²/2, c·α²γ³), α being the size of that step. The start ends as
    "converged" if x_{i−1} is in {‖∇L‖ < η, λ_min ≥ −γ}, and as "stalled" if not: then α was too large for the descent
    lemmas, or the loss is not smooth enough for them, or all that is left to gain is rounding.

    - `step_size`: α, a number, a function of the step's number, or "measured" (see `Measured`).
    - `eta`, `gamma`: η and γ.
    - `curvature_share`: c, ½ as printed. Lemma D.2 can only promise ⅓: with ½ a start may stall at −1.15γ < λ_min < −γ.

    λ_min is only computed where the gradient is small. The state has `step_size`, the last α, and `curvature`, the last
    λ_min.

    >>> from earnshaw.descent import descend
    >>> from earnshaw.landscapes import DoubleWell
    >>> trajectory = descend(DoubleWell(2), SecondOrder("measured", eta=1e-6, gamma=1e-3), jnp.zeros((1, 2)))
    >>> trajectory.outcome.item(), bool(trajectory.final_loss < 1e-12)
    ('converged', True)
    """

    step_size: Schedule | Measured
    eta: Float[Array, ""]
    gamma: Float[Array, ""]
    curvature_share: Float[Array, ""]

    def __init__(self, step_size: Any, eta: Any, gamma: Any, *, curvature_share: Any = 0.5):
        self.step_size = as_step_size(step_size)
        self.eta = step_size_value("eta", eta)
        self.gamma = step_size_value("gamma", gamma)
        self.curvature_share = step_size_value("curvature_share", curvature_share)

    def default_stop(self) -> Stop:
        """The algorithm has a stopping rule of its own; a small gradient is none."""
        return Stop(gradient_norm=None)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> CurvedState:
        """The state before the first step."""
        return CurvedState.at(landscape, params, key, **memory())

    def step(self, landscape: Landscape, state: State) -> CurvedState:
        """One step of either kind, or none and the end."""
        assert isinstance(state, CurvedState)
        small = state.gradient_norm < self.eta
        state, line = looked_around(landscape, state, small)
        moved = move(landscape, state, line, self.step_size)
        alpha = moved.step_size
        owed = jnp.minimum(alpha * self.eta**2 / 2, self.curvature_share * alpha**2 * self.gamma**3)
        stops = moved.loss >= state.loss - owed
        almost_critical = small & (state.curvature >= -self.gamma)
        kept = jax.tree.map(lambda old, new: jnp.where(stops, old, new), state, moved)
        return kept.ended(Outcome.CONVERGED, stops & almost_critical).ended(Outcome.STALLED, stops)
