"""Activations of translation-invariant potentials: σ(x, θ) = (2π)^{d/4} e^{‖x‖²/4} h(‖x − θ‖) (prsz18, Theorem 2.1).

The weight turns the standard Gaussian into Lebesgue measure, so E σ(x, θ)σ(x, w) is the convolution of h with itself
at θ − w.
"""

import math
from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

import earnshaw.numerics  # noqa: F401  (float64)
from earnshaw.duality.fourier import on_arrays
from earnshaw.errors import EarnshawError


class RadialActivation(eqx.Module):
    """σ(x, θ) = (2π)^{d/4} e^{‖x‖²/4} h(‖x − θ‖), for x standard Gaussian in R^d.

    >>> gaussian = RadialActivation(lambda r: (2 / jnp.pi) ** 0.75 * jnp.exp(-(r**2)), 3)
    >>> round(float(gaussian.potential_at(np.array([1.0]))[0]), 12) == round(math.exp(-0.5) , 12)
    True
    """

    h: Callable
    d: int = eqx.field(static=True)
    name: str = eqx.field(static=True, default="radial")
    breakpoints: tuple[float, ...] = eqx.field(static=True, default=())
    """Radii at which h is not smooth; quadrature is finer there."""

    def __call__(self, x: Float[Array, "... d"], theta: Float[Array, "... d"]) -> Float[Array, "..."]:
        """σ(x, θ) for one pair of points, or for arrays of them that broadcast."""
        x, theta = jnp.asarray(x), jnp.asarray(theta)
        if x.shape[-1] != self.d or theta.shape[-1] != self.d:
            raise EarnshawError(f"{self.name} takes points of R^{self.d}, got shapes {x.shape} and {theta.shape}")
        r = jnp.sqrt(jnp.sum((x - theta) ** 2, axis=-1))
        values = jnp.vectorize(self.h)(r)
        return (2 * math.pi) ** (self.d / 4) * jnp.exp(jnp.sum(x**2, axis=-1) / 4) * values

    def potential_at(self, radii: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Φ(r) = (h ∗ h)(r) by quadrature in d dimensions, which knows nothing of how h was found.

        With s, t the distances to the two points, μ = s + t and ν = s − t, the integral over R^d is
        |S^{d−2}|/(2r) ∫∫ s t h(s) h(t) ρ^{d−3} dμ dν over μ > r > |ν|, ρ = √((μ² − r²)(r² − ν²))/(2r).
        """
        h = getattr(self.h, "on_arrays", None) or on_arrays(self.h)
        return np.array([_self_convolution(h, self.d, float(r), self.breakpoints) for r in np.atleast_1d(radii)])

    def check(self, profile: Callable, radii: Float[np.ndarray, " n"]) -> float:
        """Largest difference between φ(r) and E σσ at these radii."""
        radii = np.atleast_1d(np.asarray(radii, float))
        return float(np.max(np.abs(self.potential_at(radii) - on_arrays(profile)(radii))))


class SeparableActivation(eqx.Module):
    """σ(x, θ) = ∏_l σ₁(x_l, θ_l): the activation of a product of one-dimensional potentials.

    >>> one = RadialActivation(lambda r: (2 / jnp.pi) ** 0.25 * jnp.exp(-(r**2)), 1)
    >>> SeparableActivation(one, 2)(jnp.zeros(2), jnp.zeros(2)).shape
    ()
    """

    factor: RadialActivation
    d: int = eqx.field(static=True)

    def __call__(self, x: Float[Array, "... d"], theta: Float[Array, "... d"]) -> Float[Array, "..."]:
        """σ(x, θ) for one pair of points, or for arrays of them that broadcast."""
        if x.shape[-1] != self.d or theta.shape[-1] != self.d:
            raise EarnshawError(f"{self.name} takes points of R^{self.d}, got shapes {x.shape} and {theta.shape}")
        return jnp.prod(self.factor(x[..., None], theta[..., None]), axis=-1)

    @property
    def name(self) -> str:
        """The factor's name."""
        return self.factor.name

    def check(self, profile: Callable, radii: Float[np.ndarray, " n"]) -> float:
        """Largest difference between one factor f(r) and its recomputation."""
        return self.factor.check(profile, radii)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


def _panels(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = np.diff(edges) / 2
    nodes = edges[:-1, None] + half[:, None] * (_NODES + 1)
    return nodes.ravel(), (half[:, None] * _WEIGHTS).ravel()


def _powers(lowest: int, highest: int) -> np.ndarray:
    return np.concatenate([[0.0], 2.0 ** np.arange(lowest, highest + 1)])


def _refined(edges: np.ndarray, breakpoints: tuple[float, ...]) -> np.ndarray:
    """Panels that also approach every breakpoint geometrically from both sides."""
    approach = np.concatenate([2.0 ** -np.arange(1, 40), -(2.0 ** -np.arange(1, 40)), [0.0]])
    return np.unique(np.concatenate([edges, *[b * (1 + approach) for b in breakpoints]]))


def _divided(edges: np.ndarray, pieces: int) -> np.ndarray:
    steps = np.diff(edges)[:, None] * np.arange(pieces) / pieces
    return np.append((edges[:-1, None] + steps).ravel(), edges[-1])


def _self_convolution(h: Callable[[np.ndarray], np.ndarray], d: int, r: float, breakpoints: tuple[float, ...]) -> float:
    line = np.concatenate([_powers(-60, -1), np.arange(0.5, 40.5, 0.5), 40.0 * 2.0 ** np.arange(1, 7)])
    if r == 0.0:
        s, w = _panels(_refined(line, breakpoints))
        sphere = 2 * math.pi ** (d / 2) / math.gamma(d / 2)
        return sphere * _finite_sum(w * s ** (d - 1) * h(s) ** 2)
    if d == 1:
        s, w = _panels(line)
        u, v = _panels(r / 2 * _powers(-60, 0))
        # The line is cut at the two points and half-way between them.
        return 2 * _finite_sum(w * h(s) * h(s + r)) + 2 * _finite_sum(v * h(u) * h(r - u))
    # μ = r + y² and ν = r − z²; the half ν < 0 is the mirror image. The squares take the edge off ρ^{d−3} in d = 2.
    pieces = 3 if breakpoints else 1
    outer = np.concatenate([_powers(-40, 0), np.arange(1.5, 12.5, 0.5), [16.0, 24.0, 32.0, 48.0, 64.0]])
    y, w = _panels(_divided(outer, pieces))
    z, v = _panels(_divided(math.sqrt(r) * _powers(-40, 0), pieces))
    s = r + (y[:, None] ** 2 - z[None, :] ** 2) / 2
    t = (y[:, None] ** 2 + z[None, :] ** 2) / 2
    height = y * np.sqrt(2 * r + y**2), z * np.sqrt(2 * r - z**2)
    rho = height[0][:, None] * height[1][None, :] / (2 * r)
    measure = 4 * (w * y)[:, None] * (v * z)[None, :]
    sphere = 2 * math.pi ** ((d - 1) / 2) / math.gamma((d - 1) / 2)
    return sphere / r * _finite_sum(s * t * h(s) * h(t) * rho ** (d - 3) * measure)


def _finite_sum(values: np.ndarray) -> float:
    # Where h underflows beside an overflowing weight the product is not a number; it stands for zero.
    return float(np.sum(np.where(np.isfinite(values), values, 0.0)))
