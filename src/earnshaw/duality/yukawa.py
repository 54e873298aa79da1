"""λ-harmonic potentials in odd dimension, and the bounded ones that agree with them outside a small ball.

The λ-harmonic potential that decays is p(√λ r) e^{−√λ r} / r^{d−2}. It is infinite at coincidence, so no activation
has it. Replacing it inside r < ε by the polynomial whose derivative of order d − 1 is linear gives a potential that
is bounded, has nonnegative Fourier transform when d ≡ 3 mod 4, and keeps its eigenvalue outside (prsz18, Lemmas 4.2
and B.7 to B.9).
"""

import math
from functools import lru_cache
from typing import TypeGuard

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import gammaln

import earnshaw.numerics  # noqa: F401  (float64)
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import positive_number, shown

#: The coefficients of derivatives of order d grow like (2d)!/d!.
HIGHEST_DIMENSION = 127

Scalar = float | Float[Array, "..."] | Float[np.ndarray, "..."]


@lru_cache(maxsize=256)
def harmonic_polynomials(d: int, orders: int) -> tuple[tuple[float, ...], ...]:
    """Coefficients of p_0, …, p_orders with Φ^{(k)}(r) = (−1)^k p_k(√λ r) e^{−√λ r} / r^{d−2+k}.

    p_0 has degree (d − 3)/2, p_0(0) = 1 and solves z p″ − (d − 3 + 2z) p′ + (d − 3) p = 0; then p_{k+1} = (d − 2 + k
    + z) p_k − z p_k′. Every coefficient is positive, so nothing cancels.

    >>> harmonic_polynomials(7, 1)
    ((1.0, 1.0, 0.3333333333333333), (5.0, 5.0, 2.0, 0.3333333333333333))
    """
    require_odd(d)
    coefficients = [1.0]
    for i in range((d - 3) // 2):
        coefficients.append(coefficients[-1] * (d - 3 - 2 * i) / ((i + 1) * (d - 3 - i)))
    polynomials = [coefficients]
    for k in range(orders):
        p = polynomials[-1]
        power = d - 2 + k
        kept = [(power - i) * c for i, c in enumerate(p)] + [0.0]
        raised = [0.0, *p]
        polynomials.append([a + b for a, b in zip(kept, raised, strict=True)])
    return tuple(tuple(p) for p in polynomials)


def require_odd(d: object) -> None:
    """Refuse a dimension in which the λ-harmonic potential is not elementary.

    >>> require_odd(5)
    """
    if not _is_whole(d) or d < 3 or d % 2 == 0:
        works = "3" if not _is_whole(d) or d < 4 else f"{d - 1} or {d + 1}"
        raise EarnshawError(
            f"p(r)e^{{−√λ r}}/r^{{d−2}} needs an odd dimension d ≥ 3 to be λ-harmonic, got d = {shown(d)}; "
            f"d = {works} works"
        )
    if d > HIGHEST_DIMENSION:
        raise EarnshawError(
            f"the λ-harmonic potential is computed up to dimension d = {HIGHEST_DIMENSION}, got d = {shown(d)}; "
            "beyond that its derivatives leave the range of double precision"
        )


def require_three_mod_four(d: object) -> None:
    """Refuse a dimension in which the almost λ-harmonic potential does not exist.

    >>> require_three_mod_four(11)
    """
    if not _is_whole(d) or d < 3 or d % 4 != 3:
        if not _is_whole(d) or d < 3:
            works = "d = 3 works"
        else:
            below = d - (d - 3) % 4
            works = f"the nearest that work are d = {below} and d = {below + 4}"
        raise EarnshawError(
            f"an almost λ-harmonic potential needs a dimension d ≡ 3 (mod 4), got d = {shown(d)}; {works}"
        )
    require_odd(d)


def _is_whole(d: object) -> TypeGuard[int | np.integer]:
    return isinstance(d, int | np.integer) and not isinstance(d, bool)


class Yukawa(eqx.Module):
    """Profile of the decaying λ-harmonic potential Φ(r) = p(√λ r) e^{−√λ r} / r^{d−2}, d odd, p(0) = 1 (prsz18, Lemma
    B.9).

    >>> profile = Yukawa(3, 4.0)
    >>> bool(abs(profile(2.0) - jnp.exp(-4.0) / 2.0) < 1e-15)
    True
    """

    d: int = eqx.field(static=True)
    lam: float = eqx.field(static=True)

    def __init__(self, d: int, lam: float = 1.0):
        require_odd(d)
        self.d = int(d)
        self.lam = positive_number("lam", lam)

    def __call__(self, r: Scalar) -> Float[Array, "..."]:
        """Φ(r), r > 0."""
        return self.derivative(r, 0)

    def derivative(self, r: Scalar, order: int) -> Float[Array, "..."]:
        """Φ^{(order)}(r), r > 0: even orders are positive, odd orders negative."""
        r = jnp.asarray(r, float)
        z = math.sqrt(self.lam) * r
        polynomial = harmonic_polynomials(self.d, order)[order]
        return (-1) ** order * jnp.polyval(jnp.asarray(polynomial[::-1]), z) * jnp.exp(-z) / r ** (self.d - 2 + order)


class AlmostHarmonic(eqx.Module):
    """Profile that is λ-harmonic for r ≥ ε, bounded, one at coincidence, and of nonnegative Fourier transform
    (prsz18, Lemmas 4.2, B.9).

    For r ≥ ε it is the decaying λ-harmonic potential; for r < ε it is the polynomial that continues all derivatives
    of order at most d − 1 and whose derivative of order d − 1 is C·r, C = Φ^{(d−1)}(ε)/ε. In u = 1 − r/ε that
    polynomial is Σ_{k<d} p_k(√λ ε) u^k/k! − p_{d−1}(√λ ε) u^d/d!, a sum in which nothing cancels.

    The bounds are those of Lemma B.9 and hold for ε < 1. They bound the normalised potential; the lemma's stray
    factor r in the derivative bound is left out, since at r = 0 it would claim Φ(0) ≤ 0.

    >>> profile = AlmostHarmonic(7, 0.1)
    >>> round(float(profile(0.0)), 12)
    1.0
    """

    d: int = eqx.field(static=True)
    eps: float = eqx.field(static=True)
    lam: float = eqx.field(static=True)

    def __init__(self, d: int, eps: float, lam: float = 1.0):
        require_three_mod_four(d)
        self.d = int(d)
        self.eps = positive_number("eps", eps)
        self.lam = positive_number("lam", lam)
        try:
            scale = self._outer_scale
        except OverflowError:
            scale = 0.0
        if not (math.isfinite(scale) and scale > 0):
            raise EarnshawError(
                f"the almost λ-harmonic potential for d = {self.d}, eps = {self.eps:g}, lam = {self.lam:g} leaves the "
                "range of double precision; take a smaller eps·√lam"
            )

    @property
    def breakpoints(self) -> tuple[float]:
        """The radius at which the profile is not smooth."""
        return (self.eps,)

    @property
    def inner_coefficients(self) -> tuple[float, ...]:
        """Coefficients c_k of the normalised potential Σ c_k u^k, u = 1 − r/ε, for r ≤ ε."""
        return _inner_coefficients(self.d, self.eps * math.sqrt(self.lam))

    def __call__(self, r: Scalar) -> Float[Array, "..."]:
        """Φ(r), r ≥ 0."""
        return self.derivative(r, 0)

    def derivative(self, r: Scalar, order: int) -> Float[Array, "..."]:
        """Φ^{(order)}(r), one-sided at r = 0; continuous for order ≤ d − 1 on r > 0."""
        r = jnp.asarray(r, float)
        inside = r < self.eps
        # Each branch is evaluated only where it is meant: an infinity in the other would poison gradients.
        u = 1.0 - jnp.where(inside, r, self.eps) / self.eps
        inner = _differentiated(self.inner_coefficients, order)
        value_inside = (-1) ** order * jnp.polyval(jnp.asarray(inner[::-1]), u) / self.eps**order
        far = jnp.where(inside, self.eps, r)
        root = math.sqrt(self.lam)
        polynomial = harmonic_polynomials(self.d, order)[order]
        scale = self._outer_scale / self.eps**order
        decay = jnp.exp(-root * (far - self.eps)) * (self.eps / far) ** (self.d - 2 + order)
        value_outside = (-1) ** order * scale * jnp.polyval(jnp.asarray(polynomial[::-1]), root * far) * decay
        return jnp.where(inside, value_inside, value_outside)

    @property
    def _outer_scale(self) -> float:
        return 1.0 / _inner_sum(self.d, self.eps * math.sqrt(self.lam))

    def derivative_bound(self, order: int) -> float:
        """A number that |Φ^{(order)}(r)| never exceeds, 0 ≤ order ≤ d − 1: 3 (2d + √λ)^{2d} ε^{−2d} e^{√λ}."""
        self._require_small()
        if not 0 <= order <= self.d - 1:
            raise EarnshawError(f"the bound is for derivatives of order 0 to d − 1 = {self.d - 1}, not {order}")
        return math.exp(math.log(3.0) + self._log_size + math.sqrt(self.lam))

    def lower_bound(self, r: Scalar) -> Float[Array, "..."]:
        """A lower bound of Φ(r) for r ≥ ε: e^{−√λ r} r^{2−d} (2d + √λ)^{−2d} ε^{2d} / 3."""
        self._require_small()
        r = jnp.asarray(r, float)
        return jnp.exp(-math.sqrt(self.lam) * r + (2 - self.d) * jnp.log(r) - self._log_size - math.log(3.0))

    def upper_bound(self, r: Scalar) -> Float[Array, "..."]:
        """An upper bound of Φ(r) for r ≥ ε: (1 + √λ r)^d e^{√λ (1−r)} r^{2−d}."""
        self._require_small()
        r = jnp.asarray(r, float)
        root = math.sqrt(self.lam)
        return (1.0 + root * r) ** self.d * jnp.exp(root * (1.0 - r)) * r ** (2 - self.d)

    def slope_lower_bound(self, r: Scalar) -> Float[Array, "..."]:
        """A lower bound of |Φ′(r)| for r ≥ ε: e^{−√λ r} r^{1−d} (2d + √λ)^{−2d} ε^{2d} / 3."""
        return self.lower_bound(r) / jnp.asarray(r, float)

    def slope_upper_bound(self, r: Scalar) -> Float[Array, "..."]:
        """An upper bound of |Φ′(r)| for r ≥ ε: (d + √λ r)(1 + √λ r)^d e^{√λ (1−r)} r^{1−d}."""
        r = jnp.asarray(r, float)
        return (self.d + math.sqrt(self.lam) * r) * self.upper_bound(r) / r

    @property
    def _log_size(self) -> float:
        return 2 * self.d * math.log((2 * self.d + math.sqrt(self.lam)) / self.eps)

    def _require_small(self) -> None:
        if self.eps >= 1.0:
            raise EarnshawError(f"the bounds are claimed for eps < 1, got eps = {self.eps}")

    def fourier(self, k: Float[np.ndarray, " n"]) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Unitary Fourier transform in R^d at |ω| = k, and an error bound; relative accuracy is kept however small
        the value.

        (λ − Δ)Φ vanishes outside the ball and is (ε/r) u^{d−2} × cubic(u) inside it, u = 1 − r/ε, so the transform is
        four power series divided by k² + λ; they are summed in integer arithmetic long enough for their cancellation.
        """
        frequencies = np.atleast_1d(np.asarray(k, float))
        if not np.all(np.isfinite(frequencies)) or np.any(frequencies < 0):
            raise EarnshawError("frequencies must be finite and nonnegative")
        x = self.eps * math.sqrt(self.lam)
        heads = _source_coefficients(self.d, x)
        values = np.array(
            [
                sum(h * _moment(self.d, j, kappa) for j, h in heads) / (kappa**2 + x**2)
                for kappa in (self.eps * frequencies).tolist()
            ]
        )
        values *= self._outer_scale * self.eps**self.d
        return values, 1e-14 * self.d * np.abs(values)


def _inner_sum(d: int, x: float) -> float:
    """The inner polynomial at r = 0 before normalisation, in units in which it is p_0(x) at r = ε."""
    p = _values_at(d, x)
    return math.fsum(p[k] / math.factorial(k) for k in range(d)) - p[d - 1] / math.factorial(d)


@lru_cache(maxsize=256)
def _values_at(d: int, x: float) -> tuple[float, ...]:
    return tuple(math.fsum(c * x**i for i, c in enumerate(p)) for p in harmonic_polynomials(d, d - 1))


@lru_cache(maxsize=256)
def _inner_coefficients(d: int, x: float) -> tuple[float, ...]:
    p = _values_at(d, x)
    raw = [p[k] / math.factorial(k) for k in range(d)] + [-p[d - 1] / math.factorial(d)]
    total = math.fsum(raw)
    return tuple(c / total for c in raw)


def _differentiated(coefficients: tuple[float, ...], order: int) -> tuple[float, ...]:
    """Coefficients of the derivative of the given order of Σ c_k u^k."""
    return tuple(c * math.perm(k, order) for k, c in enumerate(coefficients) if k >= order) or (0.0,)


@lru_cache(maxsize=256)
def _source_coefficients(d: int, x: float) -> tuple[tuple[int, float], ...]:
    """(j, H_j) with t (x² − Δ)P = Σ_j H_j u^j, t = r/ε = 1 − u; the matching at u = 0 leaves only j = d − 2, …, d +
    1."""
    p = _values_at(d, x)
    c = [p[k] / math.factorial(k) for k in range(d)] + [-p[d - 1] / math.factorial(d), 0.0, 0.0]

    def coefficient(j: int) -> float:
        mass = x**2 * (c[j] - c[j - 1])
        curvature = -(j + 2) * (j + 1) * _at(c, j + 2) + (j + 1) * j * _at(c, j + 1)
        return mass + curvature + (d - 1) * (j + 1) * _at(c, j + 1)

    return tuple((j, coefficient(j)) for j in range(d - 2, d + 2))


def _at(coefficients: list[float], k: int) -> float:
    return coefficients[k] if k < len(coefficients) else 0.0


def _moment(d: int, j: int, kappa: float) -> float:
    """∫_0^1 (1 − t)^j t^{d−2} Ω(κt) dt with Ω(z) = z^{1−d/2} J_{d/2−1}(z), by its power series in fixed-point
    integers."""
    # The largest term exceeds the sum by at most e^κ κ^{d+j}; the guard bits absorb that.
    bits = 128 + math.ceil(kappa * 1.4427) + math.ceil((d + j) * math.log2(2.0 + kappa))
    numerator, denominator = kappa.as_integer_ratio()
    square, unit = numerator**2, denominator**2
    term = 1 << bits
    total = term
    m = 0
    while term:
        # (κ/2)² / ((m+1)(m + d/2)) × the ratio of the Beta functions
        top = square * (d - 1 + 2 * m) * (d + 2 * m)
        bottom = unit * 2 * (m + 1) * (2 * m + d) * (d + 2 * m + j) * (d + 1 + 2 * m + j)
        term = -(term * top // bottom) if term > 0 else (-term * top // bottom)
        total += term
        m += 1
    log_first = (1 - d / 2) * math.log(2.0) - gammaln(d / 2) + gammaln(j + 1) + gammaln(d - 1) - gammaln(d + j)
    return (total / (1 << bits)) * math.exp(log_first)


def almost_harmonic(d: int, eps: float, lam: float = 1.0) -> Radial:
    """The normalised potential that is λ-harmonic for r ≥ ε (prsz18, Lemma 4.2); its `profile` carries the lemma's
    bounds.

    >>> potential = almost_harmonic(3, 0.1)
    >>> round(float(potential.profile(0.0)), 12)
    1.0
    """
    return Radial(AlmostHarmonic(d, eps, lam), label="almost harmonic")


def harmonic_yukawa(d: int, lam: float = 1.0) -> Radial:
    """The decaying λ-harmonic potential of odd dimension d, infinite at coincidence (prsz18, Lemma B.9).

    >>> float(harmonic_yukawa(5, 1.0).profile(1.0)) == 2.0 * float(jnp.exp(-1.0))
    True
    """
    return Radial(Yukawa(d, lam), label="yukawa")
