"""Gradient flow, integrated with adaptive steps."""

import math
from collections.abc import Callable
from typing import Any

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import optimistix
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


class FlowState(State):
    """A state that remembers with which inner step the last interval went well."""

    inner_step: Float[Array, ""]


class GradientFlow(Algorithm):
    """dx/dt = −∇L(x), ∇ the Riemannian gradient; one step of the descent is `interval` units of time.

    Inside an interval the solver takes steps of its own choice, with error at most `rtol`·|x| + `atol` each. On a
    manifold the field is continued off it as x ↦ −∇L(Πx), which is tangent there too, and the end of each interval is
    projected, so that nothing drifts away. Every interval takes at least one inner step: let it be no shorter than is
    needed to see what happens.

    `event` maps parameters to a real number; where that crosses zero, the start ends ("event"), at the crossing to the
    given tolerances. A start that needs more than `max_inner_steps` in one interval ends before that interval
    ("stiff"): opposite point charges that fall into each other do that, and ReLU units that shrink to zero, where their
    loss has a kink. Every other start of its block waits for it, so the limit should not be generous.

    >>> from earnshaw.descent import Stop, descend
    >>> from earnshaw.landscapes import Quadratic
    >>> trajectory = descend(Quadratic(jnp.eye(1)), GradientFlow(0.5), jnp.ones((1, 1)), stop=Stop(steps=2))
    >>> bool(abs(trajectory.parameters.item() - math.exp(-1)) < 1e-9)
    True
    """

    interval: Float[Array, ""]
    rtol: Float[Array, ""]
    atol: Float[Array, ""]
    solver: diffrax.AbstractAdaptiveSolver
    event: Callable[[PyTree], Any] | None
    max_inner_steps: int = eqx.field(static=True)

    def __init__(
        self,
        interval: float | int,
        *,
        rtol: float | int = 1e-10,
        atol: float | int = 1e-12,
        solver: diffrax.AbstractAdaptiveSolver | None = None,
        event: Callable[[PyTree], Any] | None = None,
        max_inner_steps: int = 1000,
    ):
        self.interval = _positive("interval", interval)
        self.rtol = _positive("rtol", rtol)
        self.atol = _positive("atol", atol)
        self.solver = diffrax.Dopri8() if solver is None else solver
        if not isinstance(self.solver, diffrax.AbstractAdaptiveSolver):
            raise EarnshawError(f"solver must be an adaptive solver of Diffrax, such as Tsit5(), not {solver!r}")
        if event is not None and not callable(event):
            raise EarnshawError(f"event must be a function of the parameters, not {event!r}")
        self.event = event
        if isinstance(max_inner_steps, bool) or not isinstance(max_inner_steps, int) or max_inner_steps < 1:
            raise EarnshawError(f"max_inner_steps must be a whole number of at least 1, not {max_inner_steps!r}")
        self.max_inner_steps = max_inner_steps

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> FlowState:
        """The state at time 0."""
        # The first guess may be far too long: a rejected step costs little and the next one is a fifth of it.
        return FlowState.at(landscape, params, key, inner_step=self.interval / 4)

    def step(self, landscape: Landscape, state: State) -> FlowState:
        """The state one interval later, or at the event if that is earlier."""
        assert isinstance(state, FlowState)
        manifold = landscape.manifold

        def field(t: Any, x: PyTree, args: Any) -> PyTree:
            return jax.tree.map(jnp.negative, landscape.gradient(manifold.project(x)))

        # A start that has ended rides along with those that have not. It must not keep the solver busy.
        interval = jnp.where(state.outcome == Outcome.RUNNING, self.interval, 0.0)
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            self.solver,
            t0=0.0,
            t1=interval,
            dt0=jnp.minimum(state.inner_step, interval),
            y0=state.params,
            stepsize_controller=diffrax.PIDController(rtol=self.rtol, atol=self.atol),
            event=self._event(manifold.project),
            max_steps=self.max_inner_steps,
            throw=False,
        )
        assert solution.ts is not None
        arrived = manifold.project(jax.tree.map(lambda leaf: leaf[-1], solution.ys))
        moved = state.moved(landscape, arrived, solution.ts[-1])
        accepted = jnp.maximum(solution.stats["num_accepted_steps"], 1)
        moved = eqx.tree_at(lambda s: s.inner_step, moved, interval / accepted)
        happened = diffrax.is_event(solution.result)
        failed = ~(diffrax.is_successful(solution.result) | happened)
        kept = jax.tree.map(lambda old, new: jnp.where(failed, old, new), state, moved)
        return kept.ended(Outcome.STIFF, failed).ended(Outcome.EVENT, happened)

    def _event(self, project: Callable[[PyTree], PyTree]) -> diffrax.Event | None:
        if self.event is None:
            return None
        crossing = self.event

        def condition(t: Any, y: PyTree, args: Any, **kwargs: Any) -> Any:
            return jnp.asarray(crossing(project(y)), jnp.result_type(float))

        # The tolerances are arrays, so that other ones do not mean another compilation; Optimistix only says float.
        tolerances: dict[str, Any] = {"rtol": self.rtol, "atol": self.atol}
        return diffrax.Event(condition, optimistix.Newton(**tolerances))


def _positive(name: str, value: Any) -> Float[Array, ""]:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise EarnshawError(f"{name} must be a number, not {value!r}") from None
    if not (math.isfinite(number) and number > 0):
        raise EarnshawError(f"{name} must be a finite number above 0, not {number!r}")
    return jnp.asarray(number, jnp.result_type(float))
