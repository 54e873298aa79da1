"""The three architectures of du19 chapter 3, as what their infinite-width kernels need to know of them.

With weights Wʰ and read-out a of independent standard Gaussian entries, biases βʰ likewise, and p pixels (p = 1 unless
convolutional), the features of H layers of width m are

    X¹ = τ₁σ(ω₁W¹φ(x) + B β¹),    Xʰ = [Xʰ⁻¹] + τₕσ(ωₕWʰφ(Xʰ⁻¹)/√m + B βʰ),    f = ⟨ω a, X^H⟩/√m + B β.

The term in brackets is the skip connection, φ collects patches, and x^(h) = Xʰ/√m in the notation of the thesis.
"""

import abc
import math
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.kernels.moments import rule_for, second_moment
from earnshaw.kernels.patches import Patches, patches

PARAMETERIZATIONS = ("thesis", "ntk")


def number(value: object) -> float:
    """A setting as a float; NaN, which every check refuses, if it is not a number."""
    return float(value) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else math.nan


class Layer(NamedTuple):
    """One layer's numbers: ω², B², τ, and whether the features before are added to its own."""

    weight: float
    bias: float
    scale: float
    skip: bool


class Architecture(eqx.Module):
    """A network of H = `depth` layers and a linear read-out, all of them trained.

    - `thesis`: ω = `weight_std`, B = `bias_std` (1 and 0 in the thesis); the first layer, and all layers of a fully
      connected network, have τ = √c_σ, and residual layers τ = c_res/H.
    - `ntk`: the same with ω = `weight_std`/√(fan-in) and without c_σ, as in neural-tangents; the fan-in counts the
      inputs, the pixels of a patch, and for the read-out all pixels.
    """

    activation: eqx.AbstractVar[Activation]
    depth: eqx.AbstractVar[int]
    parameterization: eqx.AbstractVar[str]
    weight_std: eqx.AbstractVar[float]
    bias_std: eqx.AbstractVar[float]

    @abc.abstractmethod
    def layers(self, inputs: int, pixels: int) -> tuple[Layer, ...]:
        """The layers' numbers, for inputs with so many numbers in a pixel or patch."""

    def patches(self, shape: tuple[int, ...]) -> tuple[Patches, ...] | None:
        """The patches of every layer for images of that shape; `None` if there are no patches."""
        return None

    def readout(self, pixels: int) -> tuple[float, float]:
        """ω² and B² of the read-out."""
        return self.weight_std**2 / (pixels if self.parameterization == "ntk" else 1), self.bias_std**2

    def _first_scale(self) -> float:
        return math.sqrt(c_sigma(self.activation)) if self.parameterization == "thesis" else 1.0

    def _first_weight(self, inputs: int) -> float:
        return self.weight_std**2 / (inputs if self.parameterization == "ntk" else 1)

    def __check_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int) or self.depth < 1:
            raise EarnshawError(
                f"the depth of a network is its number of hidden layers, at least 1, got {self.depth!r}"
            )
        if self.parameterization not in PARAMETERIZATIONS:
            raise unknown_name("parameterization", self.parameterization, PARAMETERIZATIONS)
        if not (math.isfinite(self.weight_std) and self.weight_std > 0):
            raise EarnshawError(f"weight_std must be positive and finite, got {self.weight_std!r}")
        if not (math.isfinite(self.bias_std) and self.bias_std >= 0):
            raise EarnshawError(f"bias_std must be at least 0 and finite, got {self.bias_std!r}")


class Dense(Architecture):
    """The fully connected network (3.2).

    >>> Dense("softplus", 3).layers(100, 1)[0].skip
    False
    """

    activation: Activation = eqx.field(static=True, converter=activations.get)
    depth: int = eqx.field(static=True)
    parameterization: str = eqx.field(static=True, default="thesis")
    weight_std: float = eqx.field(static=True, default=1.0, converter=number)
    bias_std: float = eqx.field(static=True, default=0.0, converter=number)

    def layers(self, inputs: int, pixels: int) -> tuple[Layer, ...]:
        """All alike, but for the fan-in of the first."""
        scale = self._first_scale()
        first = Layer(self._first_weight(inputs), self.bias_std**2, scale, False)
        return (first, *[Layer(self.weight_std**2, self.bias_std**2, scale, False)] * (self.depth - 1))


