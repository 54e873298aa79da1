"""How many nodes node-wise descent has found."""

from jaxtyping import Array

from earnshaw.descent.node_state import NodeState
from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


def _nodes(landscape: Landscape, state: State) -> dict[str, Array]:
    if not isinstance(state, NodeState):
        raise EarnshawError("the probe 'nodes' counts the nodes of a NodeWise descent, and this is another algorithm")
    return {"nodes": state.found, "node_endings": state.endings}


#: The number of nodes that are done and kept: in the end, of units that were found. `node_endings` says how each node
#: ended, as `Outcome`; 0 for those that have not.
nodes = Probe("nodes", _nodes, long_name="nodes that are done and kept")
