"""Gradient descent with noise on the unit sphere, which ends where the loss is almost critical and almost convex."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, Int32, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.curvature import least_curvature, only_if
from earnshaw.descent.outcomes import Outcome
from earnshaw.descent.state import State
from earnshaw.descent.step_sizes import Measured, Schedule, as_step_size, step_size_value
from earnshaw.descent.stop import Stop
from earnshaw.errors import EarnshawError
from earnshaw.geometry import uniform_sphere
from earnshaw.landscapes.landscape import Landscape

#: The share of ε that the algorithm itself asks for; the rest is for the error of a loss that is only estimated.
SHARE = 2 / 3
#: Products with the Hessian before the first step, after which a random vector knows the largest curvature well enough.
FIRST_LOOKS = 8


class NoisyState(State):
    """A start that remembers its last step size, the last λ_min and the largest curvature that it has met.

    `curvature` is infinite while λ_min was not looked at. `direction` is a flat vector that follows the eigenvector of
    the largest curvature, one product with the Hessian a step; without measured step sizes it is empty.
    """

    step_size: Float[Array, ""]
    curvature: Float[Array, ""]
    bound: Float[Array, ""]
    direction: Float[Array, " n"]


class NoisyGradient(Algorithm):
    r"""x ← Π(x − α(∇L(x) + n)), n uniform on the unit sphere, until x ∈ M_{2ε/3} (zps17 Alg. 4, called SGD there).

    M_ε = {‖∇L‖ ≤ ε, λ_min(∇²L) ≥ −ε}. A start that gets there ends as "converged"; one that does not in `steps` steps
    ends as "failed". The noise has as many coordinates as the ambient space of the parameters, as printed; λ_min is
    only computed where the gradient is small.

    - `step_size`: α, a number, a function of the step's number, or "measured": α = g²/(B₂(g² + noise²)), where g is the
      larger of ‖∇L‖ and 2ε/3 and B₂ the largest curvature met so far. By E L(x₊) ≤ L − αg² + α²B₂(g² + noise²)/2 no
      step lowers the expected loss more, and at rest the gradient is smaller than 2ε/3 on average. B₂ is known before
      the noise is drawn, so the noise has mean 0. No step is longer than `Measured.reach`.
    - `epsilon`: ε. `steps`: T, at least 1.
    - `noise`: the length of n, 1 as printed.

    The state has `step_size`, `curvature` (the last λ_min) and `bound` (B₂).

    >>> from earnshaw.descent import descend
    >>> from earnshaw.landscapes import DoubleWell
    >>> noisy = NoisyGradient("measured", epsilon=0.2)
    >>> descend(DoubleWell(2), noisy, jnp.zeros((2, 2))).outcome.values.tolist()
    ['converged', 'converged']
    >>> descend(DoubleWell(2), NoisyGradient(1e-3, epsilon=0.2, steps=9), jnp.zeros((1, 2))).outcome.item()
    'failed'
    """

    step_size: Schedule | Measured
    epsilon: Float[Array, ""]
    noise: Float[Array, ""]
    steps: Int32[Array, ""]

    def __init__(self, step_size: Any, epsilon: Any, *, steps: int = 10_000, noise: Any = 1.0):
        if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps < 2**31:
            raise EarnshawError(f"steps must be a whole number from 1 to 2³¹ − 1, not {steps!r}")
        self.step_size = as_step_size(step_size)
        self.epsilon = step_size_value("epsilon", epsilon)
        self.noise = step_size_value("the noise", noise)
        self.steps = jnp.asarray(steps, jnp.int32)

    def default_stop(self) -> Stop:
        """The algorithm has a stopping rule of its own, and its last step is the last one of all."""
        return Stop(steps=int(self.steps), gradient_norm=None)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> NoisyState:
        """The state before the first step, which is made from wherever the start is."""
        zero = jnp.zeros(())
        size = ravel_pytree(params)[0].size if isinstance(self.step_size, Measured) else 0
        state = NoisyState.at(
            landscape, params, key, step_size=zero, curvature=jnp.array(jnp.inf), bound=zero, direction=jnp.zeros(size)
        )
        if size:
            # Any generic direction will do; the noise is what has to be random.
            state = eqx.tree_at(lambda s: s.direction, state, jax.random.normal(jax.random.key(0), (size,)))
            state = jax.lax.fori_loop(0, FIRST_LOOKS, lambda _, s: _looked(landscape, s), state)
        return state

    def step(self, landscape: Landscape, state: State) -> NoisyState:
        """One noisy step, and the end if it led into M_{2ε/3} or was the last one."""
        assert isinstance(state, NoisyState)
        kept, drawn = jax.random.split(state.key)
        flat, unravel = ravel_pytree(state.params)
        noise = unravel((self.noise * uniform_sphere(drawn, flat.shape)).astype(flat.dtype))
        if isinstance(self.step_size, Measured):
            state = _looked(landscape, state)
            size = self._measured(state, self.step_size)
        else:
            size = jnp.asarray(self.step_size(state.steps), jnp.result_type(float))
        ahead = jax.tree.map(lambda x, g, n: x - size.astype(x.dtype) * (g + n), state.params, state.gradient, noise)
        moved = state.moved(landscape, landscape.manifold.project(ahead), size)
        needed = (moved.gradient_norm <= SHARE * self.epsilon) & (moved.outcome == Outcome.RUNNING)
        curvature = only_if(needed, lambda: least_curvature(landscape, moved.params).value)
        arrived = needed & (curvature >= -SHARE * self.epsilon)
        moved = eqx.tree_at(
            lambda s: (s.key, s.step_size, s.curvature),
            moved,
            (kept, size, jnp.where(needed, curvature, moved.curvature)),
        )
        return moved.ended(Outcome.CONVERGED, arrived).ended(Outcome.FAILED, moved.steps >= self.steps)

    def _measured(self, state: NoisyState, rule: Measured) -> Float[Array, ""]:
        longest = rule.reach / (state.gradient_norm + self.noise + jnp.finfo(float).tiny)
        squares = jnp.maximum(state.gradient_norm, SHARE * self.epsilon) ** 2
        curved = state.bound * (squares + self.noise**2)
        return jnp.where(curved > 0, jnp.minimum(longest, squares / jnp.where(curved > 0, curved, 1.0)), longest)


def _looked(landscape: Landscape, state: NoisyState) -> NoisyState:
    """One step of the power method at the state's parameters, and the largest curvature so far."""
    _, unravel = ravel_pytree(state.params)
    image = ravel_pytree(landscape.hvp(state.params, unravel(state.direction)))[0]
    length, before = jnp.linalg.norm(image), jnp.linalg.norm(state.direction)
    ratio = length / jnp.where(before > 0, before, 1.0)
    fine: Bool[Array, ""] = jnp.isfinite(ratio) & (length > 0)
    direction = jnp.where(fine, image / jnp.where(fine, length, 1.0), state.direction)
    bound = jnp.where(fine, jnp.maximum(state.bound, ratio), state.bound)
    return eqx.tree_at(lambda s: (s.direction, s.bound), state, (direction, bound))
