"""What a point is at which a descent ended: minimum, saddle, undecided, collapsed, or no critical point at all.

Never by its loss alone: by its gradient, the smallest eigenvalue of the Riemannian Hessian with an error bound, and
whether it lies on the manifold.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int, PyTree

from earnshaw.errors import EarnshawError
from earnshaw.landscapes.encounters import encounters
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.particles import Particles
from earnshaw.theorems.search.local import ACCURACY, Local, look
from earnshaw.theorems.search.pairing import pairing

MINIMUM, SADDLE, DEGENERATE, NOT_CRITICAL, COLLAPSED = LABELS = (
    "minimum", "saddle", "degenerate", "not critical", "collapsed",
)  # fmt: skip
#: Newton's steps that sharpen a point, at most; each squares its distance to the critical point.
SHARPENINGS = 8


@dataclass(frozen=True)
class EndPoints:
    """Points of a landscape and what each of them is. Arrays have one entry for each point.

    - "minimum": critical, and λ_min of the Hessian is above its error bound
    - "saddle": critical, and λ_min is below minus its error bound (maxima are among them)
    - "degenerate": critical, and λ_min is 0 as far as its error bound lets one see
    - "not critical": the gradient is too large, or Newton's step from here is too long, or the point is not on the
      manifold, or not finite
    - "collapsed": an electron is within the collision distance of another particle, where a singular or kinked
      potential has no derivatives; the other numbers mean nothing there
    """

    points: PyTree
    label: np.ndarray
    loss: Float[np.ndarray, " n"]
    gradient_norm: Float[np.ndarray, " n"]
    smallest: Float[np.ndarray, " n"]
    """λ_min of the Riemannian Hessian."""
    error: Float[np.ndarray, " n"]
    """How far λ_min may be from that of the critical point, by rounding and by the rest of the way to it."""
    moved: Float[np.ndarray, " n"]
    """How far sharpening moved the point."""
    distance: Float[np.ndarray, " n"]
    """The worst distance of an electron (with its charge, where learned) to its proton under the best pairing."""
    is_global: Bool[np.ndarray, " n"]
    """Whether the electrons are the protons, up to a permutation."""
    collapsed_electron: Int[np.ndarray, " n"]
    """The electron that met another particle; −1 where none did."""
    collapsed_onto: Int[np.ndarray, " n"]
    """The proton that it met; −1 where it met an electron or nobody."""
    outcome: np.ndarray
    """How the descent ended, in the words of a trajectory; "given" for points that were given."""

    def __len__(self) -> int:
        return len(self.label)

    def counts(self) -> dict[str, int]:
        """How many points have each label, in the order of the labels; only labels that occur."""
        found = Counter(self.label.tolist())
        return {label: found[label] for label in LABELS if found[label]}

    @property
    def critical(self) -> Bool[np.ndarray, " n"]:
        """Whether each point is critical."""
        return np.isin(self.label, (MINIMUM, SADDLE, DEGENERATE))

    @property
    def spurious(self) -> Bool[np.ndarray, " n"]:
        """Minima that are not global: what a theorem without spurious minima forbids."""
        return (self.label == MINIMUM) & ~self.is_global

    def at(self, index: Any) -> PyTree:
        """One of the points, or several."""
        return jax.tree.map(lambda leaf: leaf[index], self.points)


def classify(
    landscape: Landscape,
    points: PyTree,
    *,
    collision: float = 0.0,
    reach: float = 0.05,
    gradient_tolerance: float = 1e-7,
    accuracy: float = ACCURACY,
    matching_tolerance: float = 1e-5,
    outcome: np.ndarray | None = None,
) -> EndPoints:
    """Sharpen a batch of points towards the critical points beside them, and say what they are.

    - `collision`: 0 where the potential is smooth everywhere. Otherwise electrons nearer than this to another particle
      have collapsed.
    - `reach`: the farthest that sharpening may move a point, so that it cannot change its basin; one that would is left
      where it is.
    - `gradient_tolerance`: a gradient is small relative to the largest curvature (per unit of length, so that a plateau
      on which everything vanishes is not called critical). Newton's step must be shorter than `reach` too: the force on
      a distant electron is small beside the curvature at another one, but not beside its own.
    - `accuracy`: the relative accuracy of the landscape's second derivatives.
    - `matching_tolerance`: how near an electron is to its proton at a global minimum.

    >>> from earnshaw.landscapes import DoubleWell
    >>> classify(DoubleWell(), jnp.array([[1.01, 0.02], [0.01, 0.01], [0.5, 0.5]])).label.tolist()
    ['minimum', 'saddle', 'not critical']
    """
    count = len(jax.tree.leaves(points)[0])
    if count < 1:
        raise EarnshawError("there is no point to classify")
    points = jax.tree.map(jnp.asarray, points)
    landscape = landscape.adapt(points)
    met, electron, proton = _collisions(landscape, points, collision, count)
    settings = (jnp.asarray(reach, float), jnp.asarray(0.5 if collision > 0 else 0.0), jnp.asarray(accuracy, float))
    here = look(landscape, points, *settings).numpy()
    sharp, best = points, here
    for _ in range(SHARPENINGS):
        trial = best.newton
        there = look(landscape, trial, *settings).numpy()
        better = np.asarray(there.gradient_norm < best.gradient_norm) & (_distances(points, trial) <= reach) & ~met
        if not better.any():
            break
        sharp, best = _where(better, trial, sharp), _chosen(better, there, best)
    # The spectrum one Newton step further on tells how much of it the rest of the way can change.
    beyond = look(landscape, best.newton, *settings).numpy()
    drift = np.max(np.abs(beyond.eigenvalues - best.eigenvalues), axis=1, initial=0.0)
    largest = np.max(np.abs(best.eigenvalues), axis=1, initial=0.0)
    error = accuracy * largest + best.asymmetry + drift
    smallest = best.eigenvalues[:, 0]
    inside = np.asarray(jax.vmap(landscape.manifold.contains)(sharp))
    critical = inside & np.isfinite(best.loss) & (best.gradient_norm <= gradient_tolerance * largest)
    critical &= best.newton_length <= reach
    label = np.select(
        [met, ~critical, smallest > error, smallest < -error],
        [COLLAPSED, NOT_CRITICAL, MINIMUM, SADDLE],
        DEGENERATE,
    )
    distance, found = pairing(landscape, sharp, matching_tolerance)
    return EndPoints(
        points=sharp,
        label=label,
        loss=np.asarray(best.loss),
        gradient_norm=np.asarray(best.gradient_norm),
        smallest=np.asarray(smallest),
        error=np.asarray(error),
        moved=_distances(points, sharp),
        distance=distance,
        is_global=found,
        collapsed_electron=electron,
        collapsed_onto=proton,
        outcome=np.full(count, "given") if outcome is None else outcome,
    )


def _collisions(landscape, points, collision, count):
    """Which points have collapsed, by which electron, and onto which proton."""
    nobody = np.full(count, -1)
    if not (isinstance(landscape, Particles) and collision > 0):
        return np.zeros(count, bool), nobody, nobody
    seen = _encounters(landscape, points)
    to_proton, proton, near = (np.asarray(leaf) for leaf in (seen.to_proton, seen.proton, seen.nearest))
    electron = np.argmin(near, axis=1)
    rows = np.arange(count)
    met = near[rows, electron] <= collision
    onto_proton = met & (to_proton[rows, electron] <= collision)
    return met, np.where(met, electron, -1), np.where(onto_proton, proton[rows, electron], -1)


@jax.jit
def _encounters(landscape, points):
    return jax.vmap(lambda params: encounters(landscape, params))(points)


def _where(better, new, old):
    def choose(a, b):
        return jnp.where(better.reshape(-1, *[1] * (a.ndim - 1)), a, b)

    return jax.tree.map(choose, new, old)


def _chosen(better: np.ndarray, new: Local, old: Local) -> Local:
    def choose(name):
        a, b = getattr(new, name), getattr(old, name)
        return _where(better, a, b) if name == "newton" else np.where(better.reshape(-1, *[1] * (a.ndim - 1)), a, b)

    fields: dict[str, Any] = {name: choose(name) for name in Local._fields}
    return Local(**fields)


def _distances(one: PyTree, other: PyTree) -> Float[np.ndarray, " n"]:
    squares = [
        np.sum((np.asarray(a) - np.asarray(b)).reshape(len(a), -1) ** 2, axis=1)
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    ]
    return np.sqrt(np.sum(squares, axis=0))


__all__ = ["COLLAPSED", "DEGENERATE", "LABELS", "MINIMUM", "NOT_CRITICAL", "SADDLE", "EndPoints", "classify"]
