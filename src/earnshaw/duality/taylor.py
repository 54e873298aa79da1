"""Taylor and Gegenbauer coefficients of a function of the inner product, each with an error bound."""

import math
import warnings
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from numpy.polynomial import chebyshev
from scipy.special import roots_jacobi

from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.zonal import PowerSeries
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import dimension

Coefficients = tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]

_CONTOUR_POINTS = 512


def taylor_coefficients(profile: Callable, count: int = 48) -> Coefficients:
    """c_0, …, c_{count−1} with f(ρ) = Σ c_n ρⁿ, and their error bounds; fewer where the errors outgrow the
    coefficients.

    Exact for a power series. Otherwise by the discrete Fourier transform of f on a circle, the widest on which f proves
    analytic; a function that cannot be evaluated at complex numbers is fitted on a real interval, which yields
    only the first dozen or so.

    >>> values, errors = taylor_coefficients(jnp.exp, 4)
    >>> bool(np.all(np.abs(values - [1, 1, 1 / 2, 1 / 6]) < 1e-14))
    True
    """
    if count < 1:
        raise EarnshawError(f"the number of Taylor coefficients must be at least 1, got {count}")
    if isinstance(profile, PowerSeries):
        return np.asarray(profile.coefficients), np.zeros(len(profile.coefficients))
    on_circle = _on_a_circle(profile, count)
    values, errors = on_circle if on_circle is not None else _on_an_interval(profile, count)
    unusable = np.flatnonzero(errors > 1e-6 * np.max(np.abs(values)))
    kept = int(unusable[0]) if unusable.size else count
    if kept == 0:
        raise EarnshawError("the profile is too rough near ρ = 0 to have a Taylor series that could be measured")
    return values[:kept], errors[:kept]


def gegenbauer_coefficients(profile: Callable, d: int, count: int = 24) -> Coefficients:
    """a_n with f = Σ a_n P_n on [−1, 1], P_n the Gegenbauer polynomials of S^{d−1} with P_n(1) = 1, and error bounds.

    f(θᵀw) is positive semidefinite on S^{d−1} if and only if all of them are nonnegative (Schoenberg).

    >>> values, errors = gegenbauer_coefficients(lambda t: t**2, 3, 4)
    >>> [round(float(v), 12) + 0.0 for v in values]
    [0.333333333333, 0.0, 0.666666666667, 0.0]
    """
    d = dimension(d, 2)
    f = on_arrays(profile)
    coarse, _ = _gegenbauer(f, d, count, 200)
    fine, size = _gegenbauer(f, d, count, 400)
    return fine, np.abs(fine - coarse) + 4e-15 * size


def _gegenbauer(f: Callable[[np.ndarray], np.ndarray], d: int, count: int, nodes: int) -> Coefficients:
    t, w = roots_jacobi(nodes, (d - 3) / 2, (d - 3) / 2)
    w = w / np.sum(w)
    polynomials = [np.ones_like(t), t]
    for n in range(1, count - 1):
        polynomials.append(((2 * n + d - 2) * t * polynomials[n] - n * polynomials[n - 1]) / (n + d - 2))
    table = np.array(polynomials[:count])
    norms = np.sum(w * table**2, axis=1)
    values = f(t)
    return np.sum(w * table * values, axis=1) / norms, np.sum(w * np.abs(table * values), axis=1) / norms


def _on_a_circle(profile: Callable, count: int) -> Coefficients | None:
    angles = 2 * np.pi * np.arange(_CONTOUR_POINTS) / _CONTOUR_POINTS
    half = _CONTOUR_POINTS // 2
    for radius in (0.95, 0.8, 0.6, 0.4):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                values = np.asarray(jax.jit(jax.vmap(profile))(jnp.asarray(radius * np.exp(1j * angles))))
        except Exception:  # the profile is a function of real numbers only
            return None
        if not np.iscomplexobj(values) or not np.all(np.isfinite(values)):
            continue
        spectrum = np.fft.fft(values) / _CONTOUR_POINTS
        # Negative powers of ρ appear where f is not analytic inside the circle.
        stray = float(np.max(np.abs(spectrum[half:])))
        size = float(np.max(np.abs(values)))
        if stray > 1e-14 * size or float(np.max(np.abs(spectrum[:half].imag))) > 1e-12 * size:
            continue
        # A profile may follow another branch off the real axis than on it.
        series = np.polyval(spectrum[:half].real[::-1], 0.3)
        if abs(series - float(profile(jnp.asarray(0.3 * radius)))) > 1e-12 * size:
            continue
        powers = radius ** np.arange(count)
        return spectrum[:count].real / powers, (stray + 4e-16 * size) / powers
    return None


def _on_an_interval(profile: Callable, count: int) -> Coefficients:
    degree, radius = 63, 0.6
    t = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    values = on_arrays(profile)(radius * t)
    size = float(np.max(np.abs(values)))
    spectrum = np.linalg.solve(chebyshev.chebvander(t, degree), values)
    above = np.flatnonzero(np.abs(spectrum) > 4e-16 * size)
    last = int(above[-1]) + 1 if above.size else 1
    # An even or odd function has every second coefficient zero.
    if last >= degree:
        raise EarnshawError("the profile is too rough near ρ = 0 to have a Taylor series that could be measured")
    monomials = np.zeros((last, max(last, count)))
    for k in range(last):
        converted = chebyshev.cheb2poly(np.eye(last)[k])
        monomials[k, : len(converted)] = converted
    powers = radius ** np.arange(count)
    errors = 6e-16 * size * np.sum(np.abs(monomials), axis=0)[:count]
    return (spectrum[:last] @ monomials)[:count] / powers, (errors + 4e-16 * size) / powers


def remaining_mass(profile: Callable, coefficients: Float[np.ndarray, " n"]) -> float:
    """f(1) − Σ c_n: what the coefficients left out add up to."""
    return float(profile(jnp.ones(()))) - math.fsum(coefficients.tolist())
