"""When a start has gone far enough."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PyTree

from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError


class Stop(eqx.Module):
    """The rules that end a start; `None` turns one off. The first that applies, in this order, gives the outcome.

    - always: something is infinite or not a number → "not finite"
    - `divergence`: |loss| > divergence · max(1, |loss at the start|) → "diverged"
    - `escape`: some point (a last axis of some leaf) is farther than this from the origin → "escaped"
    - `gradient_norm`: the norm of the Riemannian gradient is at most this → "converged"
    - `loss`: the loss is at most this → "low loss"
    - `time`: the flow time, or the sum of the step sizes, is at least this → "out of time"
    - `steps`: this many steps were made → "out of steps"

    A start that meets a rule before its first step makes none.

    >>> Stop(steps=100, gradient_norm=1e-6).steps
    100
    """

    steps: int = 10_000
    gradient_norm: float | int | None = 1e-8
    loss: float | int | None = None
    time: float | int | None = None
    escape: float | int | None = None
    divergence: float | int | None = 1e12

    def __check_init__(self) -> None:
        if isinstance(self.steps, bool) or not isinstance(self.steps, int) or not 0 <= self.steps < 2**31:
            raise EarnshawError(f"the number of steps must be a whole number from 0 to 2³¹ − 1, not {self.steps!r}")
        for name in ("gradient_norm", "loss", "time", "escape", "divergence"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise EarnshawError(f"the stop rule {name} must be a number or None, not {value!r}")
            if name != "loss" and value < 0:
                raise EarnshawError(f"the stop rule {name} must not be negative, but it is {value!r}")

    def judge(self, state: State, initial_loss: Float[Array, ""]) -> State:
        """The state, ended if a rule says so."""
        gradient_norm = state.gradient_norm
        finite = jnp.isfinite(state.loss) & jnp.isfinite(gradient_norm) & _all_finite(state.params)
        state = state.ended(Outcome.NOT_FINITE, ~finite)
        if self.divergence is not None:
            limit = self.divergence * jnp.maximum(1, jnp.abs(initial_loss))
            state = state.ended(Outcome.DIVERGED, jnp.abs(state.loss) > limit)
        if self.escape is not None:
            state = state.ended(Outcome.ESCAPED, _farthest_squared(state.params) > self.escape**2)
        if self.gradient_norm is not None:
            state = state.ended(Outcome.CONVERGED, gradient_norm <= self.gradient_norm)
        if self.loss is not None:
            state = state.ended(Outcome.LOW_LOSS, state.loss <= self.loss)
        if self.time is not None:
            state = state.ended(Outcome.OUT_OF_TIME, state.time >= self.time)
        return state.ended(Outcome.OUT_OF_STEPS, state.steps >= self.steps)


def _all_finite(params: PyTree) -> Bool[Array, ""]:
    # A sum is finite only if all its terms are, or if it overflows, which is the same ending.
    return jnp.isfinite(sum((jnp.sum(jnp.abs(leaf)) for leaf in jax.tree.leaves(params)), start=jnp.zeros(())))


def _farthest_squared(params: PyTree) -> Float[Array, ""]:
    squares = [jnp.max(jnp.sum(jnp.atleast_1d(leaf) ** 2, axis=-1)) for leaf in jax.tree.leaves(params)]
    return jnp.max(jnp.stack(squares))
