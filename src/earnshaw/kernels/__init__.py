"""Kernels of networks of infinite width: the limits of the Gram matrices that rule over-parameterized training."""

import earnshaw.numerics  # noqa: F401  (double precision first)
from earnshaw.kernels.architectures import ARCHITECTURES, Architecture, ConvResNet, Dense, ResNet, c_sigma
from earnshaw.kernels.degeneracy import Degeneracy, degeneracy
from earnshaw.kernels.h_infinity import h_infinity
from earnshaw.kernels.kernel import Kernel, kernel
from earnshaw.kernels.layers import Layers, layers
from earnshaw.kernels.spectrum import Spectrum, spectrum
from earnshaw.kernels.sphere import SphereKernel, on_sphere

__all__ = [
    "ARCHITECTURES",
    "Architecture",
    "ConvResNet",
    "Degeneracy",
    "Dense",
    "Kernel",
    "Layers",
    "ResNet",
    "Spectrum",
    "SphereKernel",
    "c_sigma",
    "degeneracy",
    "h_infinity",
    "kernel",
    "layers",
    "on_sphere",
    "spectrum",
]
