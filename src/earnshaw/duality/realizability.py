"""Is there an activation whose potential this is? With the reason, the evidence, and the activation."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.fourier import on_arrays, radial_fourier
from earnshaw.duality.potential import Potential
from earnshaw.duality.radial import Radial
from earnshaw.duality.radial_activation import RadialActivation, SeparableActivation
from earnshaw.duality.separable import Separable
from earnshaw.duality.spectral_root import Transform, spectral_root
from earnshaw.duality.taylor import gegenbauer_coefficients, remaining_mass, taylor_coefficients
from earnshaw.duality.zonal import PowerSeries, Zonal
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import dimension, shown


@dataclass(frozen=True)
class Evidence:
    """One measured number: what it is, where it was measured, its value and a bound on its error."""

    what: str
    place: float
    value: float
    error: float


@dataclass(frozen=True)
class Realizability:
    """Whether a potential comes from an activation under standard Gaussian inputs in R^d.

    `realizable` is None where the measurement says neither. `mismatch` is the largest difference found between Φ and
    E σσ recomputed from `activation`.
    """

    name: str
    d: int
    realizable: bool | None
    reason: str
    evidence: Evidence | None = None
    activation: Activation | RadialActivation | SeparableActivation | None = None
    mismatch: float | None = None


def realizability(potential: Potential, d: int) -> Realizability:
    """Decide by Fourier transform (radial, separable), Taylor coefficients (zonal) or construction (dual).

    Theorem 2.1 of prsz18 and Theorems 2.4, 2.5 of zps17; the converses are Bochner's and Schoenberg's. A "yes" rests on
    finitely many frequencies or coefficients, all nonnegative up to their errors.

    >>> answer = realizability(Radial(lambda r: r, label="distance"), 3)
    >>> answer.realizable, answer.reason
    (False, 'distance violates Φ(θ, w)² ≤ Φ(θ, θ)Φ(w, w): Φ = 1000 at ‖θ − w‖ = 1000, and 0 at coincidence.')
    """
    d = dimension(d)
    if not isinstance(potential, Potential):
        raise EarnshawError(f"realizability is about potentials, and {shown(potential)} is not one")
    if isinstance(potential, Dual) or (isinstance(potential, Zonal) and potential.activation is not None):
        reason = f"{potential.name} is E σ(θᵀx)σ(wᵀx) by construction."
        return Realizability(potential.name, d, True, reason, activation=potential.activation)
    if isinstance(potential, Radial):
        return _radial(potential.name, potential.profile, d)
    if isinstance(potential, Separable):
        return _separable(potential, d)
    if isinstance(potential, Zonal):
        if d < 2:
            raise EarnshawError(f"a zonal potential lives on S^(d−1) with d ≥ 2, got d = {d}")
        return _zonal(potential, d)
    return _by_gram_matrix(potential, d, 1.0, f"{potential.name} belongs to no family with a criterion")


def _radial(name: str, profile: Callable, d: int) -> Realizability:
    phi = on_arrays(profile)
    at_zero = _limit_at_coincidence(phi)
    if not math.isfinite(at_zero):
        reason = f"{name} is infinite at coincidence, and E σ(x, θ)² = Φ(θ, θ) would have to be finite."
        return Realizability(name, d, False, reason, Evidence("Φ at ‖θ − w‖", 0.0, at_zero, 0.0))
    radii = np.geomspace(1e-3, 1e3, 1201)
    values = phi(radii)
    worst = int(np.nanargmax(np.abs(values)))
    if abs(values[worst]) > at_zero * (1 + 1e-9):
        reason = (
            f"{name} violates Φ(θ, w)² ≤ Φ(θ, θ)Φ(w, w): Φ = {values[worst]:.6g} at ‖θ − w‖ = {radii[worst]:.6g}, "
            f"and {at_zero:.6g} at coincidence."
        )
        return Realizability(
            name, d, False, reason, Evidence("Φ at ‖θ − w‖", float(radii[worst]), float(values[worst]), 0.0)
        )
    floor = float(np.mean(values[-100:]))
    if np.ptp(values[-100:]) <= 1e-12 * at_zero and abs(floor) > 1e-9 * at_zero:
        return _with_floor(name, profile, d, at_zero, floor)
    kinks = tuple(getattr(profile, "breakpoints", ()))
    scale = min(kinks) if kinks else _half_width(radii, values, at_zero)
    transform = _transform(profile, d, kinks)
    try:
        k, f, errors = _measured(transform, scale)
    except EarnshawError as problem:
        return _by_gram_matrix(Radial(profile, label=name), d, scale, f"the Fourier transform of {name}: {problem}")
    if np.any(_negative(f, errors)):
        place, value, error = _deepest(transform, k, f, errors)
        reason = (
            f"the Fourier transform of {name} in R^{d} is negative: {value:.3e} ± {error:.1e} at |ω| = {place:.6g}."
        )
        return Realizability(name, d, False, reason, Evidence("Fourier transform at |ω|", place, value, error))
    certain = f > 30 * errors
    if np.count_nonzero(certain) < 8:
        return _by_gram_matrix(
            Radial(profile, label=name), d, scale, f"the Fourier transform of {name} is lost in its own error"
        )
    i = int(np.flatnonzero(certain)[np.argmin(f[certain])])
    evidence = Evidence(
        "smallest Fourier transform above its error, at |ω|", float(k[i]), float(f[i]), float(errors[i])
    )
    answer = Realizability(
        name,
        d,
        True,
        f"the Fourier transform of {name} in R^{d} is nonnegative at all {k.size} measured frequencies",
        evidence,
    )
    reach = float(radii[np.flatnonzero(np.abs(values) > 1e-12 * at_zero)[-1]])
    return _with_radial_activation(answer, profile, transform, scale, reach, at_zero, kinks)


def _with_radial_activation(
    answer: Realizability,
    profile: Callable,
    transform: Transform,
    scale: float,
    reach: float,
    at_zero: float,
    kinks: tuple[float, ...],
) -> Realizability:
    try:
        root = spectral_root(transform, answer.d, scale, reach)
    except EarnshawError as problem:
        return replace(answer, reason=f"{answer.reason}; its activation was not built: {problem}.")
    activation = RadialActivation(root, answer.d, f"activation of {answer.name}", kinks)
    mismatch = activation.check(profile, scale * np.array([0.0, 0.5, 1.5, 4.0]))
    if not mismatch <= 0.05 * at_zero:
        # Mass at ω = 0 alone, as a constant has, is seen by no quadrature.
        reason = f"{answer.reason}, but the activation built from it reproduces Φ only to {mismatch:.1e}."
        return replace(answer, realizable=None, reason=reason, mismatch=mismatch)
    reason = f"{answer.reason}, and its activation reproduces Φ to {mismatch:.1e}."
    return replace(answer, reason=reason, activation=activation, mismatch=mismatch)


def _negative(f: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Below zero by so much that the error bound would have to be wrong by a factor of ten."""
    return f + 10 * errors < 0


