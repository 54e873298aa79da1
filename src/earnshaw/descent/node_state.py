"""What node-wise descent knows about one start."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int8, Int32

from earnshaw.descent.state import State
from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.node import Charge, Node
from earnshaw.landscapes.particles import Particles


class NodeState(State):
    """A start of which the first `found` nodes are done, and `node` moves; the others have no charge yet.

    `inner` is the state of the moving node on its own landscape, whose loss is what the node adds. `gradient` is that
    of the loss in the moving node alone, with 0 everywhere else. When nothing moves any more, `node` is the number of
    electrons, and `gradient` is the whole one.
    """

    node: Int32[Array, ""]
    found: Int32[Array, ""]
    #: The loss without the moving node.
    before: Float[Array, ""]
    #: The charges that nodes have once they count, where charges are fixed.
    assigned: Float[Array, " k"]
    #: How each node ended, as `Outcome`; 0 for those that have not.
    endings: Int8[Array, " k"]
    inner: State
    charge: Charge = eqx.field(static=True)

    @property
    def counting(self) -> Bool[Array, " k"]:
        """Which electrons have been kept or move."""
        index = jnp.arange(self.assigned.size)
        return (index < self.found) | (index == self.node)

    @property
    def charges(self) -> Float[Array, " k"]:
        """The charges of all electrons, 0 for those that do not count."""
        own = self.assigned if self.charge == "fixed" else self.params.charges
        return jnp.where(self.counting, own, 0.0)

    def view(self, particles: Particles) -> Node:
        """The landscape of the moving node."""
        return Node.of(particles, self.params.positions, self.charges, self.node, self.charge)

    def with_inner(self, particles: Particles, inner: State) -> "NodeState":
        """The same state with the moving node in another state: its position, charge, loss and gradient."""
        view, old = self.view(particles), self.params
        positions = old.positions.at[self.node].set(inner.params.positions[0])
        charges = old.charges
        if charges is not None:
            charges = charges.at[self.node].set(view.charge_at(inner.params))
        gradient: Any = jax.tree.map(jnp.zeros_like, old)
        gradient = gradient._replace(positions=gradient.positions.at[self.node].set(inner.gradient.positions[0]))
        if inner.gradient.charges is not None:
            gradient = gradient._replace(charges=gradient.charges.at[self.node].set(inner.gradient.charges[0]))
        return eqx.tree_at(
            lambda s: (s.params, s.gradient, s.loss, s.inner),
            self,
            (Electrons(positions, charges), gradient, self.before + inner.loss, inner),
        )

    def placed(self, landscape: Landscape, params: Electrons) -> "NodeState":
        """The same state on a landscape that knows its potential better."""
        assert isinstance(landscape, Particles)
        state = eqx.tree_at(lambda s: s.params, self, params)
        alone = jnp.where(jnp.arange(self.assigned.size) < self.found, state.charges, 0.0)
        before = landscape.energy(params.positions, alone)
        inner = self.inner.placed(state.view(landscape), self.inner.params)
        return eqx.tree_at(lambda s: s.before, state, before).with_inner(landscape, inner)
