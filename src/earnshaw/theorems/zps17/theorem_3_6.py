"""zps17, Theorem 3.6: with all charges opposite, strictly subharmonic potentials have no spurious minima.

Printed, Φ is strictly subharmonic and has a bounded Hessian on all of M. A function like that has no local maximum at
θ = w, so electrons flee: there is no global minimum to converge to (Φ = r² meets every printed hypothesis). What the
proof shows needs a cusp or a pole at coincidence, where Φ is not twice differentiable, and a Hessian that is bounded
away from it. In R^d with d ≥ 2 it must be a pole, since r^{d−1}φ′(r) increases and has to be negative.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.probes.matching import match
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_strictly_subharmonic
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.pairing_off import pair_off
from earnshaw.theorems.search import joint_motion
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _square(r: Any) -> Any:
    return r**2


#: r², with which the printed hypotheses are met and the conclusion fails.
SQUARE = Radial(_square, "square")
#: An electron that is so far from all protons does not come back.
FLED = 1e3


def _check(
    seed: int = 0,
    potential: Any = "exponential",
    law: Any = "",
    d: int = 1,
    k: int = 2,
    starts: int = 32,
    steps: int = 4000,
    step_factor: float = 1.0,
    collision: float = 1e-3,
    printed: bool = False,
    tolerance: float = 1e-9,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("k", k, 1, 12)
    whole("starts", starts, 1, 10_000)
    whole("steps", steps, 1, 10_000_000)
    above("collision", collision, 0.0, 0.1)
    above("tolerance", tolerance, 0.0, 1.0)
    phi = SQUARE if isinstance(potential, str) and potential == "square" else named_potential(potential, d, "euclidean")
    acting = phi if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    for one in (phi, acting):
        if not isinstance(one, Radial):
            raise EarnshawError(f"this check takes radial potentials of R^d, and {one.name} is none")
    assert isinstance(phi, Radial)
    assert isinstance(acting, Radial)
    random = np.random.default_rng(seed)
    protons, places = 1.5 * random.normal(size=(k, d)), 1.5 * random.normal(size=(starts, k, d))
    radii = np.geomspace(collision, 40.0, 400)
    bound, slope = _bounds(phi, d, radii)
    peak = bool(on_arrays(jax.grad(phi.profile))(radii[:1])[0] < 0)
    hypotheses = [
        is_strictly_subharmonic(phi, d),
        Hypothesis(f"‖∇²Φ‖ ≤ B at distances above {collision:g}", bool(np.isfinite(bound)), f"B = {bound:.6g}"),
        Hypothesis("b = 1 and a = −1", True, k),
    ]
    if not printed:
        hypotheses.append(Hypothesis("Φ has a peak (cusp or pole) at θ = w", peak, f"φ′(0+) < 0: {peak}"))
    if not all(fact.met for fact in hypotheses):
        return decide("zps17-3.6", tuple(hypotheses), "one electron on each proton", None, 0.0)
    landscape = Particles(acting, protons, form="interaction")
    proved = 1 / (4 * k**2 * bound)
    size = above("step_factor", step_factor, 0.0) * proved
    trace_error = _joint_trace_error(landscape, acting, places)
    ends = pair_off(acting, protons, places, collision=collision)
    trajectory = descend(
        landscape, GradientDescent(size), Electrons(jnp.asarray(places)),
        stop=Stop(steps=steps, gradient_norm=None, escape=1e4), progress=False,
    )  # fmt: skip
    final = jnp.asarray(trajectory.positions.values)
    distances = np.asarray(jax.vmap(lambda x: jnp.max(match(x, jnp.asarray(protons))[0]))(final))
    # At a cusp a step of constant size goes back and forth, by no more than itself.
    reach = 2 * proved * (2 * k - 1) * slope
    arrived = distances <= reach
    # Far electrons come slowly, and are left undecided; those that flee or jump about do not come.
    lost = ~arrived & ((distances > FLED) | (size * trajectory.final_gradient_norm.values > reach))
    spurious = int(np.sum(ends.rest == "minimum"))
    slack = {
        "the joint Laplacian is −2ΣΣΔΦ": tolerance - trace_error,
        "no minimum with free electrons": -float(spurious) / starts,
        "every descent with the theorem's step reaches the protons": 0.0
        if arrived.all()
        else -1.0
        if lost.any()
        else float("nan"),
    }
    failing = [name for name in slack if slack[name] < 0]
    undecided = any(np.isnan(value) for value in slack.values())
    return decide(
        "zps17-3.6",
        tuple(hypotheses),
        f"one electron on each proton, within the length {reach:.3g} of a step",
        {
            "paired off in the search": int(np.sum(ends.complete)),
            "minima with free electrons": spurious,
            "two electrons met": int(np.sum(ends.rest == "met")),
            "step size": size,
            "descents that reach the protons": int(np.sum(arrived)),
            "largest distance": float(np.max(distances)),
            "starts": starts,
            "relative error of the joint Laplacian": trace_error,
        },
        min(slack[name] for name in failing)
        if failing
        else float("nan")
        if undecided
        else float(reach - np.max(distances)),
        counterexample={
            "law": acting.name, "claim": failing[:1], "protons": protons,
            "start": places[int(np.argmax(distances))], "end": final[int(np.argmax(distances))],
        },
        note="A constant step at a cusp ends within a step of it; the smaller the step, the nearer.",
    )  # fmt: skip


def _bounds(phi: Radial, d: int, radii: Float[np.ndarray, " n"]) -> tuple[float, float]:
    """The largest norm of ∇²Φ, and the largest slope, on distances from the first radius on."""
    first = on_arrays(jax.grad(phi.profile))(radii)
    second = on_arrays(jax.grad(jax.grad(phi.profile)))(radii)
    across = np.abs(first / radii) if d > 1 else np.zeros_like(first)
    return float(np.max(np.maximum(np.abs(second), across))), float(np.max(np.abs(first)))


def _joint_trace_error(landscape: Particles, phi: Radial, places: Float[np.ndarray, "n k d"]) -> float:
    """How far the Laplacian of L under translations of all electrons is from −2ΣΣΔΦ(θᵢ, wⱼ), relative to its terms."""
    everyone = jnp.ones(places.shape[1], bool)
    traces = jax.vmap(lambda x: joint_motion(landscape, Electrons(x), everyone).trace)(jnp.asarray(places))
    laplacians = jax.vmap(jax.vmap(jax.vmap(phi.laplacian, (None, 0)), (0, None)), (0, None))
    terms = 2 * np.asarray(laplacians(jnp.asarray(places), landscape.protons))
    size = np.maximum(np.sum(np.abs(terms), axis=(1, 2)), 1.0)
    return float(np.max(np.abs(np.asarray(traces) + np.sum(terms, axis=(1, 2))) / size))


theorem = Theorem(
    id="zps17-3.6",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 3.6",
    title="Strictly subharmonic potentials have no spurious minima when all charges are opposite",
    statement=(
        "Let ΔΦ > 0 except at coincidence, where Φ has a cusp or a pole, ‖∇²Φ‖ ≤ B away from it, b = 1 and a = −1. "
        "Moving all free electrons together, the Laplacian of the loss is negative, so that every local minimum has "
        "one electron on each proton, and descent with steps 1/(4k²B) comes within a step of one."
    ),
    check=_check,
    parameters={
        "potential": "exponential",
        "law": "",
        "d": 1,
        "k": 2,
        "starts": 32,
        "steps": 4000,
        "step_factor": 1.0,
        "collision": 1e-3,
        "printed": False,
        "tolerance": 1e-9,
    },
)
