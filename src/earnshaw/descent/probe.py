"""What is recorded while descending."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, PyTree

from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


class Probe(eqx.Module):
    """A named pure function of (landscape, state), recorded by `descend` on its schedule.

    `fn` returns an array, or a dictionary of arrays by variable name when one computation gives several. With
    `uses_start` it is called as fn(landscape, state, start), `start` being the parameters before the first step.
    `dims` names the axes of an array result; a dictionary's arrays name theirs after themselves.

    >>> largest = Probe("largest", lambda landscape, state: jnp.max(state.params), long_name="largest parameter")
    >>> largest.name
    'largest'
    """

    name: str = eqx.field(static=True)
    fn: Callable[..., Any]
    units: str = eqx.field(static=True, default="1")
    long_name: str = eqx.field(static=True, default="")
    dims: tuple[str, ...] | None = eqx.field(static=True, default=None)
    uses_start: bool = eqx.field(static=True, default=False)

    def __check_init__(self) -> None:
        if not self.name.isidentifier():
            raise EarnshawError(f"a probe's name must be usable as a variable name, unlike {self.name!r}")

    def __call__(self, landscape: Landscape, state: State, start: PyTree) -> dict[str, Array]:
        """The recorded variables of one start."""
        found = self.fn(landscape, state, start) if self.uses_start else self.fn(landscape, state)
        if not isinstance(found, dict):
            found = {self.name: found}
        return {name: jnp.asarray(value) for name, value in found.items()}


#: What every trajectory records, because the state already knows it.
ALWAYS = (
    Probe("loss", lambda landscape, state: state.loss, long_name="loss"),
    Probe("gradient_norm", lambda landscape, state: state.gradient_norm, long_name="norm of the Riemannian gradient"),
    Probe("time", lambda landscape, state: state.time, long_name="flow time, or sum of the step sizes"),
)
