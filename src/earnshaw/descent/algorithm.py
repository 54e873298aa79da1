"""What the loop expects of an algorithm."""

from abc import abstractmethod

import equinox as eqx
from jaxtyping import PRNGKeyArray, PyTree

from earnshaw.descent.state import State
from earnshaw.descent.stop import Stop
from earnshaw.landscapes.landscape import Landscape


class Algorithm(eqx.Module):
    """An immutable recipe for one step. Both methods see one start; the loop maps them over all of them.

    `step` must leave `state.steps` one larger (`State.moved` does) and may end the start (`State.ended`).
    """

    @abstractmethod
    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> State:
        """The state before the first step."""

    @abstractmethod
    def step(self, landscape: Landscape, state: State) -> State:
        """The state after one more step."""

    def default_stop(self) -> Stop:
        """The stop rules of a descent that is given none."""
        return Stop()
