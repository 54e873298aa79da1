"""Points of small gradient and small negative curvature: how small, and what the charges may be there.

The lemmas speak of the set M_δ of points with ‖∇‖ ≤ δ and λ_min ≥ −δ. Every point x is in M_δ for δ = μ(x) =
max(‖∇(x)‖, −λ_min(x)) and for no smaller δ, so they are inequalities between μ, the charges and the loss at any point.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float

from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.search.local import ACCURACY, look
from earnshaw.theorems.verdict import Verdict, decide

#: No electron of the search covers more than this share of its distance to another particle in one step.
ROOM = 0.5


class Points(NamedTuple):
    """Points of a landscape: μ, charges, the distance of every electron to its nearest proton, and √L(0) − √L."""

    params: Electrons
    mu: Float[np.ndarray, " n"]
    charges: Float[np.ndarray, "n k"]
    distance: Float[np.ndarray, "n k"]
    gain: Float[np.ndarray, " n"]

    def at(self, index: int) -> dict[str, Any]:
        """One of them, as a counterexample is stored."""
        return {
            "positions": np.asarray(self.params.positions[index]),
            "charges": self.charges[index],
            "μ": self.mu[index],
            "distance": self.distance[index],
        }


def looked_at(landscape: Particles, random: np.random.Generator, starts: int, steps: int, reach: float) -> Points:
    """Random points with their best charges, and all points that Newton's method passes from there.

    Every other one has its electrons around protons, little more than `reach` away. Newton's method is drawn to
    saddles, where the gradient vanishes and μ is a curvature: the points at which the lemmas have least to spare.
    """
    k, d = landscape.electrons, landscape.protons.shape[1]
    positions = float(landscape.scale) * random.normal(size=(starts, k, d))
    around = np.asarray(landscape.protons)[random.integers(len(landscape.protons), size=(starts, k))]
    away = random.normal(size=(starts, k, d))
    away *= reach * random.uniform(1.0, 5.0, (starts, k, 1)) / np.linalg.norm(away, axis=-1, keepdims=True)
    positions[::2] = (around + away)[::2]
    positions = jnp.asarray(positions)
    points = Electrons(positions, jax.jit(jax.vmap(landscape.optimal_charges))(positions))
    seen: list[Points] = []
    start = np.sqrt(float(landscape.constant))
    room = (jnp.asarray(float(landscape.scale) / 4), jnp.asarray(ROOM), jnp.asarray(ACCURACY))
    for _ in range(steps + 1):
        here = look(landscape, points, *room)
        apart = np.linalg.norm(np.asarray(points.positions)[:, :, None] - np.asarray(landscape.protons), axis=-1)
        mu = np.maximum(np.asarray(here.gradient_norm), -np.asarray(here.eigenvalues)[:, 0])
        gain = start - np.sqrt(np.maximum(np.asarray(here.loss), 0.0))
        seen.append(Points(points, mu, np.asarray(points.charges), np.min(apart, axis=-1), gain))
        points = here.newton
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *seen)


class Bound(NamedTuple):
    """What a lemma says at a point without a proton nearby: `measured` ≤ `allowed`, for each point or electron."""

    measured: Float[np.ndarray, "..."]
    allowed: Float[np.ndarray, "..."]
    applies: Bool[np.ndarray, "..."]


def charges_are_small(points: Points, reach: float, k: int, d: int) -> Bound:
    """aᵢ² < 2kdμ for every electron that is not within `reach` of a proton (prsz18 Lemmas 4.3 and E.1, k = 1)."""
    far = (points.distance >= reach) & (points.mu < 1)[:, None]
    return Bound(points.charges**2, np.broadcast_to(2 * k * d * points.mu[:, None], far.shape), far)


def gain_is_small(points: Points, reach: float, k: int, d: int) -> Bound:
    """√L(0) − √L < √(2k³dμ) where no electron is within `reach` of a proton (prsz18 Lemmas 4.4 and E.2, k = 1)."""
    far = np.all(points.distance >= reach, axis=1) & (points.mu < 1)
    return Bound(np.maximum(points.gain, 0.0), np.sqrt(2 * k**3 * d * points.mu), far)


def check_points(
    theorem: str,
    claim: Callable[[Points, float, int, int], Bound],
    words: str,
    *,
    all_at_once: bool,
    seed: int,
    d: int,
    k: int,
    eps: float,
    spread: float,
    potential: Any,
    starts: int,
    steps: int,
    teachers: int,
    factor: float,
) -> Verdict:
    """One of the four lemmas at many points of a few random instances.

    `all_at_once` is k electrons on G = L + ‖a‖² with balls of radius kε; otherwise one electron on L, and ε.
    """
    for name, value, high in (("k", k, 20), ("starts", starts, 10_000), ("teachers", teachers, 1000)):
        whole(name, value, 1, high)
    whole("steps", steps, 0, 1000)
    above("factor", factor, 0.0)
    setting = Setting.of(potential, d, eps, spread)
    electrons = k if all_at_once else 1
    reach = electrons * eps
    hypotheses = setting.hypotheses()
    if not all(hypothesis.met for hypothesis in hypotheses):
        return decide(theorem, hypotheses, words, None, float("nan"))
    random = np.random.default_rng(seed)
    worst, largest, tested, example = 0.0, 0.0, 0, None
    for _ in range(teachers):
        landscape = setting.particles(*setting.teacher(random, k), electrons, regularised=all_at_once)
        points = looked_at(landscape, random, starts, steps, reach)
        bound = claim(points, reach, electrons, d)
        ratio = np.where(bound.applies & (bound.measured > 0), bound.measured / (factor * bound.allowed), 0.0)
        tested += int(np.sum(bound.applies))
        largest = max(largest, float(np.max(np.where(bound.applies, bound.measured, 0.0))))
        place = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
        if float(ratio[place]) >= worst:
            worst = float(ratio[place])
            example = points.at(int(place[0])) | {
                "protons": np.asarray(landscape.protons), "proton charges": np.asarray(landscape.charges)
            }  # fmt: skip
    return decide(
        theorem,
        hypotheses,
        words,
        {"largest share of what is allowed": worst, "places tested": tested, "largest left side": largest},
        1 - worst if tested else float("nan"),
        counterexample=example,
        note=f"d = {d}, ε = {eps:g}, {k} protons, {electrons} electrons; random points and Newton's way to saddles.",
    )
