"""What a user's scalar function has to be before anything is built on it."""

import weakref
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.errors import EarnshawError


def require_scalar(function: Callable, owner: str) -> None:
    """Refuse what is not a JAX function from one real number to one real number.

    >>> require_scalar(jnp.exp, "the profile of a radial potential")
    """
    # JAX keeps weak references to functions and sorts compiled programs by them. NumPy's own allow neither, and
    # tracing one ends the process.
    try:
        hash(function)
        weakref.ref(function)
    except TypeError:
        raise EarnshawError(
            f"{owner} must be a function made of JAX operations, or a module with static fields, "
            f"and {type(function).__name__} is neither"
        ) from None
    try:
        out = jax.eval_shape(function, jnp.zeros(()))
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise EarnshawError(f"{owner} cannot be applied to one number: {reason}") from None
    if getattr(out, "shape", None) != ():
        shape = getattr(out, "shape", type(out).__name__)
        raise EarnshawError(f"{owner} must return one number for one number, got {shape}")
    if not np.issubdtype(out.dtype, np.floating):
        raise EarnshawError(f"{owner} must return a real number that can be differentiated, got the type {out.dtype}")


def require_profile(profile: object, family: str, argument: str) -> None:
    """Refuse a profile of a potential that is not such a function.

    >>> require_profile(jnp.exp, "radial", "the distance")
    """
    if not callable(profile):
        raise EarnshawError(f"a {family} potential needs a function of {argument}, got {profile!r}")
    require_scalar(profile, f"the profile of a {family} potential")
