"""The Fourier transform of a radial function, in any dimension, with an error bound for every value.

Unitary convention: F(k) = (2π)^{−d/2} ∫ f(‖x‖) e^{−ik·x} dx = ∫_0^∞ f(r) r^{d−1} Ω(kr) dr with Ω(z) = z^{1−d/2}
J_{d/2−1}(z). The transform is its own inverse.

The integral is taken panel by panel with Gauss-Kronrod rules: panels shrink geometrically towards r = 0 and towards
every breakpoint, so that integrable singularities and kinks cost nothing, and end at (approximate) zeros of the
Bessel function where it oscillates. If f decays too slowly for the sum of panels to end, Wynn's ε-algorithm
extrapolates the partial sums. That also sums integrals which converge only in Abel's sense (1/r, or r itself, whose
transforms are those of generalised functions); there the bound is the extrapolation's own estimate.
"""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.special import gamma, hyp0f1, jv, spherical_jn

import earnshaw.numerics  # noqa: F401  (float64)
from earnshaw.duality.kronrod import adaptive_panels
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import dimension, positive_number

RadialFunction = Callable[..., object]

_SMALLEST, _LARGEST = -100, 100
_FEWEST_ZEROS, _MOST_ZEROS = 96, 6144
_NEGLIGIBLE = 1e-18


def radial_fourier(
    f: RadialFunction,
    d: int,
    k: Float[np.ndarray, " n"] | Sequence[float] | float,
    *,
    breakpoints: Sequence[float] = (),
    support: float | None = None,
    tolerance: float = 1e-9,
) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """F(k) at every frequency, and a bound on its error.

    `f` is a scalar function of r > 0 (JAX or NumPy), `breakpoints` are the radii at which it is not smooth, and it is
    taken to vanish beyond `support`. The error must be below `tolerance` times the sum of the absolute values of the
    panels, the size of what cancels; otherwise an EarnshawError names the tolerance that was reached.

    >>> values, errors = radial_fourier(lambda r: np.exp(-r**2 / 2), 3, [0.0, 1.0])
    >>> bool(np.all(np.abs(values - np.exp([0.0, -0.5])) < 1e-12))
    True
    """
    frequencies = np.atleast_1d(np.asarray(k, float))
    _check(d, frequencies, breakpoints, support, tolerance)
    evaluate = on_arrays(f)
    breaks = sorted({float(b) for b in breakpoints} | ({float(support)} if support is not None else set()))
    values, errors = np.zeros(frequencies.shape), np.zeros(frequencies.shape)
    for i, frequency in enumerate(frequencies):
        values[i], errors[i], size = _transform(evaluate, d, float(frequency), breaks, support)
        where = f"the radial Fourier transform in R^{d} at k = {frequency:g}"
        if not np.isfinite(values[i]):
            raise EarnshawError(f"{where} does not exist: the integral diverges")
        if errors[i] > tolerance * size:
            raise EarnshawError(
                f"{where} reached a relative error of {errors[i] / size:.1e}, not {tolerance:.1e}; "
                f"give the radii where f is not smooth as breakpoints, or ask for a larger tolerance"
            )
    return values, errors


inverse_radial_fourier = radial_fourier
"""The unitary transform of a radial function is its own inverse."""


