"""One check for two theorems: a single electron among orthonormal protons, Φ(θ, w) = (θᵀw)^l with l ≥ 3.

zps17 Theorem 3.10 and prsz18 Theorem G.3. Both proofs show that every local minimum with a ≠ 0 has θ = ±wⱼ and
a = ∓bⱼ for some j, because λ_min ≤ −2l(l − 2)a² at every other critical point. zps17 prints "except at the global
minima", which is more: each proton is a minimum, and the loss there is −bⱼ².
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.descent import GradientDescent, Stop, descend, endpoints
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_charges
from earnshaw.theorems.search import EndPoints, critical_points, search
from earnshaw.theorems.search.pairing import pairing
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

PARAMETERS = {
    "d": 5,
    "k": 4,
    "l": 3,
    "charges": "mixed",
    "law": "",
    "tilt": 0.0,
    "printed": False,
    "starts": 64,
    "tolerance": 1e-6,
}
#: What the descent of zps17 Theorem 3.10 needs besides; the longest part of its way leaves a saddle.
DESCENT = {"step_factor": 1.0, "descents": 32, "steps": 40_000}
#: How near an electron is to its proton when its descent is over.
NEAR = 1e-4


def check(
    theorem: str,
    seed: int,
    *,
    d: int,
    k: int,
    l: int,  # noqa: E741  (the paper's name)
    charges: str,
    law: Any,
    tilt: float,
    printed: bool,
    starts: int,
    tolerance: float,
    step_factor: float = 0.0,
    descents: int = 0,
    steps: int = 0,
) -> Verdict:
    """Search for local minima off the protons; with `descents`, also descend with the theorem's step size.

    - `charges`: the law of b. `tilt`: how far the protons are from orthonormal. `law`: another Φ for the loss.
    - `printed`: claim what zps17 prints, that only global minima are local ones.
    - `step_factor`: times the theorem's step size 1/(4l²C²k), C = max(1, |bⱼ|), which bounds a and b.
    """
    whole("d", d, 2, 60)
    whole("k", k, 1, d)
    whole("l", l, 1, 20)
    whole("starts", starts, 1, 10_000)
    above("tolerance", tolerance, 0.0, 1e-2)
    random = np.random.default_rng(seed)
    frame = np.linalg.qr(random.normal(size=(d, d)))[0][:k] + tilt * random.normal(size=(k, d))
    protons = frame / np.linalg.norm(frame, axis=1, keepdims=True)
    b = draw_charges(random, k, charges)
    phi = potentials.monomial(l) if isinstance(law, str) and not law else named_potential(law, d, "sphere")
    if phi.space != "sphere":
        raise EarnshawError(f"the theorem is about potentials of the sphere, and {phi.name} lives in R^d")
    landscape = lone_electron(phi, protons, b, parity="odd" if l % 2 else "even")
    places = random_places(landscape, random, starts)
    at_rest = critical_points(landscape, places, longest=0.2)
    ended = search(landscape, places)
    deviation = float(np.max(np.abs(protons @ protons.T - np.eye(k))))
    lowest = -float(np.max(b**2))
    goal = lowest if printed else 0.0
    slack = {
        "every local minimum is a proton": _nearness(at_rest, ended, tolerance),
        "λ_min ≤ −2l(l − 2)a² at other critical points": _curvature_slack(at_rest, l, tolerance),
    }
    if printed:
        slack["every local minimum is a global one"] = tolerance - max(
            [float(points.loss[i]) - goal for points in (at_rest, ended) for i in np.flatnonzero(_minima(points))],
            default=float("nan"),
        )
    measured: dict[str, Any] = {
        "critical points": at_rest.counts(),
        "ends of searches": ended.counts(),
        "losses of minima": sorted({round(float(v), 6) for v in ended.loss[_minima(ended)]}),
        "global minimum": lowest,
    }
    if descents:
        whole("descents", descents, 1, 10_000)
        whole("steps", steps, 1, 10_000_000)
        bound = max(1.0, float(np.max(np.abs(b))))
        size = above("step_factor", step_factor, 0.0) / (4 * l**2 * bound**2 * k)
        trajectory = descend(
            landscape, GradientDescent(size), random_places(landscape, random, descents),
            stop=Stop(steps=steps, gradient_norm=1e-7, divergence=1e6), progress=False,
        )  # fmt: skip
        final = endpoints(trajectory, landscape)
        distance = pairing(landscape, final, NEAR)[0]
        slack["every descent ends at a proton"] = NEAR - float(np.max(np.where(np.isnan(distance), np.inf, distance)))
        largest = float(np.max(np.abs(final.charges)))
        measured |= {
            "step size": size,
            "descents at a proton": f"{int(np.sum(distance <= NEAR))} of {descents}",
            "largest |a| where they end": largest,
        }
    decided = all(not np.isnan(value) for value in slack.values())
    failing = min(slack, key=lambda name: slack[name] if slack[name] < 0 else np.inf)
    margin = min((v for v in slack.values() if v < 0), default=min(slack.values()) if decided else float("nan"))
    return decide(
        theorem,
        (
            Hypothesis("w₁, …, w_k are orthonormal", deviation <= 1e-9, deviation),
            Hypothesis("l ≥ 3", l >= 3, l),
        ),
        {"minima": "the global one" if printed else "θ = ±wⱼ, a = ∓bⱼ", "λ_min elsewhere": "at most −2l(l − 2)a²"},
        measured,
        margin,
        counterexample={
            "claim": failing, "slack": slack[failing], "protons": protons, "charges": b, "law": phi.name,
            **_example(ended, protons, goal),
        },
        note="Searches from random places with the best charge there; Newton's method for the other critical points.",
    )  # fmt: skip


def lone_electron(phi: Any, protons: Any, charges: Any, parity: Any) -> Particles:
    """The loss (11) of zps17, (4) of prsz18: all other electrons have charge 0.

    >>> landscape = lone_electron(potentials.monomial(3), np.eye(3), np.ones(3), "odd")
    >>> landscape.loss(Electrons(jnp.eye(3)[:1], -jnp.ones(1))).item()
    -1.0
    """
    return Particles(phi, protons, charges, electrons=1, learn_charges=True, form="without-constant", parity=parity)


def random_places(landscape: Particles, random: np.random.Generator, count: int) -> Electrons:
    """Places uniform on the sphere, each with its best charge.

    >>> landscape = lone_electron(potentials.monomial(3), np.eye(2), np.ones(2), "odd")
    >>> random_places(landscape, np.random.default_rng(0), 3).charges.shape
    (3, 1)
    """
    places = random.normal(size=(count, 1, landscape.protons.shape[1]))
    places = jnp.asarray(places / np.linalg.norm(places, axis=2, keepdims=True))
    return Electrons(places, jax.jit(jax.vmap(landscape.optimal_charges))(places))


def _minima(points: EndPoints) -> np.ndarray:
    """Minima in the theorem's sense: a ≠ 0, so that the loss is negative."""
    return (points.label == "minimum") & (points.loss < -1e-12)


