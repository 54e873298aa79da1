"""A radial function known by its values: Chebyshev interpolation on panels that double in width."""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.polynomial import chebyshev

_DEGREE = 15


class RadialTable(eqx.Module):
    """f(r) on [2^low, 2^high)·unit, continued below by A + B log r and above by zero.

    >>> table = tabulate(lambda r: np.exp(-r), -4, 4)
    >>> bool(abs(table(1.3) - np.exp(-1.3)) < 1e-12)
    True
    """

    coefficients: Float[np.ndarray, "panels degree"]
    low: int = eqx.field(static=True)
    unit: float = eqx.field(static=True, default=1.0)

    def __call__(self, r: float | Float[Array, ""]) -> Float[Array, ""]:
        """f(r)."""
        r = jnp.asarray(r, float) / self.unit
        panels = self.coefficients.shape[0]
        floor = 2.0**self.low
        clipped = jnp.maximum(r, floor)
        panel = jnp.clip(jnp.floor(jnp.log2(clipped)).astype(int) - self.low, 0, panels - 1)
        t = 2.0 * clipped / 2.0 ** (panel + self.low).astype(float) - 3.0
        c = jnp.asarray(self.coefficients)[panel]
        inside = _clenshaw(c, t, jnp)
        below = inside + _edge_slope(self.coefficients) * jnp.log(jnp.maximum(r, 1e-300) / floor)
        return jnp.where(r < floor, below, jnp.where(r >= floor * 2.0**panels, 0.0, inside))

    def on_arrays(self, r: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """f(r) on the host."""
        r = np.asarray(r, float) / self.unit
        panels = self.coefficients.shape[0]
        floor = 2.0**self.low
        clipped = np.clip(r, floor, None)
        panel = np.clip(np.floor(np.log2(clipped)).astype(int) - self.low, 0, panels - 1)
        t = 2.0 * clipped / 2.0 ** (panel + self.low) - 3.0
        inside = _clenshaw(self.coefficients[panel], t, np)
        below = inside + _edge_slope(self.coefficients) * np.log(np.maximum(r, 1e-300) / floor)
        return np.where(r < floor, below, np.where(r >= floor * 2.0**panels, 0.0, inside))


def tabulate(f: Callable[[np.ndarray], np.ndarray], low: int, high: int, unit: float = 1.0) -> RadialTable:
    """Sample f at Chebyshev points of every panel [2^m, 2^{m+1})·unit, low ≤ m < high."""
    t = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))
    r = 2.0 ** np.arange(low, high)[:, None] * (t + 3.0) / 2.0
    values = np.asarray(f(unit * r.ravel()), float).reshape(r.shape)
    return RadialTable(np.linalg.solve(chebyshev.chebvander(t, _DEGREE), values.T).T, low, unit)


def _clenshaw(c, t, library):
    following, current = library.zeros_like(t), library.zeros_like(t)
    for n in range(_DEGREE, 0, -1):
        following, current = current, c[..., n] + 2 * t * current - following
    return c[..., 0] + t * current - following


def _edge_slope(coefficients: np.ndarray) -> float:
    """df/d(log r) at the lower end, t = −1, where r dt/dr = 2."""
    n = np.arange(coefficients.shape[1])
    return float(2.0 * np.sum(coefficients[0] * n**2 * (-1.0) ** (n + 1)))
