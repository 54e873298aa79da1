"""Electrons and protons on the circle under the potential of the sign, 1 − 2α/π: losses that are piecewise linear.

Every electron on the axis of a proton is a vertex of such a loss, and slopes at a vertex are whole numbers. For prsz18,
Lemmas G.1 and G.2.
"""

import itertools
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from earnshaw.errors import EarnshawError

#: Vertices times directions that are looked at, at most.
MOST = 3_000_000
#: Axes that are nearer than this are one axis.
SAME = 1e-9


class Vertices(NamedTuple):
    """All placements of k electrons on the axes of the protons, and how the loss changes from there.

    `sites` are places in units of axes: site j < K is proton j, and site K + j its antipode. `slopes` are the changes
    of the loss per angle in units of 4/π when the electrons of a set all turn one way, for every set, first
    counterclockwise and then clockwise.
    """

    sites: Int[np.ndarray, "n k"]
    slopes: Int[np.ndarray, "n m"]

    @property
    def least(self) -> Int[np.ndarray, " n"]:
        """The least slope: positive exactly at a strict local minimum, and 0 at others that are local minima."""
        return np.min(self.slopes, axis=1)


def vertices(angles: Float[np.ndarray, " K"], electrons: int, repulsion: int = 1) -> Vertices:
    """The vertices of Σ_{i≠j} Φ(θᵢ, θⱼ) − 2ΣΣ Φ(θᵢ, wⱼ), up to exchanges of electrons, for protons at distinct axes.

    Between two particles at a general angle the loss is linear in their turning; at 0 and π it has a kink. So its
    change to first order under velocities v is linear wherever the order of the numbers 0, v₁, …, v_k is fixed, and
    such a cone is spanned by the indicators ±1_S of sets: it is enough to look at these. `repulsion` is 1; −1 makes
    electrons attract each other.

    >>> found = vertices(np.array([0.3, 1.7]), 2)
    >>> found.sites[found.least > 0].tolist()
    [[0, 1]]
    """
    axes = len(angles)
    if np.min(_apart(angles) + np.pi * np.eye(axes)) < SAME:
        raise EarnshawError("the protons must lie on distinct axes, neither on one place nor opposite to each other")
    places = np.concatenate([angles, angles + np.pi])
    sites = np.array(list(itertools.combinations_with_replacement(range(2 * axes), electrons)))
    sets = np.array(list(itertools.product([0, 1], repeat=electrons)))[1:]
    if len(sites) * len(sets) * 2 > MOST:
        raise EarnshawError(f"{electrons} electrons among {axes} protons have too many vertices; take fewer")
    velocities = np.concatenate([sets, -sets])
    everyone = np.concatenate([sites, np.broadcast_to(np.arange(axes), (len(sites), axes))], axis=1)
    slopes = np.zeros((len(sites), len(velocities)), int)
    for i in range(electrons):
        for j in itertools.chain(range(i + 1, electrons), range(electrons, electrons + axes)):
            relative = velocities[:, i] - (velocities[:, j] if j < electrons else 0)
            turn = np.mod(places[everyone[:, i]] - places[everyone[:, j]], 2 * np.pi)
            same = everyone[:, i] == everyone[:, j]
            opposite = np.abs(everyone[:, i] - everyone[:, j]) == axes
            # How fast the angle α between the two grows.
            growth = np.where(
                same[:, None],
                np.abs(relative),
                np.where(opposite[:, None], -np.abs(relative), np.where(turn < np.pi, 1, -1)[:, None] * relative),
            )
            # 2Φ = 2 − 4α/π between electrons, and −2Φ with a proton.
            slopes += (-repulsion if j < electrons else 1) * growth
    return Vertices(sites, slopes)


def forces(angles: Float[np.ndarray, " K"], charges: Float[np.ndarray, " K"]) -> Float[np.ndarray, " arcs"]:
    """Σ ±bⱼ on each of the 2K arcs between the points ±wⱼ: π/2 times the slope of ΣbⱼΦ(θ, wⱼ) there.

    >>> forces(np.array([0.0, 1.0]), np.array([2.0, 0.5])).tolist()
    [-1.5, -2.5, 1.5, 2.5]
    """
    ends = np.sort(np.mod(np.concatenate([angles, angles + np.pi]), 2 * np.pi))
    middles = (ends + np.append(ends[1:], ends[0] + 2 * np.pi)) / 2
    turn = np.mod(middles[:, None] - angles, 2 * np.pi)
    return np.where(turn < np.pi, -1.0, 1.0) @ charges


def _apart(angles: Float[np.ndarray, " K"]) -> Float[np.ndarray, "K K"]:
    """The angle between the axes of every pair."""
    difference = np.mod(angles[:, None] - angles, np.pi)
    return np.minimum(difference, np.pi - difference)
