"""One check for two results about gradient descent with step size 1/(2L): where random starts end.

zps17 Theorem B.5 (no end is a critical point that is no local minimum) and Corollary B.6 (all ends are global minima if
no other minima exist). As printed, both say that descent converges; it need not, so that is measured as a hypothesis.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool

from earnshaw.descent import GradientDescent, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.search import EndPoints, classify, search
from earnshaw.theorems.smooth_instances import Instance, instance, largest_curvature
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

PARAMETERS = {
    "landscape": "double_well",
    "start": "random",
    "starts": 200,
    "steps": 20_000,
    "step_factor": 1.0,
    "bound": None,
    "printed": False,
}


def check(
    theorem: str,
    seed: int,
    *,
    to_global: bool,
    landscape: Any,
    start: Any,
    starts: int,
    steps: int,
    step_factor: float,
    bound: Any,
    printed: bool,
) -> Verdict:
    """Descend from `starts` points of Ω with step size 1/(2L).

    - `start`: "random", from a density; or "stable", a point from which descent leads to a saddle or a maximum.
    - `step_factor`: times the step size. `bound`: L, if not the known one.
    - `printed`: claim that descent converges, instead of supposing it.
    """
    whole("starts", starts, 1, 10_000)
    whole("steps", steps, 1, 10_000_000)
    above("step_factor", step_factor, 0.0, 1e6)
    if start not in ("random", "stable"):
        raise EarnshawError(f"start must be random or stable, not {start!r}")
    case = instance(landscape)
    limit = case.bound if bound is None else above("bound", bound, 0.0)
    size = step_factor / (2 * limit)
    points = case.draw(jax.random.key(seed), starts)
    batch = points if start == "random" else jnp.broadcast_to(case.stable, points.shape)
    trajectory = descend(
        case.landscape, GradientDescent(size), batch, stop=Stop(steps=steps, gradient_norm=1e-10), progress=False
    )
    ends = classify(case.landscape, endpoints(trajectory, case.landscape), outcome=trajectory.outcome.values)
    converged = ends.critical
    at_goal = _at_minimiser(case, ends)
    bad = converged & (~at_goal if to_global else ends.label == "saddle")
    if printed:
        bad = bad | ~converged
    low, high = clopper_pearson(int(np.sum(bad)), starts)
    curvature = largest_curvature(case.landscape, points)
    stays = bool(jnp.all(case.inside(_stepped(case, points, size))))
    hypotheses = [
        Hypothesis("‖∇²f‖ ≤ L on Ω", curvature <= limit * (1 + 1e-9), {"found": curvature, "L": limit}),
        Hypothesis("x − α∇f(x) stays in Ω", stays, size),
        Hypothesis("α = 1/(2L)", step_factor == 1, f"{step_factor:g}/(2L)"),
        Hypothesis("the start has a density", start == "random", start),
    ]
    if to_global:
        spurious = int(np.sum(_spurious(case, search(case.landscape, case.draw(jax.random.key(seed + 1), 50)))))
        hypotheses.append(
            Hypothesis("every local minimum is global", spurious == 0, f"{spurious} others in 50 searches")
        )
    if not printed:
        left = int(np.sum(~converged))
        hypotheses.append(Hypothesis("the iterates converge", left == 0, f"{starts - left} of {starts}"))
    worst = int(np.argmax(bad))
    smallest = float(np.min(ends.smallest[converged])) if converged.any() else float("nan")
    return decide(
        theorem,
        tuple(hypotheses),
        "every end is a global minimum" if to_global else "no end is a critical point with λ_min < 0",
        {
            "ends": ends.counts(),
            "at a global minimum": int(np.sum(at_goal)),
            "chance of another end, 95 %": [low, high],
            "smallest λ_min at an end": smallest,
            "most steps": int(np.max(trajectory.steps.values)),
        },
        -float(np.mean(bad)) if bad.any() else smallest / limit,
        counterexample={
            "landscape": landscape, "start": np.asarray(batch[worst]), "end": np.asarray(ends.at(worst)),
            "what it is": ends.label[worst], "smallest eigenvalue": ends.smallest[worst],
        },
    )  # fmt: skip


def _stepped(case: Instance, points: Any, size: float) -> Any:
    def one(x):
        return case.landscape.manifold.project(x - size * case.landscape.gradient(x))

    return jax.jit(jax.vmap(one))(points)


def _at_minimiser(case: Instance, ends: EndPoints) -> Bool[np.ndarray, " n"]:
    """Which ends are a known global minimiser, up to the landscape's symmetry."""
    places = np.asarray(jax.vmap(case.landscape.canonicalise)(ends.points))
    goals = np.array([np.asarray(goal) for goal in case.landscape.minimisers()])
    return np.min(np.linalg.norm(places[:, None] - goals[None], axis=2), axis=1) < 1e-6


def _spurious(case: Instance, ends: EndPoints) -> Bool[np.ndarray, " n"]:
    return (ends.label == "minimum") & ~_at_minimiser(case, ends)