def _nearness(at_rest: EndPoints, ended: EndPoints, tolerance: float) -> float:
    """The tolerance less the largest distance of a minimum from its proton; NaN if no search ended in a minimum."""
    if not _minima(ended).any():
        return float("nan")
    return tolerance - max(float(np.max(points.distance[_minima(points)], initial=0.0)) for points in (at_rest, ended))


def _curvature_slack(at_rest: EndPoints, l: int, tolerance: float) -> float:  # noqa: E741
    """The least of (−2l(l − 2)a² − λ_min)/a² over critical points with a ≠ 0 off the protons, and the tolerance."""
    a = np.asarray(at_rest.points.charges)[:, 0]
    others = at_rest.critical & (np.abs(a) > 1e-6) & (at_rest.distance > 1e-3)
    gaps = (-2 * l * (l - 2) * a**2 - at_rest.smallest + at_rest.error) / np.where(others, a**2, 1.0)
    return tolerance + float(np.min(gaps[others], initial=0.0))


def _example(ended: EndPoints, protons: Float[np.ndarray, "k d"], goal: float) -> dict[str, Any]:
    """The minimum that is farthest from what is claimed."""
    chosen = np.flatnonzero(_minima(ended))
    if not len(chosen):
        return {}
    worst = chosen[int(np.argmax(ended.distance[chosen] + np.abs(ended.loss[chosen] - goal) * (goal < 0)))]
    return {
        "θ": ended.points.positions[worst, 0],
        "a": float(ended.points.charges[worst, 0]),
        "loss": float(ended.loss[worst]),
        "smallest eigenvalue": float(ended.smallest[worst]),
        "gradient norm": float(ended.gradient_norm[worst]),
        "largest |θᵀwⱼ|": float(np.max(np.abs(protons @ np.asarray(ended.points.positions[worst, 0])))),
    }
