"""Stochastic gradient descent: every step sees fresh samples."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Schedule, as_schedule
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


class StochasticGradient(Algorithm):
    r"""x ← Π(x − α_t ∇L̂_t(x)), L̂_t the loss on `samples` samples that no other step sees.

    For a two-layer network the samples are inputs from N(0, I), fresh in every step; for `Empirical` they are
    examples, drawn with replacement. In both cases E ∇L̂_t = ∇L. `Landscape.sampled_loss` makes the estimates.

    - `step_size`: α, a number, or a function of the step's number.
    - `exact`: whether stop rules and probes see the exact loss and gradient, at the price of one exact gradient a step.
      Otherwise they see those of the sample with which the next step goes, and `gradient_norm` of a stop rule hardly
      ever means convergence.

    >>> from earnshaw.descent import Stop, descend
    >>> from earnshaw.landscapes import Particles
    >>> landscape = Particles.teacher_student("linear", jnp.eye(2))
    >>> stop = Stop(steps=300, gradient_norm=None, loss=1e-9)
    >>> descend(landscape, StochasticGradient(0.05, samples=20), 2, stop=stop).outcome.values.tolist()
    ['low loss', 'low loss']
    """

    step_size: Schedule
    samples: int = eqx.field(static=True)
    exact: bool = eqx.field(static=True)

    def __init__(self, step_size: Any, samples: int = 1, *, exact: bool = True):
        if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= 10**8:
            raise EarnshawError(f"samples must be a whole number from 1 to 10⁸, not {samples!r}")
        self.step_size = as_schedule(step_size)
        self.samples, self.exact = samples, bool(exact)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> State:
        """The state before the first step."""
        if self.exact:
            return State.at(landscape, params, key)
        return _SampledState.at(landscape, params, key, samples=self.samples).placed(landscape, params)

    def step(self, landscape: Landscape, state: State) -> State:
        """One step against a gradient that is right on average."""
        size = jnp.asarray(self.step_size(state.steps), jnp.result_type(float))
        kept, drawn = jax.random.split(state.key)
        gradient = state.gradient
        if self.exact:
            gradient = landscape.sampled_value_and_gradient(state.params, drawn, self.samples)[1]
        ahead = jax.tree.map(lambda x, g: x - size.astype(x.dtype) * g, state.params, gradient)
        state = eqx.tree_at(lambda s: s.key, state, kept)
        return state.moved(landscape, landscape.manifold.project(ahead), size)


class _SampledState(State):
    """A start that knows its loss and gradient from samples only: those that its key stands for."""

    samples: int = eqx.field(static=True)

    def placed(self, landscape: Landscape, params: PyTree) -> "_SampledState":
        """The same state at other parameters, seen through the samples of its key."""
        _, drawn = jax.random.split(self.key)
        loss, gradient = landscape.sampled_value_and_gradient(params, drawn, self.samples)
        return eqx.tree_at(lambda s: (s.params, s.gradient, s.loss), self, (params, gradient, loss))
