"""One check for Earnshaw's theorem as both papers state it: under a harmonic potential no free electron rests stably.

zps17 Theorem 3.3 and prsz18 Theorem 3.4. What is judged are critical points with no electron on another particle:
those that Newton's method finds, which are saddles if the theorem holds, and the end points of descents.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_harmonic
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_charges, draw_teacher
from earnshaw.theorems.search import EndPoints, critical_points, search
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

PARAMETERS = {
    "potential": "coulomb",
    "law": "",
    "d": 3,
    "protons": 6,
    "electrons": 2,
    "charges": "mixed",
    "starts": 64,
    "collision": 1e-3,
    "tolerance": 1e-9,
}


def check(
    theorem: str,
    seed: int,
    *,
    potential: Any,
    law: Any,
    d: int,
    protons: int,
    electrons: int,
    charges: str,
    starts: int,
    collision: float,
    tolerance: float,
) -> Verdict:
    """Search for a strict local minimum of the interaction energy with its electrons free.

    - `potential`: the harmonic Φ. `law`: the potential that the loss is made of instead, if not empty.
    - `charges`: "equal" (b = 1, a = −1) or "mixed" (any signs), as in `particle_instances`.
    - `starts`: of each of the two searches. `collision`: how near is on top of each other.
    """
    whole("d", d, 1, 50)
    whole("protons", protons, 1, 100)
    whole("electrons", electrons, 1, 20)
    whole("starts", starts, 1, 10_000)
    above("collision", collision, 0.0, 0.1)
    above("tolerance", tolerance, 0.0, 1.0)
    phi = named_potential(potential, d, "euclidean")
    acting = phi if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    for one in (phi, acting):
        if one.space != "euclidean":
            raise EarnshawError(f"the theorem is about potentials of R^d, and {one.name} lives on the sphere")
    random = np.random.default_rng(seed)
    teacher = draw_teacher(random, d, protons, charges)
    own = -draw_charges(random, electrons, charges)
    landscape = Particles(
        acting, teacher.protons, teacher.charges, electrons=electrons, electron_charges=own, form="interaction"
    )
    places = Electrons(jnp.asarray(1.5 * random.normal(size=(starts, electrons, d))))
    traces = relative_traces(landscape, places)
    found = critical_points(landscape, places, collision=collision)
    ended = search(landscape, places, collision=collision)
    free = np.concatenate([_curvatures(found), _curvatures(ended)])
    slack = {
        "the Laplacian of L in each electron vanishes": tolerance - float(np.max(np.abs(traces))),
        "no critical point with free electrons is a strict minimum": _above_zero(free, ended),
    }
    worst = min(slack, key=lambda name: slack[name] if slack[name] < 0 else np.inf)
    counterexample: dict[str, Any] | None = None
    for points in (found, ended):
        for index in np.flatnonzero(points.label == "minimum")[:1]:
            counterexample = {
                "law": acting.name, "protons": teacher.protons, "proton charges": teacher.charges,
                "electrons": points.points.positions[index], "electron charges": own,
                "smallest eigenvalue": points.smallest[index], "gradient norm": points.gradient_norm[index],
            }  # fmt: skip
    return decide(
        theorem,
        (
            is_harmonic(phi, d),
            Hypothesis("no electron is on another particle at the points that are judged", True, f"{len(free)} points"),
        ),
        "at critical points with free electrons λ_min ≤ 0, and ΔL = 0 in each electron everywhere",
        {
            "critical points": found.counts(),
            "ends of descents": ended.counts(),
            "collapsed onto a proton": int(np.sum(ended.collapsed_onto >= 0)),
            "largest λ_min": float(np.max(free)) if len(free) else None,
            "largest |ΔL| over the size of its terms": float(np.max(np.abs(traces))),
        },
        _least(list(slack.values())),
        counterexample=counterexample or {"law": acting.name, "claim": worst, "slack": slack[worst]},
        note="λ_min counts as 0 within its error bound.",
    )


def _least(slack: list[float]) -> float:
    """The smallest slack, or that of a claim that fails; not a number if nothing fails and something is undecided."""
    failing = [value for value in slack if value < 0]
    return min(failing) if failing else min(slack) if not np.isnan(slack).any() else float("nan")


def relative_traces(landscape: Particles, points: Electrons) -> Float[np.ndarray, "n k"]:
    """ΔL in each electron alone, over the norm of that block of the Hessian: 0 for harmonic potentials.

    >>> from earnshaw.duality import potentials
    >>> landscape = Particles(potentials.gaussian(), [[0.0, 0.0]], form="interaction")
    >>> relative_traces(landscape, Electrons(jnp.array([[[0.0, 0.0]]]))).round(12).tolist()  # the whole block is 2·I
    [[1.414213562373]]
    """
    count, d = points.positions.shape[1:]

    def one(positions):
        hessian = landscape.hessian(Electrons(positions)).reshape(count, d, count, d)
        blocks = jnp.stack([hessian[i, :, i, :] for i in range(count)])
        return jnp.trace(blocks, axis1=1, axis2=2) / jnp.linalg.norm(blocks, axis=(1, 2))

    return np.asarray(jax.jit(jax.vmap(one))(points.positions))


def _above_zero(free: Float[np.ndarray, " m"], ended: EndPoints) -> float:
    """−max λ_min; 0 if no free critical point exists as far as descents that end on particles tell, NaN if nothing."""
    if len(free):
        return float(np.min(-free))
    return 0.0 if np.any(ended.label == "collapsed") else float("nan")


def _curvatures(points: EndPoints) -> Float[np.ndarray, " m"]:
    """λ_min of each critical point with free electrons; 0 where it is 0 within its error bound."""
    values, errors = points.smallest[points.critical], points.error[points.critical]
    return np.where(np.abs(values) <= errors, 0.0, values)
