"""Kernels of networks of infinite width: the limits of the Gram matrices that rule over-parameterized training."""

import earnshaw.numerics  # noqa: F401  (double precision first)
from earnshaw.kernels.architectures import ARCHITECTURES, Architecture, ConvResNet, Dense, ResNet, c_sigma
from earnshaw.kernels.kernel import Kernel, kernel
from earnshaw.kernels.layers import Layers, layers

__all__ = [
    "ARCHITECTURES",
    "Architecture",
    "ConvResNet",
    "Dense",
    "Kernel",
    "Layers",
    "ResNet",
    "c_sigma",
    "kernel",
    "layers",
]
