"""Radial potentials that are kept for r ≥ ε and continued to r < ε by a polynomial (prsz18, Lemmas B.7 and B.8)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.integrate import quad

from earnshaw.duality.fourier import radial_fourier
from earnshaw.duality.yukawa import harmonic_polynomials
from earnshaw.errors import EarnshawError, unknown_name

#: Φ^{(order)}(r), as a function of r and the order.
Derivatives = Callable[[Any, int], Any]

FAMILIES = ("tent", "exponential", "yukawa", "power", "gaussian")


def family(name: str, d: int, size: float) -> Derivatives:
    """All derivatives of a profile in R^d: (size − r)₊^d/d!, e^{−r/size}, the size-harmonic one, r^{−size}, or a
    Gaussian of that width.

    >>> exponential = family("exponential", 3, 2.0)
    >>> [round(float(exponential(0.0, order)), 12) for order in range(3)]
    [1.0, -0.5, 0.25]
    """
    if name not in FAMILIES:
        raise unknown_name("family of profiles", name, FAMILIES)

    def tent(r: Any, order: int) -> Any:
        if order > d:
            return np.zeros(np.shape(r))
        return (-1) ** order * np.maximum(size - np.asarray(r, float), 0.0) ** (d - order) / math.factorial(d - order)

    def exponential(r: Any, order: int) -> Any:
        return (-1 / size) ** order * np.exp(-np.asarray(r, float) / size)

    def yukawa(r: Any, order: int) -> Any:
        r = np.asarray(r, float)
        z = math.sqrt(size) * r
        p = np.polynomial.Polynomial(harmonic_polynomials(d, order)[order])
        return (-1) ** order * p(z) * np.exp(-z) / r ** (d - 2 + order)

    def power(r: Any, order: int) -> Any:
        rising = math.prod(size + i for i in range(order))
        return (-1) ** order * rising * np.asarray(r, float) ** (-size - order)

    def gaussian(r: Any, order: int) -> Any:
        x = np.asarray(r, float) / size
        return (-1 / size) ** order * np.polynomial.HermiteE.basis(order)(x) * np.exp(-(x**2) / 2)

    return {"tent": tent, "exponential": exponential, "yukawa": yukawa, "power": power, "gaussian": gaussian}[name]


@dataclass(frozen=True)
class ContinuedInwards:
    """Φ for r ≥ ε; for r < ε the polynomial that continues it up to order d − 2 and whose derivative of order d − 1 is
    Φ^{(d−1)}(ε)·r/ε.

    >>> phi = ContinuedInwards(family("exponential", 3, 1.0), 3, 0.5)
    >>> bool(abs(phi(0.5 - 1e-9, 1) - phi(0.5, 1)) < 1e-8), round(float(phi(0.25, 2) / phi(0.5, 2)), 12)
    (True, 0.5)
    """

    outer: Derivatives
    d: int
    eps: float
    flat: bool = False
    """Instead a constant for r < ε, which is what this construction is not."""

    def __call__(self, r: Any, order: int = 0) -> Any:
        """The derivative of that order, 0 ≤ order ≤ d."""
        r = np.asarray(r, float)
        return np.where(r < self.eps, self._inner(r, order), self.outer(np.maximum(r, self.eps), order))

    def _inner(self, r: Any, order: int) -> Any:
        if self.flat:
            return self.outer(self.eps, 0) * np.ones(np.shape(r)) if order == 0 else np.zeros(np.shape(r))
        u = np.minimum(r - self.eps, 0.0)
        coefficients = [float(self.outer(self.eps, k)) for k in range(self.d)]
        coefficients.append(coefficients[-1] / self.eps)
        return sum(c * u ** (k - order) / math.factorial(k - order) for k, c in enumerate(coefficients) if k >= order)


def smallest_transform(
    profile: Callable[[Any], Any],
    d: int,
    eps: float,
    support: float | None = None,
    frequencies: Float[np.ndarray, " n"] | None = None,
) -> float:
    """The smallest value of the Fourier transform, with its error on the safe side, relative to the largest one."""
    if frequencies is None:
        frequencies = np.concatenate([[0.05], np.geomspace(0.3, 30.0 / eps, 20)])
    values, errors = radial_fourier(
        lambda r: profile(r), d, frequencies, breakpoints=(eps,), support=support, tolerance=1e-6
    )
    return float(np.min(values + 3 * errors) / np.max(np.abs(values)))


def repeated_integral(top: Callable[[float], float], d: int, r: float, borders: list[float]) -> float:
    """∫_r^∞ (x − r)^{d−2}/(d − 2)! · top(x) dx, the function whose derivative of order d − 1 is `top`, d odd, and
    which vanishes with it at the last border.

    >>> round(repeated_integral(lambda x: 1 - x, 3, 0.5, [1.0]), 12)  # (1 − r)³/6
    0.020833333333
    """
    if d % 2 == 0:
        raise EarnshawError(f"the sign of d − 1 integrations from the far end is for odd d, not {d}")
    total, low = 0.0, r
    for high in [border for border in borders if border > r]:
        total += quad(
            lambda x: (x - r) ** (d - 2) / math.factorial(d - 2) * top(x), low, high, epsabs=0, epsrel=1e-11, limit=200
        )[0]
        low = high
    return total
