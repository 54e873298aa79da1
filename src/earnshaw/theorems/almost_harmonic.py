"""What prsz18, Lemmas 4.2 and B.9, claim of the potentials that are λ-harmonic outside a small ball, measured.

Each function takes any radial potential, so that a wrong one is seen to be wrong.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import Radial
from earnshaw.duality.fourier import radial_fourier
from earnshaw.duality.yukawa import AlmostHarmonic


def worst_residual(phi: Radial, d: int, eps: float, lam: float) -> float:
    """The largest |ΔΦ − λΦ| for r ≥ ε, relative to the size of the terms that cancel."""
    r = jnp.asarray(eps * (1 + 1e-9) + np.concatenate([np.geomspace(1e-6, 1.0, 60), np.linspace(1.1, 20.0, 60)]))
    value = jax.vmap(phi.profile)(r)
    first = jax.vmap(jax.grad(phi.profile))(r)
    second = jax.vmap(jax.grad(jax.grad(phi.profile)))(r)
    scale = jnp.abs(second) + (d - 1) / r * jnp.abs(first) + lam * jnp.abs(value)
    return float(jnp.max(jnp.abs(second + (d - 1) / r * first - lam * value) / scale))


def alternation(phi: Radial, d: int, eps: float, tolerance: float) -> float:
    """The smallest (−1)^k Φ^(k) for k ≤ d − 2, relative to its largest size, inside and outside of ε."""
    r = jnp.asarray(np.concatenate([eps * np.linspace(0.02, 0.98, 25), eps + np.geomspace(1e-3, 10.0, 25)]))
    smallest = math.inf
    derivative = phi.profile
    for k in range(d - 1):
        values = np.asarray(jax.vmap(derivative)(r)) * (-1) ** k
        smallest = min(smallest, float(np.min(values) / np.max(np.abs(values))))
        derivative = jax.grad(derivative)
    return smallest + tolerance


def bounds(phi: Radial, construction: AlmostHarmonic, tolerance: float) -> float:
    """The smallest relative distance to the four bounds for r ≥ ε; negative where one is broken."""
    r = jnp.asarray(construction.eps + np.geomspace(1e-6, 20.0, 200))
    value, slope = jax.vmap(phi.profile)(r), jnp.abs(jax.vmap(jax.grad(phi.profile))(r))
    ratios = [
        value / construction.lower_bound(r) - 1,
        1 - value / construction.upper_bound(r),
        slope / construction.slope_lower_bound(r) - 1,
        1 - slope / construction.slope_upper_bound(r),
    ]
    return float(min(jnp.min(ratio) for ratio in ratios)) + tolerance


def spectrum(phi: Radial, construction: AlmostHarmonic, own: bool, tolerance: float) -> float:
    """The smallest value of the Fourier transform, relative to its largest, with its error on the safe side."""
    k = np.concatenate([np.linspace(0.0, 10.0, 41), np.geomspace(11.0, 40.0 / construction.eps, 60)])
    if own:
        values, errors = construction.fourier(k)
    else:
        values, errors = radial_fourier(phi.profile, construction.d, k[k < 60.0], tolerance=1e-7)
    return float(np.min(values + 3 * errors) / np.max(np.abs(values))) + tolerance
