"""Where a potential is harmonic, an eigenfunction of the Laplacian, or strictly sub- or superharmonic: measured, not
tabulated."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality.dual import Dual
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.potential import Potential
from earnshaw.duality.radial import Radial
from earnshaw.duality.separable import Separable
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import dimension

Kind = Literal[
    "harmonic", "lambda-harmonic", "eigenfunction", "strictly-subharmonic", "strictly-superharmonic", "constant"
]

_Label = tuple[Kind, float | None]

_HARMONIC = 1e-12
_EIGENVALUE = 1e-8
_SHORTEST_EIGENSPACE = 0.05
_ROUNDING = 4e-15
_UNDERFLOW = 1e-280
_POINTS = 601


@dataclass(frozen=True)
class Segment:
    """An interval of the variable on which the Laplacian behaves in one way.

    `kind` is "harmonic" (ΔΦ = 0), "lambda-harmonic" (ΔΦ = λΦ, λ > 0), "eigenfunction" (ΔΦ = λΦ with λ < 0: negative
    where Φ is positive), "strictly-subharmonic" (ΔΦ > 0), "strictly-superharmonic" (ΔΦ < 0) or "constant". Equalities
    hold as far as the rounding of the terms that cancel lets one see: eigenvalues to 1e-8.
    """

    low: float
    high: float
    kind: Kind
    eigenvalue: float | None = None


@dataclass(frozen=True)
class Harmonicity:
    """The classification of a potential in dimension d, along the variable it depends on."""

    name: str
    d: int
    variable: Literal["r", "ρ", "rₗ"]
    segments: tuple[Segment, ...]
    one_harmonic_residual: float | None = None
    """On the sphere: the largest |ΔΦ − Φ| for |ρ| ≤ ½ relative to the largest |Φ| there."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds from the lowest segment to the highest."""
        return tuple(s.kind for s in self.segments)

    def at(self, value: float) -> Segment:
        """The segment that contains this value of the variable."""
        for segment in self.segments:
            if segment.low <= value <= segment.high:
                return segment
        raise EarnshawError(
            f"{self.variable} = {value:g} lies outside the measured range "
            f"[{self.segments[0].low:g}, {self.segments[-1].high:g}]"
        )

    def summary(self) -> str:
        """One sentence."""
        parts = [f"{_words(s)} for {_range(s, self.variable)}" for s in self.segments]
        return f"{self.name} in dimension {self.d} is " + ", ".join(parts) + "."


def harmonicity(potential: Potential, d: int, *, radii: tuple[float, float] = (1e-3, 60.0)) -> Harmonicity:
    """Classify ΔΦ in the first argument, along r > 0 (radial), ρ in (−1, 1) (zonal) or off the hyperplanes (separable).

    Derivatives come from JAX, on a fine grid; ends of segments are refined by bisection. `radii` is the measured range
    of r, logarithmic; beyond it the classification is taken to continue.

    >>> gaussian = Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian")
    >>> harmonicity(gaussian, 4).summary()
    'gaussian in dimension 4 is strictly superharmonic for r < 2, strictly subharmonic for r > 2.'
    """
    d = dimension(d)
    if not (0 < radii[0] < radii[1] < math.inf):
        raise EarnshawError(f"radii must be a range 0 < low < high, got {radii}")
    grid = np.geomspace(*radii, _POINTS)
    if isinstance(potential, Radial):
        return _classified(potential.name, d, "r", _radial_terms(potential.profile, d), grid)
    if isinstance(potential, Zonal):
        if d < 2:
            raise EarnshawError(f"a zonal potential lives on S^(d−1) with d ≥ 2, got d = {d}")
        terms = _zonal_terms(potential.profile, d)
        measured = _classified(potential.name, d, "ρ", terms, np.linspace(-0.999, 0.999, _POINTS))
        inner = np.linspace(-0.5, 0.5, 101)
        values = terms.value(inner)
        residual = float(np.max(np.abs(terms.laplacian(inner) - values)) / np.max(np.abs(values)))
        return replace(measured, one_harmonic_residual=residual)
    if isinstance(potential, Separable):
        # ΔΦ/Φ is a sum over coordinates: Φ is an eigenfunction with eigenvalue d·λ₁ where each factor is one with λ₁.
        return _raised(_classified(potential.name, 1, "rₗ", _radial_terms(potential.profile, 1), grid), d)
    if isinstance(potential, Dual):
        return harmonicity(potential.on_sphere(), d)
    kind = type(potential).__name__
    raise EarnshawError(f"harmonicity is measured for radial, zonal, separable and dual potentials, not for {kind}")


