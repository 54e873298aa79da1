"""h with h ∗ h = Φ: the square root of a radial potential under convolution (prsz18, Theorem 2.1).

In the unitary convention the transform of h is (2π)^{−d/4} √F, F the transform of Φ. A potential with a cusp or a kink
has an F that falls like a power, and an h that is singular at 0. That part is taken out in closed form: it is the
inverse transform of a multiple of (1 + ℓ²k²)^{−p/2}, a Matérn function. What is left is smooth and is tabulated.
"""

import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.polynomial import chebyshev
from scipy.special import kv

from earnshaw.duality.bessel_k import bessel_k
from earnshaw.duality.fourier import bessel_kernel
from earnshaw.duality.radial_table import RadialTable, tabulate
from earnshaw.errors import EarnshawError

Transform = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]

_FARTHEST = 256.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


class SpectralRoot(eqx.Module):
    """h(r) = amplitude · z^{−ν} K_ν(z) + table(r), z = r/length: JAX-callable for r > 0."""

    table: RadialTable
    amplitude: float = eqx.field(static=True)
    length: float = eqx.field(static=True)
    nu: float = eqx.field(static=True)

    def __call__(self, r: float | Float[Array, ""]) -> Float[Array, ""]:
        """h(r)."""
        smooth = self.table(r)
        if self.amplitude == 0.0:
            return smooth
        z = jnp.asarray(r, float) / self.length
        return smooth + self.amplitude * bessel_k(self.nu, z) / z**self.nu

    def on_arrays(self, r: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """h(r) on the host."""
        smooth = self.table.on_arrays(r)
        if self.amplitude == 0.0:
            return smooth
        z = np.asarray(r, float) / self.length
        return smooth + self.amplitude * kv(self.nu, z) / z**self.nu


class _Tail(NamedTuple):
    """√F ≈ height·(1 + length²k²)^{−power/2}."""

    height: float
    length: float
    power: float

    def __call__(self, k: np.ndarray) -> np.ndarray:
        return self.height * (1.0 + (self.length * k) ** 2) ** (-self.power / 2)


def spectral_root(transform: Transform, d: int, scale: float, reach: float | None = None) -> SpectralRoot:
    """h, from the transform of Φ (values and errors), the smallest length over which Φ varies, and the radius it
    reaches.

    h is tabulated up to `reach` (32 scales unless given, at most 256).

    >>> root = spectral_root(lambda k: (np.exp(-(k**2) / 2), 0 * k), 3, 1.0)
    >>> bool(abs(root(1.0) - (2 / np.pi) ** 0.75 * np.exp(-1.0)) < 1e-9)
    True
    """
    end = _last_reliable(transform, scale)
    root = _piecewise(lambda k: np.sqrt(np.maximum(transform(k)[0], 0.0)), scale, end)
    tail = _power_tail(root, d, scale, end)
    if tail is None:
        root, end = _continued(root, end)

    def rest(k: np.ndarray, cut: float) -> np.ndarray:
        if tail is None:
            return root(k)
        # Ending abruptly, what is left in the last octave would ring through the table.
        return (root(k) - tail(k)) * _taper(2.0 * k / cut - 1.0)

    def weighted(cut: float, pieces: int) -> tuple[np.ndarray, np.ndarray]:
        k, weights = _nodes(scale, cut, pieces)
        return k, (2 * math.pi) ** (-d / 4) * weights * rest(k, cut) * k ** (d - 1)

    near = weighted(end, 8)
    # Far out the high frequencies oscillate away, and the low ones need eight times as many nodes.
    far = weighted(end if tail is None else min(end, max(32.0 / scale, end / 8)), 64)

    def smooth(r: np.ndarray) -> np.ndarray:
        values = np.empty(r.shape)
        for i, s in enumerate(r):
            k, terms = near if s <= 32.0 * scale else far
            values[i] = terms @ bessel_kernel(d, k * s)
        return values

    octaves = 5 if reach is None else min(8, max(5, math.ceil(math.log2(reach / scale))))
    table = tabulate(smooth, -12, octaves, scale)
    if not np.all(np.isfinite(table.coefficients)):
        raise EarnshawError("the inverse transform of the root of the potential's Fourier transform is not finite")
    if tail is None:
        return SpectralRoot(table, 0.0, 1.0, 0.0)
    nu = (d - tail.power) / 2
    amplitude = tail.height * 2.0 ** (1 - tail.power / 2) / math.gamma(tail.power / 2) * tail.length**-d
    return SpectralRoot(table, (2 * math.pi) ** (-d / 4) * amplitude, tail.length, nu)


def _last_reliable(transform: Transform, scale: float) -> float:
    """The last frequency, of at most 256/scale, up to which F stands well above its error."""
    probe = np.geomspace(0.25, _FARTHEST, 61) / scale
    values, errors = transform(probe)
    lost = np.flatnonzero(values <= 30 * errors)
    last = int(lost[0]) if lost.size else len(probe)
    if last < 8:
        raise EarnshawError("the Fourier transform of the potential is nowhere well above its error")
    return float(probe[last - 1])


def _edges(scale: float, end: float) -> np.ndarray:
    near = np.concatenate([[0.0], 2.0 ** np.arange(-4.0, 2.01, 0.5)]) / scale
    return np.concatenate(
        [near[near < 0.9 * end], np.linspace(max(near[near < 0.9 * end]), end, _panels(scale, end))[1:]]
    )


def _panels(scale: float, end: float) -> int:
    return max(4, math.ceil(end * scale / 4.0)) + 1


def _piecewise(f: Callable[[np.ndarray], np.ndarray], scale: float, end: float) -> Callable[[np.ndarray], np.ndarray]:
    """f on [0, end] by Chebyshev interpolation of degree 15 on panels fine enough for oscillations of one period per
    1/scale."""
    edges = _edges(scale, end)
    t = np.cos(np.pi * (np.arange(16) + 0.5) / 16)
    half = np.diff(edges)[:, None] / 2
    values = f((edges[:-1, None] + half * (t + 1)).ravel()).reshape(-1, 16)
    coefficients = np.linalg.solve(chebyshev.chebvander(t, 15), values.T)

    def interpolated(k: np.ndarray) -> np.ndarray:
        panel = np.clip(np.searchsorted(edges, k, side="right") - 1, 0, len(edges) - 2)
        local = (k - edges[panel]) / half[panel, 0] - 1
        return chebyshev.chebval(local, coefficients[:, panel], tensor=False)

    return interpolated


def _power_tail(root: Callable[[np.ndarray], np.ndarray], d: int, scale: float, end: float) -> _Tail | None:
    """The Matérn function whose transform has the first two terms of √F at high frequency; None if √F falls faster."""
    k = np.geomspace(end / 4, end * (1 - 1e-12), 400)
    values = root(k)
    if np.any(values <= 0):
        return None
    slope = np.polyfit(np.log(k), np.log(values), 2)
    steepening = 2 * slope[0] * math.log(4)
    mean_slope = float(np.polyfit(np.log(k), np.log(values), 1)[0])
    if mean_slope < -3 * d - 4 or steepening < -0.25 * abs(mean_slope):
        return None
    power = -mean_slope
    # Cusps and kinks give F a whole power of k.
    if abs(2 * power - round(2 * power)) < 0.15:
        power = round(2 * power) / 2
    design = np.stack([np.ones_like(k), k**-2.0], axis=1)
    leading, next_term = np.linalg.lstsq(design, values * k**power, rcond=None)[0]
    length = scale
    if next_term < 0 and 0.05 < math.sqrt(-power * leading / (2 * next_term)) / scale < 50:
        length = math.sqrt(-power * leading / (2 * next_term))
    return _Tail(float(leading) * length**power, length, power)


def _continued(
    root: Callable[[np.ndarray], np.ndarray], end: float
) -> tuple[Callable[[np.ndarray], np.ndarray], float]:
    """√F beyond the last reliable frequency, by the parabola that its logarithm follows before it.

    The root of a rounding error of 1e-16 is 1e-8: without this the cut would cost half of the digits.
    """
    k = np.linspace(0.6, 0.95, 60) * end
    values = root(k)
    if np.any(values <= 0):
        return root, end
    parabola = np.polyfit(k / end, np.log(values), 2)
    if parabola[0] > 0 or 2 * parabola[0] + parabola[1] > 0:
        return root, end
    join = 0.95 * end

    def continued(q: np.ndarray) -> np.ndarray:
        return np.where(q < join, root(np.minimum(q, end)), np.exp(np.polyval(parabola, q / end)))

    return continued, 1.6 * end


def _nodes(scale: float, end: float, pieces: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on [0, end], `pieces` panels for every panel of the interpolant."""
    edges = _edges(scale, end)
    fine = np.concatenate([np.linspace(a, b, pieces + 1)[:-1] for a, b in itertools.pairwise(edges)] + [[end]])
    half = np.diff(fine)[:, None] / 2
    return (fine[:-1, None] + half * (_NODES + 1)).ravel(), (half * _WEIGHTS).ravel()


def _taper(x: np.ndarray) -> np.ndarray:
    """1 for x ≤ 0, 0 for x ≥ 1, smooth between."""
    inside = np.clip(x, 1e-9, 1 - 1e-9)
    with np.errstate(over="ignore"):
        return np.where(x <= 0, 1.0, 1.0 / (1.0 + np.exp(1 / (1 - inside) - 1 / inside)))