def _with_floor(name: str, profile: Callable, d: int, at_zero: float, floor: float) -> Realizability:
    """Φ tends to a constant, which is a mass of that size at ω = 0."""
    evidence = Evidence("mass of the Fourier transform at |ω|", 0.0, floor, 1e-12 * at_zero)
    if floor < 0:
        reason = f"{name} tends to {floor:.6g}, a negative mass of its Fourier transform at ω = 0."
        return Realizability(name, d, False, reason, evidence)
    if at_zero - floor <= 1e-12 * at_zero:
        activation = activations.from_powers((math.sqrt(floor),), f"activation of {name}")
        return Realizability(name, d, True, f"{name} is a nonnegative constant.", evidence, activation, 0.0)
    rest = _radial(f"{name} less its limit {floor:.6g}", lambda r: profile(r) - floor, d)
    # A sum of potentials is realised on independent inputs, not by one translate of one function.
    return replace(rest, name=name, activation=None, mismatch=None)


def _separable(potential: Separable, d: int) -> Realizability:
    profile = potential.profile
    # An even number of factors may all change their sign.
    flipped = d % 2 == 0 and float(profile(jnp.zeros(()))) < 0
    one = _radial(potential.name, (lambda r: -profile(r)) if flipped else profile, 1)
    activation = None
    if isinstance(one.activation, RadialActivation):
        activation = SeparableActivation(one.activation, d)
    return replace(one, d=d, reason=f"for each coordinate, {one.reason}", activation=activation)