@dataclass(frozen=True)
class _Terms:
    """Φ, its Laplacian, and the size of the terms that cancel in it."""

    value: Callable[[np.ndarray], np.ndarray]
    laplacian: Callable[[np.ndarray], np.ndarray]
    size: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]
    on_sphere: bool = False


def _radial_terms(profile: Callable, d: int) -> _Terms:
    first, second = jax.grad(profile), jax.grad(jax.grad(profile))
    return _Terms(
        on_arrays(profile),
        on_arrays(lambda r: second(r) + (d - 1) / r * first(r)),
        on_arrays(lambda r: jnp.abs(second(r)) + (d - 1) / r * jnp.abs(first(r))),
        on_arrays(first),
    )


def _zonal_terms(profile: Callable, d: int) -> _Terms:
    first, second = jax.grad(profile), jax.grad(jax.grad(profile))
    return _Terms(
        on_arrays(profile),
        on_arrays(lambda t: (1 - t**2) * second(t) - (d - 1) * t * first(t)),
        on_arrays(lambda t: (1 - t**2) * jnp.abs(second(t)) + (d - 1) * jnp.abs(t * first(t))),
        on_arrays(first),
        on_sphere=True,
    )


def _classified(
    name: str, d: int, variable: Literal["r", "ρ", "rₗ"], terms: _Terms, grid: Float[np.ndarray, " n"]
) -> Harmonicity:
    values = terms.value(grid)
    # Far out a profile underflows, and with it every relative statement about its Laplacian.
    alive = np.isfinite(values) & (np.abs(values) + terms.size(grid) > _UNDERFLOW)
    grid = grid[alive]
    if grid.size < 8:
        raise EarnshawError(f"{name} is zero or not finite almost everywhere, so its Laplacian has no sign to measure")
    labels = _labels(terms, grid)
    segments = [Segment(grid[0], grid[0], *labels[0])]
    for i in range(1, len(grid)):
        if not _alike(labels[i], labels[i - 1]):
            segments += _crossings(terms, segments, float(grid[i - 1]), float(grid[i]), labels[i])
    segments[-1] = replace(segments[-1], high=grid[-1])
    if terms.on_sphere:
        segments = [_signed(s, terms) if s.high - s.low < _SHORTEST_EIGENSPACE else s for s in segments]
    return Harmonicity(name, d, variable, _open_ended(_merged(segments), variable))


def _signed(segment: Segment, terms: _Terms) -> Segment:
    """A stretch too short to speak of an eigenvalue, by the sign of its Laplacian alone."""
    if segment.eigenvalue is None or segment.kind in ("harmonic", "constant"):
        return segment
    laplacian = float(terms.laplacian(np.array([(segment.low + segment.high) / 2]))[0])
    kind: Kind = "strictly-subharmonic" if laplacian > 0 else "strictly-superharmonic"
    return replace(segment, kind=kind, eigenvalue=None)


def _crossings(terms: _Terms, segments: list[Segment], low: float, high: float, final: _Label) -> list[Segment]:
    """Close the last segment, and open those that begin between two grid points; there may be more than one."""
    opened: list[Segment] = []
    label: _Label = (segments[-1].kind, segments[-1].eigenvalue)
    for _ in range(8):
        boundary = _boundary(terms, low, high, label)
        last = opened[-1] if opened else segments[-1]
        (opened if opened else segments)[-1] = replace(last, high=boundary)
        low = min(boundary + 1e-9 * max(abs(boundary), 1e-3), high)
        label = _labels(terms, np.array([low]))[0] if low < high else final
        opened.append(Segment(boundary, high, *label))
        if _alike(label, final):
            break
    return opened


