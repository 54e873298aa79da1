"""How far a start has come."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State, tree_norm
from earnshaw.landscapes.landscape import Landscape


def _distance(landscape: Landscape, state: State, start: PyTree) -> Float[Array, ""]:
    return tree_norm(jax.tree.map(jnp.subtract, state.params, start))


#: ‖x_t − x_0‖ over all parameters, in the ambient space: the length of the chord and not of the path.
distance_from_start = Probe("distance_from_start", _distance, long_name="distance from the start", uses_start=True)