class ResNet(Architecture):
    """The residual network (3.3): a skip connection over every layer but the first, and τ = c_res/H.

    >>> ResNet("softplus", 4, c_res=0.5).layers(100, 1)[1].scale
    0.125
    """

    activation: Activation = eqx.field(static=True, converter=activations.get)
    depth: int = eqx.field(static=True)
    parameterization: str = eqx.field(static=True, default="thesis")
    weight_std: float = eqx.field(static=True, default=1.0, converter=number)
    bias_std: float = eqx.field(static=True, default=0.0, converter=number)
    c_res: float = eqx.field(static=True, default=0.5, converter=number)

    def __check_init__(self) -> None:
        _check_residual(self.c_res)

    def layers(self, inputs: int, pixels: int) -> tuple[Layer, ...]:
        """The first without a skip connection, the others with one."""
        first = Layer(self._first_weight(inputs), self.bias_std**2, self._first_scale(), False)
        rest = Layer(self.weight_std**2, self.bias_std**2, self.c_res / self.depth, True)
        return (first, *[rest] * (self.depth - 1))


class ConvResNet(Architecture):
    """The convolutional residual network: every layer sees patches, and the read-out every pixel by its own weights.

    Inputs have shape (n, channels, pixels) or (n, channels, height, width). `patch` is the number of pixels of a patch
    along each axis, or one number for both. `stride` belongs to the first layer: the skip connections of the others
    need as many pixels after as before.

    >>> net = ConvResNet("softplus", 3, patch=3, stride=2)
    >>> [p.shape for p in net.patches((28, 28))]
    [(14, 14), (14, 14), (14, 14)]
    """

    activation: Activation = eqx.field(static=True, converter=activations.get)
    depth: int = eqx.field(static=True)
    parameterization: str = eqx.field(static=True, default="thesis")
    weight_std: float = eqx.field(static=True, default=1.0, converter=number)
    bias_std: float = eqx.field(static=True, default=0.0, converter=number)
    c_res: float = eqx.field(static=True, default=0.5, converter=number)
    patch: int | tuple[int, ...] = eqx.field(static=True, default=3)
    stride: int = eqx.field(static=True, default=1)

    def __check_init__(self) -> None:
        _check_residual(self.c_res)
        sizes = self.patch if isinstance(self.patch, tuple) else (self.patch,)
        if not sizes or any(isinstance(s, bool) or not isinstance(s, int) or s < 1 for s in sizes):
            raise EarnshawError(f"a patch needs at least one pixel along each axis, got {self.patch!r}")
        if isinstance(self.stride, bool) or not isinstance(self.stride, int) or self.stride < 1:
            raise EarnshawError(f"a stride is at least 1, got {self.stride!r}")

    def layers(self, inputs: int, pixels: int) -> tuple[Layer, ...]:
        """As the residual network; in `ntk` the fan-in counts the pixels of a patch."""
        first = Layer(self._first_weight(inputs), self.bias_std**2, self._first_scale(), False)
        weight = self.weight_std**2 / (pixels if self.parameterization == "ntk" else 1)
        return (first, *[Layer(weight, self.bias_std**2, self.c_res / self.depth, True)] * (self.depth - 1))

    def patches(self, shape: tuple[int, ...]) -> tuple[Patches, ...]:
        """The patches of every layer."""
        size = self.patch if isinstance(self.patch, tuple) else (self.patch,) * len(shape)
        first = patches(shape, size, self.stride)
        return (first, *[patches(first.shape, size)] * (self.depth - 1))


ARCHITECTURES: dict[str, type[Architecture]] = {"dense": Dense, "resnet": ResNet, "conv-resnet": ConvResNet}
"""The architectures by the names that the command line uses."""


def c_sigma(activation: str | Activation | Callable) -> float:
    """c_σ = 1/E σ(z)² for a standard Gaussian z, the factor that keeps a layer's features of unit length.

    >>> round(c_sigma("relu"), 12), round(c_sigma("sign"), 12)
    (2.0, 1.0)
    """
    activation = activations.get(activation)
    return 1 / float(second_moment(rule_for(activation, 1.0, 1e-12), 0, jnp.ones(1))[0])


def _check_residual(c_res: float) -> None:
    if not (math.isfinite(c_res) and c_res > 0):
        raise EarnshawError(f"c_res must be positive and finite, got {c_res!r}")