def _labels(terms: _Terms, points: Float[np.ndarray, " n"]) -> list[_Label]:
    def ratio(at: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return terms.laplacian(at) / terms.value(at)

    values, laplacian, size = terms.value(points), terms.laplacian(points), terms.size(points)
    flat = terms.slope(points)
    # An eigenvalue is a ratio ΔΦ/Φ that is the same some way ahead or some way back, not one that passes by.
    # Two places on the same side, because an even function takes the same ratio at ±ρ.
    if terms.on_sphere:
        ahead = [np.minimum(points + step, 0.9995) for step in (0.1, 0.2)]
        back = [np.maximum(points - step, -0.9995) for step in (0.1, 0.2)]
    else:
        ahead, back = [1.5 * points, 2.0 * points], [0.75 * points, 0.5 * points]
    here, there, before = ratio(points), [ratio(p) for p in ahead], [ratio(p) for p in back]
    labels: list[_Label] = []
    for i, value in enumerate(values):
        with np.errstate(divide="ignore", invalid="ignore"):
            noise = _ROUNDING * size[i] / abs(value)
        slack = _EIGENVALUE * abs(here[i]) + 4 * noise
        steady = any(all(abs(here[i] - r[i]) <= slack for r in side) for side in (there, before))
        if size[i] == 0 and flat[i] == 0:
            labels.append(("constant", 0.0))
        elif abs(laplacian[i]) <= _HARMONIC * size[i] and not (steady and abs(here[i]) > 100 * noise):
            labels.append(("harmonic", 0.0))
        elif steady:
            labels.append(("lambda-harmonic" if here[i] > 0 else "eigenfunction", float(here[i])))
        else:
            labels.append(("strictly-subharmonic" if laplacian[i] > 0 else "strictly-superharmonic", None))
    return labels


def _alike(a: _Label, b: _Label) -> bool:
    (kind, left), (other, right) = a, b
    if kind != other or left is None or right is None:
        return kind == other
    return abs(left - right) <= 1e-4 * max(abs(left), abs(right))


def _boundary(terms: _Terms, low: float, high: float, label: _Label) -> float:
    """The point between two grid points at which the first one's label ends."""
    while high - low > 1e-12 * max(abs(high), 1e-3):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _alike(_labels(terms, np.array([middle]))[0], label):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _merged(segments: list[Segment]) -> list[Segment]:
    """Without segments too short to be more than the rounding of a boundary, neighbours of one kind joined."""
    merged: list[Segment] = []
    for s in segments:
        if s.high - s.low <= 1e-7 * max(abs(s.high), 1e-3):
            continue
        if merged and _alike((merged[-1].kind, merged[-1].eigenvalue), (s.kind, s.eigenvalue)):
            merged[-1] = replace(merged[-1], high=s.high)
        else:
            merged.append(replace(s, low=merged[-1].high) if merged else s)
    return merged


def _open_ended(segments: list[Segment], variable: str) -> tuple[Segment, ...]:
    """The first and last segment reach to the ends of the variable's range."""
    low, high = (-1.0, 1.0) if variable == "ρ" else (0.0, math.inf)
    first = segments[0]
    segments = [Segment(low, first.high, first.kind, first.eigenvalue), *segments[1:]]
    last = segments[-1]
    return (*segments[:-1], Segment(last.low, high, last.kind, last.eigenvalue))


def _raised(line: Harmonicity, d: int) -> Harmonicity:
    segments = tuple(
        Segment(s.low, s.high, s.kind, None if s.eigenvalue is None else d * s.eigenvalue) for s in line.segments
    )
    return replace(line, d=d, segments=segments)


def _words(segment: Segment) -> str:
    if segment.kind == "lambda-harmonic":
        return f"λ-harmonic with λ = {segment.eigenvalue:.6g}"
    if segment.kind == "eigenfunction":
        return f"an eigenfunction with negative λ = {segment.eigenvalue:.6g}"
    return segment.kind.replace("-", " ")


def _range(segment: Segment, variable: str) -> str:
    low, high = (f"{0.0 if abs(x) < 1e-9 else x:.6g}" for x in (segment.low, segment.high))
    if variable == "ρ":
        return f"{low} < ρ < {high}"
    where = "every rₗ" if variable == "rₗ" else "r"
    if segment.low == 0.0:
        return f"{where} > 0" if math.isinf(segment.high) else f"{where} < {high}"
    return f"{where} > {low}" if math.isinf(segment.high) else f"{low} < {where} < {high}"
