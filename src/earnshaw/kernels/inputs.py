"""Inputs of a kernel: their shape, what is refused about them, and the patches that a first layer sees."""

import numpy as np
from jaxtyping import Array, Float

from earnshaw.errors import EarnshawError
from earnshaw.kernels.architectures import Architecture, ConvResNet


def checked(x: object, architecture: Architecture, name: str = "x") -> Float[np.ndarray, "n ..."]:
    """x as float64 numbers of a shape that the architecture takes: finite, and no row without a direction."""
    try:
        x = np.asarray(x)
        if x.dtype.kind not in "biuf":
            raise TypeError
    except (TypeError, ValueError):
        raise EarnshawError(f"{name} must be an array of real numbers, one input in each row") from None
    x = np.ascontiguousarray(x, dtype=np.float64)
    if isinstance(architecture, ConvResNet):
        if x.ndim == 2:
            x = x[:, None, :]
        if x.ndim not in (3, 4):
            raise EarnshawError(
                f"a convolutional network needs inputs of shape (n, channels, pixels) or (n, channels, height, width), "
                f"and {name} has shape {x.shape}"
            )
    elif x.ndim != 2:
        raise EarnshawError(f"{name} must have one input in each row, shape (n, d), and has shape {x.shape}")
    if 0 in x.shape:
        raise EarnshawError(f"{name} has shape {x.shape}; a kernel needs at least one input of at least one number")
    rows = x.reshape(len(x), -1)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if bad.size:
        raise EarnshawError(f"row {bad[0]} of {name} has an entry that is not finite{_others(bad)}")
    zero = np.flatnonzero(~rows.any(axis=1))
    if zero.size and architecture.bias_std == 0:
        raise EarnshawError(
            f"row {zero[0]} of {name} is the zero vector, which has no direction{_others(zero)}; leave it out, or give "
            "the network biases"
        )
    return x


def arranged(x: Float[np.ndarray, "n ..."], architecture: Architecture) -> Float[np.ndarray, "p n d"]:
    """What each pixel of the first layer sees of each input: the input itself, or a patch of all its channels."""
    wiring = architecture.patches(x.shape[2:])
    if wiring is None:
        return x[None]
    pixels = np.zeros((*x.shape[:2], int(np.prod(x.shape[2:])) + 1))
    pixels[:, :, :-1] = x.reshape(*x.shape[:2], -1)
    seen = pixels[:, :, wiring[0].covered]
    return np.ascontiguousarray(seen.transpose(2, 0, 1, 3).reshape(seen.shape[2], len(x), -1))


def _others(rows: Array | np.ndarray) -> str:
    return f" (and {rows.size - 1} others)" if rows.size > 1 else ""


def checked_beside(y: object, x: Float[np.ndarray, "n ..."], architecture: Architecture) -> Float[np.ndarray, "m ..."]:
    """y, checked as x was, and with inputs of the same shape."""
    y = checked(y, architecture, "y")
    if y.shape[1:] != x.shape[1:]:
        raise EarnshawError(f"the inputs of y have shape {y.shape[1:]}, and those of x {x.shape[1:]}")
    return y
