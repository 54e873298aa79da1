"""Node-wise descent: the electrons move one after the other."""

import math
from typing import Any, Literal, get_args

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int32, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.node_state import NodeState
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.descent.stop import Stop
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.node import Charge, Node
from earnshaw.landscapes.particles import Particles

#: Where a node begins: where the start has it, or at a point drawn until something is felt there.
Placing = Literal["given", "sampled"]

#: Draws that are looked at together.
DRAWS_AT_ONCE = 64


class NodeWise(Algorithm):
    """Descend in one node at a time, with any algorithm; a node that is done stays, as one more fixed charge.

    One step is a step of `inner` on the landscape of the moving node, `Node`: it costs one electron against all other
    particles. `each` ends a node; `inner` may end it too. When the last node is done the start ends ("stopped").

    | source             | arguments                                                                     |
    |--------------------|-------------------------------------------------------------------------------|
    | prsz18 Algorithm 3 | SecondOrder(...), charge="learned"                                            |
    | zps17 Algorithm 2  | NoisyGradient(...), charge="fixed", placing="given"                           |
    | zps17 Algorithm 3  | NoisyGradient(...), charge="optimal", joint=True, error=ε, tries=poly(d, 1/ε) |

    Arguments:

    - `inner`: what moves a node.
    - `each`: the rules that end a node; the steps, gradient and loss that they see are the node's own.
    - `charge`: "learned" together with the position, from its best value at the start; "fixed" to the charge that the
      start (or the landscape, if it fixes charges) gives to that electron, and 0 before it counts; or "optimal", set to
      its best value before every step. `Node` has the formulas.
    - `placing`: "given" begins a node where the start has it. "sampled" draws points from the start law of the
      landscape until (∂L/∂a)² ≥ error/2 there, at most `tries` times; if none is that good, the best is taken. With
      error = inf it is always the best of `tries`, which finds strong protons first.
    - `joint`: set the charges of all nodes so far to their best values, together, after each node (the limit of the
      gradient descent on a in zps17 Algorithm 3, which is a linear system).
    - `worth`: a new node that does not lower the loss by more than this is taken back, its charge is 0, and the start
      ends. The landscape then needs as many electrons as there might be units in the teacher, and the number of
      those found is recorded by the probe `nodes`. `None` keeps all nodes.

    The rules of `descend` see the loss of all nodes, but the gradient of the moving one alone: leave their
    `gradient_norm` None.

    >>> from earnshaw.descent import GradientDescent, descend
    >>> from earnshaw.duality import potentials
    >>> particles = Particles(potentials.gaussian(), [[0.0], [9.0]], learn_charges=True, electrons=3, scale=9.0)
    >>> one_by_one = NodeWise(GradientDescent(0.2), each=Stop(steps=200), joint=True, worth=1e-6)
    >>> found = descend(particles, one_by_one, 2, stop=Stop(gradient_norm=None))
    >>> found.charges.round(6).values.tolist()
    [[-1.0, -1.0, 0.0], [-1.0, -1.0, 0.0]]
    """

    inner: Algorithm
    each: Stop
    error: Float[Array, ""]
    worth: Float[Array, ""] | None
    charge: Charge = eqx.field(static=True)
    placing: Placing = eqx.field(static=True)
    tries: int = eqx.field(static=True)
    joint: bool = eqx.field(static=True)

    def __init__(
        self,
        inner: Any,
        *,
        each: Any = None,
        charge: Any = "optimal",
        placing: Any = "sampled",
        error: Any = math.inf,
        tries: Any = 256,
        joint: bool = False,
        worth: Any = None,
    ):
        if not isinstance(inner, Algorithm) or isinstance(inner, NodeWise):
            raise EarnshawError(f"a node is moved by an Algorithm, such as GradientDescent(0.1), not by {inner!r}")
        if each is not None and not isinstance(each, Stop):
            raise EarnshawError(f"each must be a Stop, not {each!r}")
        for name, value, known in (("charge", charge, get_args(Charge)), ("placing", placing, get_args(Placing))):
            if value not in known:
                raise unknown_name(f"{name} of a node", value, known)
        if isinstance(tries, bool) or not isinstance(tries, int) or tries < 1:
            raise EarnshawError(f"tries must be a whole number of at least 1, not {tries!r}")
        if joint and charge == "fixed":
            raise EarnshawError("charges that are fixed have no joint optimum; leave joint=False")
        self.inner = inner
        # Numbers become arrays, so that another threshold does not mean another compilation.
        self.each = jax.tree.map(jnp.asarray, Stop() if each is None else each)
        self.error = _threshold("error", error)
        self.worth = None if worth is None else _threshold("worth", worth)
        self.charge, self.placing, self.tries, self.joint = charge, placing, tries, bool(joint)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> NodeState:
        """The state with the first node in its place, and all others without charge."""
        particles = self._suitable(landscape)
        assigned = particles.charges_of(params)
        if params.charges is not None:
            params = Electrons(params.positions, jnp.zeros_like(assigned))
        first = jnp.zeros((), jnp.int32)
        own = assigned if self.charge == "fixed" else jnp.zeros_like(assigned)
        alone = jnp.where(jnp.arange(assigned.size) == first, own, 0.0)
        view = Node.of(particles, params.positions, alone, first, self.charge)
        inner = self._at_its_start(view, params.positions[first], key, first)
        state = NodeState(
            params=params,
            gradient=jax.tree.map(jnp.zeros_like, params),
            loss=particles.constant,
            time=jnp.zeros(()),
            steps=jnp.zeros((), jnp.int32),
            key=key,
            outcome=jnp.array(Outcome.RUNNING, jnp.int8),
            node=first,
            found=first,
            before=particles.constant,
            assigned=assigned,
            endings=jnp.zeros(assigned.shape, jnp.int8),
            inner=inner,
            charge=self.charge,
        )
        return state.with_inner(particles, inner)

    def step(self, landscape: Landscape, state: State) -> NodeState:
        """One step of the moving node, and the next node in its place if this one is done."""
        assert isinstance(state, NodeState)
        particles = self._suitable(landscape)
        inner = self.each.judge(self.inner.step(state.view(particles), state.inner), jnp.zeros(()))
        moved = eqx.tree_at(
            lambda s: (s.time, s.steps),
            state.with_inner(particles, inner),
            (state.time + inner.time - state.inner.time, state.steps + 1),
        )
        # Mapped over starts, a loop that mostly makes no turn costs nothing unless some start has a turn to make,
        # whereas both branches of a condition are computed for all.
        return jax.lax.while_loop(
            lambda s: (s.outcome == Outcome.RUNNING) & (s.inner.outcome != Outcome.RUNNING),
            lambda s: self._hand_over(particles, s),
            moved,
        )

    def _hand_over(self, particles: Particles, state: NodeState) -> NodeState:
        """The node that moved is kept or taken back; then the next one begins, or the start ends."""
        electrons = state.assigned.size
        kept = jnp.array(True) if self.worth is None else ~(state.inner.loss >= -self.worth)
        found = state.found + kept.astype(jnp.int32)
        goes_on = kept & (found < electrons)
        endings = state.endings.at[state.node].set(state.inner.outcome)
        rested = eqx.tree_at(
            lambda s: (s.found, s.node, s.endings), state, (found, jnp.full_like(found, electrons), endings)
        )
        params, before = rested.params, jnp.where(kept, state.loss, state.before)
        if params.charges is not None:
            params = Electrons(params.positions, rested.charges)
        if self.joint:
            charges = particles.optimal_charges(params.positions, among=jnp.arange(electrons) < found)
            params = Electrons(params.positions, charges)
            before = particles.energy(params.positions, charges)
        rested = eqx.tree_at(lambda s: (s.params, s.before, s.loss), rested, (params, before, before))
        following = self._begin(particles, eqx.tree_at(lambda s: s.node, rested, found))
        _, gradient = jax.value_and_grad(particles.energy, argnums=(0, 1))(params.positions, rested.charges)
        gradient = Electrons(gradient[0], None if params.charges is None else gradient[1])
        ended = eqx.tree_at(lambda s: s.gradient, rested, particles.manifold.gradient(params, gradient))
        ended = ended.ended(Outcome.STOPPED)
        return jax.tree.map(lambda a, b: jnp.where(goes_on, a, b), following, ended)

    def _begin(self, particles: Particles, state: NodeState) -> NodeState:
        """The state with node `state.node` in its place, about to move."""
        view, given = state.view(particles), state.params.positions[state.node]
        inner = self._at_its_start(view, given, state.key, state.node)
        return eqx.tree_at(lambda s: s.inner, state, inner).with_inner(particles, inner)

    def _at_its_start(self, view: Node, given: Float[Array, " d"], key: PRNGKeyArray, node: Int32[Array, ""]) -> State:
        """The state of a node that is about to move."""
        draws, own = jax.random.split(jax.random.fold_in(key, node))
        position = given if self.placing == "given" else self._sampled(view, draws)
        return self.inner.init(view, view.at(position), own)

    def _sampled(self, view: Node, key: PRNGKeyArray) -> Float[Array, " d"]:
        """The first of the draws at which (∂L/∂a)² is large enough, or the one at which it is largest."""
        at_once = min(self.tries, DRAWS_AT_ONCE)

        def look(carry: tuple[Array, ...]) -> tuple[Array, ...]:
            count, best, position = carry
            points = view.draw(jax.random.fold_in(key, count), at_once)
            allowed = count + jnp.arange(at_once) < self.tries
            squares = jnp.where(allowed, 4 * jax.vmap(view.field)(points) ** 2, -1.0)
            enough = squares >= self.error / 2
            chosen = jnp.where(jnp.any(enough), jnp.argmax(enough), jnp.argmax(squares))
            better = squares[chosen] > best
            return (
                count + at_once,
                jnp.where(better, squares[chosen], best),
                jnp.where(better, points[chosen], position),
            )

        nothing = (jnp.zeros((), jnp.int64), jnp.asarray(-jnp.inf), jnp.zeros(view.sites.shape[1]))
        return jax.lax.while_loop(lambda c: (c[0] < self.tries) & (c[1] < self.error / 2), look, nothing)[2]

    def _suitable(self, landscape: Landscape) -> Particles:
        if not isinstance(landscape, Particles):
            raise EarnshawError(f"node-wise descent moves the electrons of Particles, not {type(landscape).__name__}")
        if self.charge != "fixed" and not landscape.learn_charges:
            raise EarnshawError(
                f"a node whose charge is {self.charge} needs a landscape with learn_charges=True; "
                "otherwise use charge='fixed'"
            )
        return landscape


def _threshold(name: str, value: Any) -> Float[Array, ""]:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or value < 0:
        raise EarnshawError(f"{name} must be a number that is not negative, not {value!r}")
    return jnp.asarray(float(value))
