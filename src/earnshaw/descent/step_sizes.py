"""Step sizes: constant, decaying, or measured on the way."""

import math
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int32

from earnshaw.errors import EarnshawError

#: A step size as a function of the step's number, counted from 0.
Schedule = Callable[[Any], Any]


class Constant(eqx.Module):
    """The step size α_t = α.

    >>> Constant(0.1)(7).item()
    0.1
    """

    size: Float[Array, ""]

    def __init__(self, size: Any):
        self.size = step_size_value("the step size", size)

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
        initial: Any,
        rate: Any = 1.0,
        power: Any = 0.5,
    ):
        self.initial = step_size_value("the initial step size", initial)
        self.rate = step_size_value("the rate of decay", rate)
        self.power = step_size_value("the power of decay", power)

    def __call__(self, step: int | Int32[Array, ""]) -> Float[Array, ""]:
        """The size of step number `step`, counted from 0."""
        return self.initial * (1 + self.rate * step) ** -self.power


class Measured(eqx.Module):
    """Step sizes from bounds on derivatives that are measured where the step goes, in place of a theorem's constants.

    Along the step, x(t) = R(x, tu) for a unit vector u, φ(t) = L(x(t)) is differentiated once at a few points, and
    divided differences give B₂ ≈ max |φ''| and B₃ ≈ max |φ'''|. Nothing else of the Hessian enters the descent lemmas.
    Against the gradient α = 1/B₂ (prsz18 Lemma D.1 with η = ‖∇L‖), along a negative curvature −γ α = 1/B₃ (Lemma D.2),
    with the bounds of the last step as a first guess; α shrinks until the bounds of this very step allow it and the
    loss falls by what the lemma promises, α‖∇L‖²/2 or α²γ³/3. Close to a collision of charges B₂ and B₃ grow without
    bound, so no step leads across one.

    - `reach`: no step is longer than this.
    - `trials`: after so many the step is given up, and is not made.

    >>> Measured(reach=0.5).trials
    40
    """

    reach: Float[Array, ""]
    trials: int = eqx.field(static=True)

    def __init__(self, reach: Any = 1.0, trials: int = 40):
        self.reach = step_size_value("reach", reach)
        if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
            raise EarnshawError(f"trials must be a whole number of at least 1, not {trials!r}")
        self.trials = trials


def as_schedule(step_size: Any) -> Schedule:
    """A schedule from a number, or from a function of the step's number that JAX can trace.

    >>> as_schedule(0.5)(3).item()
    0.5
    """
    if isinstance(step_size, Measured):
        raise EarnshawError("this algorithm has no lemma to measure its step size by; give a number or a schedule")
    if not callable(step_size):
        return Constant(step_size)
    _check_schedule(step_size)
    return step_size


def as_step_size(step_size: Any) -> Schedule | Measured:
    """A schedule, or `Measured()` for the word "measured".

    >>> as_step_size("measured").reach.item()
    1.0
    """
    if isinstance(step_size, str):
        if step_size != "measured":
            raise EarnshawError(f'a step size is a number, a schedule or "measured", not {step_size!r}')
        return Measured()
    return step_size if isinstance(step_size, Measured) else as_schedule(step_size)


def described(step_size: Schedule | Measured) -> str:
    """Which step sizes were used, in the words of a verdict.

    >>> described(Constant(0.1)), described(Measured())
    ('constant 0.1', 'measured on the path')
    """
    if isinstance(step_size, Measured):
        return "measured on the path"
    return f"constant {step_size.size.item():g}" if isinstance(step_size, Constant) else "a schedule"


def step_size_value(what: str, value: Any) -> Float[Array, ""]:
    """`value` as a finite number that is not negative.

    >>> step_size_value("the step size", 1).item()
    1.0
    """
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
    step_size_value("the step size of step 0", step_size(jnp.zeros((), jnp.int32)))