def _zonal(potential: Zonal, d: int) -> Realizability:
    name, profile = potential.name, potential.profile
    f = on_arrays(profile)
    rho = np.concatenate([np.linspace(-1.0, 1.0, 2001), 1 - np.geomspace(1e-9, 1e-3, 50)])
    values = f(rho)
    at_one = float(f(np.ones(1))[0])
    if not math.isfinite(at_one):
        reason = f"{name} is not finite at coincidence, and E σ(θᵀx)² = Φ(θ, θ) would have to be finite."
        return Realizability(name, d, False, reason, Evidence("Φ at θᵀw", 1.0, at_one, 0.0))
    worst = int(np.nanargmax(np.abs(values)))
    if abs(values[worst]) > at_one * (1 + 1e-9) + 1e-300:
        reason = (
            f"{name} violates Φ(θ, w)² ≤ Φ(θ, θ)Φ(w, w): Φ = {values[worst]:.6g} at θᵀw = {rho[worst]:.6g}, "
            f"and {at_one:.6g} at coincidence."
        )
        return Realizability(name, d, False, reason, Evidence("Φ at θᵀw", float(rho[worst]), float(values[worst]), 0.0))
    on_this_sphere = _on_this_sphere(profile, d)
    try:
        coefficients, errors = taylor_coefficients(profile)
    except EarnshawError as problem:
        verdict = False if on_this_sphere[0] is False else None
        return Realizability(name, d, verdict, f"{name}: {problem}; {on_this_sphere[1]}.", on_this_sphere[2])
    negative = np.flatnonzero(coefficients + 3 * errors < 0)
    if negative.size:
        n = int(negative[0])
        reason = (
            f"the Taylor coefficient c_{n} of {name} is negative, {coefficients[n]:.6g} ± {errors[n]:.1e}, "
            f"so no σ(θᵀx) realises it; {on_this_sphere[1]}."
        )
        evidence = Evidence("Taylor coefficient of order", float(n), float(coefficients[n]), float(errors[n]))
        return Realizability(name, d, False, reason, evidence)
    if on_this_sphere[0] is False:
        return Realizability(name, d, False, f"{name}: {on_this_sphere[1]}.", on_this_sphere[2])
    # Rounding noise would come back as its square root.
    kept = np.trim_zeros(np.where(coefficients > 3 * errors, coefficients, 0.0), "b")
    exact = isinstance(profile, PowerSeries)
    remainder = 0.0 if exact else remaining_mass(profile, kept)
    smallest = int(np.argmin(coefficients))
    evidence = Evidence(
        "smallest Taylor coefficient, of order", float(smallest), float(coefficients[smallest]), float(errors[smallest])
    )
    extent = "all" if exact else f"the first {coefficients.size}"
    tail = "" if exact else f" (the others add up to {remainder:.1e})"
    reason = f"{extent} Taylor coefficients of {name} are nonnegative{tail}, so σ = Σ √c_n h_n realises it."
    activation = activations.from_hermite(tuple(float(c) for c in np.sqrt(kept)), f"activation of {name}")
    mismatch = float(np.max(np.abs(np.polyval(kept[::-1], rho) - values)))
    return Realizability(name, d, True, reason, evidence, activation, mismatch)


