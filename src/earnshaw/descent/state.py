"""What an algorithm knows about one start."""

from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int8, Int32, PRNGKeyArray, PyTree

from earnshaw.descent.outcomes import Outcome
from earnshaw.landscapes.landscape import Landscape

S = TypeVar("S", bound="State")


class State(eqx.Module):
    """One start on its way down. Algorithms that need to remember more subclass it.

    `gradient` and `loss` are those at `params`, so an algorithm pays for one gradient a step and the stop rules and
    probes read it for nothing. `time` is the flow time, or the sum of the step sizes so far.
    """

    params: PyTree
    gradient: PyTree
    loss: Float[Array, ""]
    time: Float[Array, ""]
    steps: Int32[Array, ""]
    key: PRNGKeyArray
    outcome: Int8[Array, ""]

    @classmethod
    def at(cls: type[S], landscape: Landscape, params: PyTree, key: PRNGKeyArray, **memory: object) -> S:
        """The state of a start that has not moved; `memory` are the fields that a subclass adds.

        >>> from earnshaw.landscapes import Quadratic
        >>> state = State.at(Quadratic(jnp.eye(2)), jnp.array([3.0, 4.0]), jax.random.key(0))
        >>> state.gradient_norm.item()
        5.0
        """
        loss, gradient = landscape.value_and_gradient(params)
        return cls(
            params=params,
            gradient=gradient,
            loss=loss,
            time=jnp.zeros(()),
            steps=jnp.zeros((), jnp.int32),
            key=key,
            outcome=jnp.array(Outcome.RUNNING, jnp.int8),
            **memory,
        )

    def moved(self: S, landscape: Landscape, params: PyTree, elapsed: float | Float[Array, ""]) -> S:
        """The state one step later, at `params`, after `elapsed` units of time."""
        return eqx.tree_at(
            lambda s: (s.time, s.steps),
            self.placed(landscape, params),
            (self.time + elapsed, self.steps + 1),
        )

    def placed(self: S, landscape: Landscape, params: PyTree) -> S:
        """The same state at other parameters, or on another landscape."""
        loss, gradient = landscape.value_and_gradient(params)
        return eqx.tree_at(
            lambda s: (s.params, s.gradient, s.loss), self, (params, gradient, loss), is_leaf=lambda x: x is None
        )

    def ended(self: S, outcome: Outcome, when: bool | Bool[Array, ""] = True) -> S:
        """The same state, ended for that reason if `when`, unless it had already ended."""
        ends = jnp.logical_and(self.outcome == Outcome.RUNNING, when)
        return eqx.tree_at(lambda s: s.outcome, self, jnp.where(ends, jnp.int8(outcome), self.outcome))

    @property
    def gradient_norm(self) -> Float[Array, ""]:
        """The norm of the Riemannian gradient, over all parameters together."""
        return tree_norm(self.gradient)


def tree_norm(tree: PyTree) -> Float[Array, ""]:
    """The Euclidean norm of all entries of a pytree together.

    >>> tree_norm((jnp.array([3.0]), jnp.array([[4.0]]))).item()
    5.0
    """
    return jnp.sqrt(sum((jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)), start=jnp.zeros(())))
