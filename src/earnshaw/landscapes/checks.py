"""Turning what a user passes into arrays, or into one sentence that says what was wrong with it."""

import operator
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Float

from earnshaw.errors import EarnshawError


def finite_array(name: str, values: Any, *, ndim: int | None = None) -> Float[Array, "..."]:
    """`values` as a non-empty float array with `ndim` axes (by default one or more), all of it finite.

    Values that are being traced by JAX are taken on trust: their shape can be checked, their numbers cannot.

    >>> finite_array("protons", [[1, 2]], ndim=2).shape
    (1, 2)
    """
    if isinstance(values, Tracer):
        array = values
    else:
        array = _real_numbers(name, values)
        if not np.all(np.isfinite(array)):
            raise EarnshawError(f"{name} must be finite, but holds NaN or infinity")
    if ndim is None and array.ndim == 0:
        raise EarnshawError(f"{name} must be an array, not a single number")
    if ndim is not None and array.ndim != ndim:
        raise EarnshawError(f"{name} must have {ndim} axes, not {array.ndim} (its shape is {array.shape})")
    if array.size == 0:
        raise EarnshawError(f"{name} must not be empty, but has shape {array.shape}")
    return jnp.asarray(array, dtype=float)


def positive_integer(name: str, value: Any) -> int:
    """`value` as an integer that is at least 1.

    >>> positive_integer("width", 3)
    3
    """
    try:
        integer = operator.index(value)
    except TypeError:
        raise EarnshawError(f"{name} must be a positive integer, not {value!r}") from None
    if isinstance(value, bool) or integer < 1:
        raise EarnshawError(f"{name} must be a positive integer, not {value!r}")
    return integer


def positive_number(name: str, value: Any) -> Float[Array, ""]:
    """`value` as a scalar that is above zero.

    >>> positive_number("scale", 2).item()
    2.0
    """
    array = finite_array(name, value, ndim=0)
    if not holds(array > 0):
        raise EarnshawError(f"{name} must be positive, not {array}")
    return array


def nonnegative_number(name: str, value: Any) -> Float[Array, ""]:
    """`value` as a scalar that is zero or above.

    >>> nonnegative_number("regularisation", 0).item()
    0.0
    """
    array = finite_array(name, value, ndim=0)
    if not holds(array >= 0):
        raise EarnshawError(f"{name} must not be negative, but is {array}")
    return array


def holds(condition: Any) -> bool:
    """Whether a condition holds everywhere; one on traced values, which cannot be looked at, is taken to.

    >>> holds(jnp.array([True, False]))
    False
    """
    return isinstance(condition, Tracer) or bool(jnp.all(condition))


def _real_numbers(name: str, values: Any) -> np.ndarray:
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise EarnshawError(f"{name} must be an array of numbers whose rows are equally long") from None
    if array.dtype.kind not in "biuf":
        raise EarnshawError(f"{name} must be real numbers, not of type {array.dtype}")
    return array
