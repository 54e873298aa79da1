"""Gradient descent with any step sizes, on any manifold."""

import math
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int32, PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


class Constant(eqx.Module):
    """The step size α_t = α.

    >>> Constant(0.1)(7).item()
    0.1
    """

    size: Float[Array, ""]

    def __init__(self, size: float | int | Float[Array, ""]):
        self.size = _step_size("the step size", size)

    def __call__(self, step: int | Int32[Array, ""]) -> Float[Array, ""]:
        """The size of step number `step`, counted from 0."""
        return self.size


class Decaying(eqx.Module):
    """The step sizes α_t = α₀ (1 + rate · t)^{−power}. They sum to infinity for power ≤ 1.

    >>> Decaying(0.5, rate=1.0, power=1.0)(3).item()
    0.125
    """

    initial: Float[Array, ""]
    rate: Float[Array, ""]
    power: Float[Array, ""]

    def __init__(
        self,
        initial: float | int | Float[Array, ""],
        rate: float | int | Float[Array, ""] = 1.0,
        power: float | int | Float[Array, ""] = 0.5,
    ):
        self.initial = _step_size("the initial step size", initial)
        self.rate = _step_size("the rate of decay", rate)
        self.power = _step_size("the power of decay", power)

    def __call__(self, step: int | Int32[Array, ""]) -> Float[Array, ""]:
        """The size of step number `step`, counted from 0."""
        return self.initial * (1 + self.rate * step) ** -self.power


class GradientDescent(Algorithm):
    """x ← Π(x − α_t ∇L(x)), Π the projection on the manifold (zps17 Alg. 1, prsz18 Alg. 4).

    ∇ is the Riemannian gradient. On a sphere, that is the printed step with another size: x − αg with an ambient
    gradient g = g_T + (gᵀx) x points where x − α/(1 − α gᵀx) g_T points.

    `step_size` is a number, a `Constant` or `Decaying`, or any function of the step's number (from 0) that JAX can
    trace.

    >>> from earnshaw.landscapes import Quadratic
    >>> bowl, algorithm = Quadratic(jnp.eye(1)), GradientDescent(0.5)
    >>> state = algorithm.init(bowl, jnp.array([4.0]), jax.random.key(0))
    >>> algorithm.step(bowl, algorithm.step(bowl, state)).params.tolist()
    [1.0]
    """

    step_size: Callable[[Any], Any]

    def __init__(self, step_size: float | int | Float[Array, ""] | Callable[[Any], Any]):
        if callable(step_size):
            _check_schedule(step_size)
            self.step_size = step_size
        else:
            self.step_size = Constant(step_size)

    def init(self, landscape: Landscape, params: PyTree, key: PRNGKeyArray) -> State:
        """The state before the first step."""
        return State.at(landscape, params, key)

    def step(self, landscape: Landscape, state: State) -> State:
        """One step against the gradient, and back to the manifold."""
        size = jnp.asarray(self.step_size(state.steps), jnp.result_type(float))
        ahead = jax.tree.map(lambda x, g: x - size * g, state.params, state.gradient)
        return state.moved(landscape, landscape.manifold.project(ahead), size)


def _step_size(what: str, value: Any) -> Float[Array, ""]:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise EarnshawError(f"{what} must be a number, not {value!r}") from None
    if not (math.isfinite(number) and number >= 0):
        raise EarnshawError(f"{what} must be a finite number that is not negative, not {number!r}")
    return jnp.asarray(number, jnp.result_type(float))


def _check_schedule(step_size: Callable[[Any], Any]) -> None:
    try:
        shape = jax.eval_shape(step_size, jax.ShapeDtypeStruct((), jnp.int32)).shape
    except Exception as error:
        raise EarnshawError(
            f"step_size must map the number of a step to a step size, but it failed: {error}"
        ) from error
    if shape != ():
        raise EarnshawError(f"step_size must give one number for each step, not an array of shape {shape}")
    _step_size("the step size of step 0", step_size(jnp.zeros((), jnp.int32)))
