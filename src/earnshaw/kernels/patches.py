"""Which pixels a patch of a convolution covers: images in one or two dimensions, stride, zero padding."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from earnshaw.errors import EarnshawError


class Patches(NamedTuple):
    """A layer's view of the pixels before it. Rows are the pixels of the layer itself.

    `covered` has one column for every offset in a patch, with the index of a pixel or, for zero padding, the number of
    pixels; `centre` is the pixel that a skip connection hands on.
    """

    covered: Int[np.ndarray, "out q"]
    centre: Int[np.ndarray, " out"]
    shape: tuple[int, ...]


def patches(shape: tuple[int, ...], size: tuple[int, ...], stride: int = 1) -> Patches:
    """The patches of an image of that shape, one around every `stride`-th pixel along each axis.

    The thesis' φ_h for patches of q = ∏ size pixels; pixels outside of the image count as zero. A patch of even size
    reaches one pixel further back than ahead.

    >>> patches((4,), (3,)).covered.tolist()
    [[4, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4]]
    """
    if len(size) != len(shape):
        raise EarnshawError(f"patches of {len(size)} axes do not fit images of {len(shape)}: shape {shape}")
    pixels = math.prod(shape)
    index = np.arange(pixels).reshape(shape)
    padded = np.pad(index, [(s // 2, s - 1 - s // 2) for s in size], constant_values=pixels)
    centres = index[tuple(slice(None, None, stride) for _ in shape)]
    out = centres.shape
    covered = [
        padded[tuple(slice(o, o + n, stride) for o, n in zip(offset, shape, strict=True))].ravel()
        for offset in itertools.product(*(range(s) for s in size))
    ]
    return Patches(np.stack(covered, axis=1), centres.ravel(), out)
