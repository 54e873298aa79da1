"""Hypotheses about the Laplacian of a potential, measured: harmonic, strictly subharmonic, λ-harmonic."""

from earnshaw.duality.harmonicity import Harmonicity, Segment, harmonicity
from earnshaw.duality.potential import Potential
from earnshaw.theorems.verdict import Hypothesis


def is_harmonic(potential: Potential, d: int) -> Hypothesis:
    """ΔΦ = 0 wherever two points differ.

    >>> from earnshaw.duality import potentials
    >>> is_harmonic(potentials.coulomb(3), 3).met, is_harmonic(potentials.coulomb(3), 4).met
    (True, False)
    """
    found = harmonicity(potential, d)
    return Hypothesis("Φ is harmonic except at coincidence", set(found.kinds) == {"harmonic"}, found.summary())


def is_strictly_subharmonic(potential: Potential, d: int, beyond: float = 0.0) -> Hypothesis:
    """ΔΦ > 0 wherever two points are farther apart than `beyond`.

    >>> from earnshaw.duality import potentials
    >>> gaussian = potentials.gaussian()
    >>> is_strictly_subharmonic(gaussian, 4).met, is_strictly_subharmonic(gaussian, 4, beyond=2.0).met
    (False, True)
    """
    found = harmonicity(potential, d)
    met = all(segment.kind in ("strictly-subharmonic", "lambda-harmonic") for segment in _beyond(found, beyond))
    where = f" at distances above {beyond:g}" if beyond else " except at coincidence"
    return Hypothesis("Φ is strictly subharmonic" + where, met, found.summary())


def is_eigenfunction(potential: Potential, d: int, beyond: float = 0.0) -> tuple[Hypothesis, float]:
    """ΔΦ = λΦ with one λ > 0 wherever two points are farther apart than `beyond`; and that λ, NaN if there is none.

    >>> from earnshaw.duality import potentials
    >>> fact, eigenvalue = is_eigenfunction(potentials.yukawa(3, 2.0), 3)
    >>> fact.met, round(eigenvalue, 6)
    (True, 2.0)
    """
    found = harmonicity(potential, d)
    there = _beyond(found, beyond)
    met = bool(there) and {segment.kind for segment in there} == {"lambda-harmonic"}
    eigenvalue = float(there[0].eigenvalue or 0.0) if met else float("nan")
    where = f" at distances above {beyond:g}" if beyond else " except at coincidence"
    return Hypothesis("Φ is λ-harmonic" + where, met, found.summary()), eigenvalue


def _beyond(found: Harmonicity, distance: float) -> list[Segment]:
    """The segments that reach beyond a distance. On the sphere ρ falls with the distance, so there it must be 0."""
    slack = 1e-6 * max(distance, 1e-3)
    return [s for s in found.segments if found.variable == "ρ" or s.high > distance + slack]
