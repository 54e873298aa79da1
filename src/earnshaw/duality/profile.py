"""What the profile of a potential has to be."""

import jax
import jax.numpy as jnp

from earnshaw.errors import EarnshawError


def require_scalar(profile: object, family: str, argument: str) -> None:
    """Refuse a profile that is not a function from one number to one number.

    >>> require_scalar(jnp.exp, "radial", "the distance")
    """
    if not callable(profile):
        raise EarnshawError(f"a {family} potential needs a function of {argument}, got {profile!r}")
    try:
        out = jax.eval_shape(profile, jnp.ones(()))
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise EarnshawError(f"the profile of a {family} potential cannot be applied to one number: {reason}") from None
    shape = getattr(out, "shape", None)
    if shape != ():
        raise EarnshawError(f"the profile of a {family} potential must return one number, got shape {shape}")
