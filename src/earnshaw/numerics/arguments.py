"""Single numbers that a user passes: what they must be, or the sentence that says why they cannot be that."""

import math
import operator
from typing import Any

import jax.numpy as jnp
from jaxtyping import Array

from earnshaw.errors import EarnshawError


def whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    """`value` as an integer from `low` to `high`; integers of NumPy and JAX are integers too.

    >>> whole_number("the degree", 3, 0)
    3
    """
    try:
        integer = operator.index(value)
    except TypeError:
        integer = int(value) if isinstance(value, float) and value.is_integer() else None
    if integer is None or isinstance(value, bool) or integer < low or (high is not None and integer > high):
        wanted = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise EarnshawError(f"{name} must be a whole number {wanted}, got {shown(value)}")
    return integer


def dimension(value: Any, low: int = 1, high: int | None = None) -> int:
    """The dimension d of a space.

    >>> dimension(3)
    3
    """
    try:
        integer = operator.index(value)
    except TypeError:
        integer = 0
    if isinstance(value, bool) or integer < low or (high is not None and integer > high):
        wanted = f"d ≥ {low}" if high is None else f"{low} ≤ d ≤ {high}"
        raise EarnshawError(f"the dimension must be a whole number {wanted}, got {shown(value)}")
    return integer


def finite_number(name: str, value: Any) -> float:
    """`value` as a float that is neither NaN nor infinite.

    >>> finite_number("the slope", -0.1)
    -0.1
    """
    return _number(name, value, "a finite number", math.isfinite)


def positive_number(name: str, value: Any) -> float:
    """`value` as a finite float above zero.

    >>> positive_number("eps", 2)
    2.0
    """
    return _number(name, value, "a positive finite number", lambda number: math.isfinite(number) and number > 0)


def numbers(name: str, value: Any) -> Array:
    """`value` as a real JAX array of floating type; whole numbers are made floating.

    >>> numbers("the points", [1, 2]).dtype.name
    'float64'
    """
    try:
        array = jnp.asarray(value)
    except (TypeError, ValueError):
        raise EarnshawError(f"{name} must be an array of numbers, got {shown(value)}") from None
    if jnp.issubdtype(array.dtype, jnp.floating):
        return array
    if not jnp.issubdtype(array.dtype, jnp.integer):
        raise EarnshawError(f"{name} must be real numbers, got the type {array.dtype}")
    return array.astype(float)


def shown(value: Any) -> str:
    """A value as a message quotes it: on one line, and not longer than that.

    >>> shown([0] * 100)
    '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,…'
    """
    text = " ".join((str(value) if isinstance(value, int | float) else repr(value)).split())
    return text if len(text) <= 40 else text[:39] + "…"


def _number(name: str, value: Any, wanted: str, is_good: Any) -> float:
    number = math.nan
    # A string that spells a number is still a string.
    if not isinstance(value, bool | str | bytes | complex) and getattr(value, "ndim", 0) == 0:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
    if not is_good(number):
        raise EarnshawError(f"{name} must be {wanted}, got {shown(value)}")
    return number
