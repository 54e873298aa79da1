"""Where the electrons are at every record, which is what pictures of a descent are drawn from."""

from jaxtyping import Array

from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


def _positions(landscape: Landscape, state: State) -> Array:
    positions = getattr(state.params, "positions", None)
    if positions is None:
        raise EarnshawError(
            f"the probe 'path' needs a landscape whose parameters have positions, such as Particles, "
            f"not {type(landscape).__name__}"
        )
    return positions


#: θᵢ, shape (particle, coordinate).
path = Probe("path", _positions, long_name="positions", dims=("particle", "coordinate"))