def bessel_kernel(d: int, z: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """Ω(z) = z^{1−d/2} J_{d/2−1}(z), the average of e^{iz·x} over the unit sphere up to a constant; entire in z.

    >>> bool(abs(bessel_kernel(3, np.array([0.0]))[0] - np.sqrt(2 / np.pi)) < 1e-15)
    True
    """
    nu = d / 2 - 1
    z = np.asarray(z, float)
    if d == 1:
        return np.sqrt(2 / np.pi) * np.cos(z)
    small = z < max(1.0, nu)
    out = np.empty_like(z)
    out[small] = hyp0f1(d / 2, -(z[small] ** 2) / 4) / (2**nu * gamma(d / 2))
    far = z[~small]
    if d % 2:
        out[~small] = np.sqrt(2 / np.pi) * spherical_jn((d - 3) // 2, far) / far ** ((d - 3) / 2)
    else:
        out[~small] = jv(nu, far) / far**nu
    return out


def on_arrays(f: RadialFunction) -> Callable[[np.ndarray], np.ndarray]:
    """The scalar function as a function of float64 arrays, whichever library it is written for.

    >>> import math
    >>> on_arrays(lambda r: math.exp(-r))(np.array([0.0]))
    array([1.])
    """
    probe = np.array([0.5, 1.5])
    try:
        mapped = jax.jit(jax.vmap(f))  # pyright: ignore[reportArgumentType]
        shape = mapped(jnp.asarray(probe)).shape
    except Exception:
        return _numpy_on_arrays(f, probe)
    if shape != (2,):
        raise EarnshawError(f"a radial function must return one number, got shape {shape[1:]}")

    def call(r: np.ndarray) -> np.ndarray:
        # One compilation per power of two, not one per number of panels.
        padded = np.full(1 << max(10, (r.size - 1).bit_length()), r.flat[0] if r.size else 1.0)
        padded[: r.size] = r.ravel()
        return np.asarray(mapped(padded), float)[: r.size].reshape(r.shape)

    return call


def _numpy_on_arrays(f: RadialFunction, probe: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    single = [np.asarray(f(float(p)), float) for p in probe]
    if any(s.shape != () for s in single):
        raise EarnshawError(f"a radial function must return one number, got shape {single[0].shape}")
    try:
        together = np.asarray(f(probe), float)
        if together.shape == probe.shape and np.allclose(together, single, rtol=1e-12, atol=0, equal_nan=True):
            return lambda r: np.asarray(f(r), float)
    except Exception:  # a function of one number only
        pass
    return np.vectorize(lambda r: float(f(float(r))), otypes=[float])  # pyright: ignore[reportArgumentType]


def _transform(
    f: Callable[[np.ndarray], np.ndarray], d: int, k: float, breaks: list[float], support: float | None
) -> tuple[float, float, float]:
    """(F(k), error bound, sum of absolute values of the panels)."""

    def integrand(r: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            heads = f(r)
            weights = r ** (d - 1) * bessel_kernel(d, k * r)
            # An exponentially small f times a huge power of r is zero, not 0·∞.
            return np.where(heads == 0, 0.0, heads * weights)

    last = support if support is not None else np.inf
    if k == 0:
        edges = _graded_edges(breaks, 2.0**_LARGEST, last)
        sums, errors, _ = adaptive_panels(integrand, edges)
        return _ended(sums, errors, edges, last)
    zeros = _FEWEST_ZEROS
    while True:
        ends = _oscillation_ends(d, k, zeros, max([1.0, *breaks]) if last == np.inf else last)
        edges = np.union1d(_graded_edges(breaks, ends[0], last), ends[ends <= last])
        sums, errors, sizes = adaptive_panels(integrand, edges)
        # Rounding kr turns the kernel's phase by a random part of ε·kr at every node; it adds up like a random walk.
        walk = 1e-16 * float(np.sqrt(np.sum((sizes * (1.0 + k * edges[1:])) ** 2)))
        value, error, size = _ended(sums, errors, edges, last, ends)
        error += walk
        if last < np.inf or error <= 1e-13 * size + 2 * walk or zeros >= _MOST_ZEROS:
            return value, error, size
        zeros *= 4


def _graded_edges(breaks: list[float], end: float, last: float) -> np.ndarray:
    """0, powers of two up to `end`, and points that approach every breakpoint geometrically from both sides."""
    end = min(end, last)
    powers = 2.0 ** np.arange(_SMALLEST, _LARGEST + 1)
    pieces = [np.array([0.0, end]), powers[powers < end]]
    approach = 2.0 ** -np.arange(1, 41)
    below = 0.0
    for i, b in enumerate(breaks):
        above = breaks[i + 1] if i + 1 < len(breaks) else 2 * b
        pieces += [np.array([b]), b - (b - below) * approach]
        if b < last:
            pieces.append(b + (above - b) * approach)
        below = b
    edges = np.unique(np.concatenate(pieces))
    return edges[edges <= last]


def _oscillation_ends(d: int, k: float, zeros: int, cover: float) -> np.ndarray:
    """Approximate zeros of J_{d/2−1}(kr) (McMahon), at least `zeros` of them beyond the radius `cover`."""
    nu = d / 2 - 1
    count = int(np.ceil(k * cover / np.pi)) + zeros
    beta = (np.arange(1, count + 1) + nu / 2 - 0.25) * np.pi
    return (beta - (4 * nu**2 - 1) / (8 * beta)) / k


def _ended(
    sums: np.ndarray, errors: np.ndarray, edges: np.ndarray, last: float, ends: np.ndarray | None = None
) -> tuple[float, float, float]:
    """Add the panels up, and extrapolate if they have not ended; the third number is the size of what cancels."""
    size = float(np.sum(np.abs(sums)))
    if size == 0.0:
        return 0.0, 0.0, 1.0
    if not np.all(np.isfinite(sums)):
        return np.nan, np.inf, 1.0
    error = float(np.sum(errors)) + 4e-16 * size
    if last < np.inf or float(np.max(np.abs(sums[-4:]))) <= _NEGLIGIBLE * size:
        return float(np.sum(sums)), error, size
    if ends is None:
        # Without oscillation the panels double in width: they end like a geometric series or not at all.
        if abs(sums[-1]) >= 0.999 * abs(sums[-2]):
            return np.inf, np.inf, size
        value, spread = wynn(np.cumsum(sums)[-48:])
        return value, spread + error, size
    partial = np.cumsum(sums)[np.searchsorted(edges[1:], ends)]
    value, spread = wynn(partial[-48:])
    # Where f grows the later panels say nothing about the size of the transform.
    size = max(abs(value), float(np.max(np.abs(partial[:16]))))
    return value, spread + float(np.sum(errors)) + 2e-15 * float(np.max(np.abs(partial))), size


def wynn(partial_sums: Float[np.ndarray, " n"]) -> tuple[float, float]:
    """Wynn's ε-algorithm: the limit of a sequence and an error estimate from the spread of its last extrapolations.

    >>> limit, error = wynn(np.cumsum((-1.0) ** np.arange(20) / np.arange(1, 21)))
    >>> bool(abs(limit - np.log(2)) < 1e-12)
    True
    """
    previous, current = np.zeros(len(partial_sums) + 1), np.asarray(partial_sums, float)
    best, error = float(current[-1]), float(np.ptp(current[-3:]))
    order = 0
    while len(current) > 1:
        difference = np.diff(current)
        if np.any(difference == 0):
            break
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            previous, current = current, previous[1:-1] + 1 / difference
        order += 1
        if order % 2 == 0 and len(current) >= 3:
            spread = float(np.ptp(current[-3:]))
            if np.isfinite(spread) and spread < error:
                best, error = float(current[-1]), spread
    return best, 10 * error


def _check(d, frequencies, breakpoints, support, tolerance) -> None:
    dimension(d)
    if frequencies.ndim != 1 or not np.all(np.isfinite(frequencies)) or np.any(frequencies < 0):
        raise EarnshawError("frequencies must be a list of finite numbers k ≥ 0")
    if any(not np.isfinite(b) or b <= 0 for b in breakpoints):
        raise EarnshawError(f"breakpoints must be finite radii r > 0, got {list(breakpoints)}")
    if support is not None and not (np.isfinite(support) and support > 0):
        raise EarnshawError(f"the support must be a finite radius r > 0, got {support}")
    positive_number("the tolerance", tolerance)
