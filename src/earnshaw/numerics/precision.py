"""Double precision for the numeric rooms, and the way out of it."""

import os

import jax

from earnshaw.errors import EarnshawError


def enable_double_precision() -> None:
    """Turn on JAX's 64-bit mode, unless the environment says `EARNSHAW_X64=0`."""
    if os.environ.get("EARNSHAW_X64", "1") != "0":
        jax.config.update("jax_enable_x64", True)


def require_double_precision() -> None:
    """Refuse to go on in single precision: a verdict needs float64.

    >>> require_double_precision()
    """
    if not jax.config.read("jax_enable_x64"):
        raise EarnshawError(
            "theorems need float64, but EARNSHAW_X64=0 turned it off; unset that variable and start again"
        )
