"""Scalar functions with settings, as hashable modules: equal settings share a compilation."""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


class LeakyRelu(eqx.Module):
    """z for z > 0, slope·z otherwise."""

    slope: float = eqx.field(static=True)

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at z."""
        return jnp.where(z > 0, z, self.slope * z)


class ShiftedExponential(eqx.Module):
    """exp(z + shift)."""

    shift: float = eqx.field(static=True)

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at z."""
        return jnp.exp(z + self.shift)


class Polynomial(eqx.Module):
    """Σ powersᵢzⁱ by Horner's rule."""

    powers: tuple[float, ...] = eqx.field(static=True)

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at z."""
        value = jnp.full_like(z, self.powers[-1])
        for c in self.powers[-2::-1]:
            value = value * z + c
        return value


class HermiteSum(eqx.Module):
    """Σ cₙhₙ(z) with normalised Hermite polynomials, by Clenshaw's recurrence."""

    coefficients: tuple[float, ...] = eqx.field(static=True)

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at z."""
        # √(n+1)·hₙ₊₁ = z·hₙ − √n·hₙ₋₁, summed from the highest term down
        following = jnp.zeros_like(z)
        current = jnp.zeros_like(z)
        for n in range(len(self.coefficients) - 1, -1, -1):
            step = z * current / np.sqrt(n + 1) - np.sqrt((n + 1) / (n + 2)) * following
            following, current = current, self.coefficients[n] + step
        return current


class GaussianFactor(eqx.Module):
    """(2/π)^{d/4}·exp(−r²): what 2^{d/2}·exp(−r²) leaves when the weight (2π)^{d/4} is divided out."""

    d: int = eqx.field(static=True)

    def __call__(self, r: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at distance r."""
        return (2 / np.pi) ** (self.d / 4) * jnp.exp(-(r**2))


class Multiple(eqx.Module):
    """factor·f(z)."""

    function: Callable = eqx.field(static=True)
    factor: float = eqx.field(static=True)

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at z."""
        return self.factor * self.function(z)