def _on_this_sphere(profile: Callable, d: int) -> tuple[bool | None, str, Evidence | None]:
    """Schoenberg's criterion for this one dimension: positive semidefinite, in words, with the evidence against."""
    coefficients, errors = gegenbauer_coefficients(profile, d)
    negative = np.flatnonzero(coefficients + 3 * errors < 0)
    if negative.size:
        n = int(negative[np.argmin(coefficients[negative])])
        evidence = Evidence("Gegenbauer coefficient of order", float(n), float(coefficients[n]), float(errors[n]))
        words = (
            f"on S^{d - 1} its Gegenbauer coefficient of order {n} is negative, {coefficients[n]:.6g} "
            f"± {errors[n]:.1e}, so no σ(x, θ) of any form does"
        )
        return False, words, evidence
    words = f"on S^{d - 1} its first {coefficients.size} Gegenbauer coefficients are nonnegative"
    return None, words, None


def _by_gram_matrix(potential: Potential, d: int, scale: float, why: str) -> Realizability:
    """Where no transform is at hand: a Gram matrix with a negative eigenvalue refutes, and nothing confirms."""
    points = scale * np.random.default_rng(0).normal(size=(48, d)) * np.geomspace(0.1, 3.0, 48)[:, None]
    if potential.space == "sphere":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    gram = np.asarray(potential.matrix(jnp.asarray(points), jnp.asarray(points)))
    why = why.rstrip(".")
    if not np.all(np.isfinite(gram)):
        return Realizability(potential.name, d, None, f"{why}; its Gram matrices are not finite.")
    smallest = float(np.linalg.eigvalsh((gram + gram.T) / 2)[0])
    error = 1e-13 * float(np.max(np.abs(gram))) * len(points)
    evidence = Evidence("smallest eigenvalue of a Gram matrix of size", float(len(points)), smallest, error)
    if smallest < -3 * error:
        reason = f"a Gram matrix of {potential.name} has the eigenvalue {smallest:.3e} ± {error:.1e}."
        return Realizability(potential.name, d, False, reason, evidence)
    return Realizability(potential.name, d, None, f"{why}; its Gram matrices show no negative eigenvalue.", evidence)


def _limit_at_coincidence(phi: Callable[[np.ndarray], np.ndarray]) -> float:
    at_zero = float(phi(np.zeros(1))[0])
    if np.isinf(at_zero):
        return at_zero
    near = phi(2.0 ** -np.array([20.0, 40.0, 60.0, 80.0, 100.0]))
    steps = np.abs(np.diff(near))
    if not np.all(np.isfinite(near)) or (steps[-1] > 0.5 * steps[0] and steps[-1] > 1e-6 * np.abs(near[0])):
        return math.inf
    return at_zero if math.isfinite(at_zero) else float(near[1])


def _half_width(radii: Float[np.ndarray, " n"], values: Float[np.ndarray, " n"], at_zero: float) -> float:
    below = np.flatnonzero(np.abs(values) <= at_zero / 2)
    return float(radii[below[0]]) if below.size else 1.0


def _transform(profile: Callable, d: int, kinks: tuple[float, ...]) -> Transform:
    closed = getattr(profile, "fourier", None)
    if closed is not None and getattr(profile, "d", None) == d:
        return closed
    return lambda k: radial_fourier(profile, d, k, breakpoints=kinks, tolerance=1e-3)


def _measured(transform: Transform, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies, values and errors: logarithmic for the decay, linear for the oscillations."""
    k = np.unique(np.concatenate([np.geomspace(1e-2, 256.0, 61), np.linspace(0.1, 40.0, 240)])) / scale
    values, errors = transform(k)
    return k, values, errors


def _deepest(transform: Transform, k: np.ndarray, f: np.ndarray, errors: np.ndarray) -> tuple[float, float, float]:
    """Where the transform is most negative: the best measured frequency, refined between its neighbours."""
    i = int(np.argmin(np.where(_negative(f, errors), f, np.inf)))
    low, high = k[max(i - 1, 0)], k[min(i + 1, k.size - 1)]
    fine = np.append(np.linspace(low, high, 41), k[i])
    values, bounds = transform(fine)
    j = int(np.argmin(values))
    return float(fine[j]), float(values[j]), float(bounds[j])
