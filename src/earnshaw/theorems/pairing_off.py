"""Electrons that fall onto protons, one pair after the other.

With b = 1 and a = −1 an electron on a proton cancels it, and the others feel neither: the induction by which zps17
passes from one electron to all. A potential with a pole or a cusp ends a descent at each collision, so here the pair is
taken out and the rest descends on.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from earnshaw.descent import SaddleFreeDescent, Stop, descend
from earnshaw.duality.potential import Potential
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.search import classify

#: Where electrons without charge are kept.
FAR = 100.0


class PairedOff(NamedTuple):
    """For each start: the proton of each electron (−1: none), and what became of the rest.

    The rest is "paired" (nobody is left), "met" (two electrons on one place), or the label that `classify` gives to
    the free electrons.
    """

    partner: Int[np.ndarray, "n k"]
    positions: Float[np.ndarray, "n k d"]
    rest: np.ndarray

    @property
    def complete(self) -> np.ndarray:
        """Whether every electron has a proton of its own."""
        return self.rest == "paired"


def pair_off(
    phi: Potential,
    protons: Float[np.ndarray, "k d"],
    starts: Float[np.ndarray, "n k d"],
    *,
    collision: float,
    steps: int = 500,
) -> PairedOff:
    """Let k electrons of charge −1 in R^d descend among k protons of charge 1 until all are paired or rest somewhere.

    >>> from earnshaw.duality import potentials
    >>> ends = pair_off(potentials.coulomb(3), np.eye(3)[:1], np.array([[[0.0, 2.0, 0.0]]]), collision=1e-3)
    >>> ends.partner.tolist(), ends.rest.tolist()
    ([[0]], ['paired'])
    """
    count, k = starts.shape[:2]
    places, partner = starts.copy(), np.full((count, k), -1)
    rest = np.full(count, "running", dtype=object)
    while np.any(rest == "running"):
        taken = np.array([[j in row for j in range(k)] for row in partner])
        for pattern in np.unique(taken[rest == "running"], axis=0):
            members = np.flatnonzero((rest == "running") & np.all(taken == pattern, axis=1))
            _one_round(phi, protons, places, partner, rest, members, pattern, collision, steps)
    return PairedOff(partner, places, rest.astype(str))


def _one_round(
    phi: Any,
    protons: Float[np.ndarray, "k d"],
    places: Float[np.ndarray, "n k d"],
    partner: Int[np.ndarray, "n k"],
    rest: np.ndarray,
    members: Int[np.ndarray, " m"],
    taken: np.ndarray,
    collision: float,
    steps: int,
) -> None:
    """Descend until one more pair is found in each member; all members lack the same protons."""
    k = len(protons)
    free = np.array([np.flatnonzero(partner[i] < 0) for i in members])
    alive = free.shape[1]
    # The free ones first, then charges of 0 where no potential is infinite, and always the whole batch: one compilation
    # serves all rounds.
    rows = np.resize(np.arange(len(members)), len(places))
    padded = np.zeros((len(places), k, places.shape[2]))
    padded[:, :alive] = places[members[rows, None], free[rows]]
    padded[:, alive:] = FAR * (1 + np.arange(k - alive))[:, None] * np.eye(places.shape[2])[0]
    landscape = Particles(
        phi, protons, np.where(taken, 0.0, 1.0), electron_charges=np.where(np.arange(k) < alive, -1.0, 0.0),
        form="interaction",
    )  # fmt: skip
    trajectory = descend(
        landscape, SaddleFreeDescent(collision=collision), Electrons(jnp.asarray(padded)),
        stop=Stop(steps=steps, gradient_norm=1e-12), progress=False,
    )  # fmt: skip
    final = trajectory.positions.values[: len(members), :alive]
    for member, order, at, outcome in zip(members, free, final, trajectory.outcome.values, strict=False):
        places[member, order] = at
        if outcome != "collapsed":
            rest[member] = _label(phi, protons[~taken], at, collision)
            continue
        distances = np.linalg.norm(at[:, None] - protons[None], axis=2) + np.where(taken, np.inf, 0.0)
        electron, proton = np.unravel_index(int(np.argmin(distances)), distances.shape)
        if distances[electron, proton] > collision:
            rest[member] = "met"
            continue
        partner[member, order[electron]] = proton
        places[member, order[electron]] = protons[proton]
        if alive == 1:
            rest[member] = "paired"


def _label(phi: Any, protons: Any, positions: Any, collision: float) -> str:
    """What a point is at which free electrons came to rest."""
    landscape = Particles(phi, protons, form="interaction")
    return str(classify(landscape, Electrons(jnp.asarray(positions)[None]), collision=collision).label[0])
