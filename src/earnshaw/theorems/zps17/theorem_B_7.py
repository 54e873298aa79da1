"""zps17, Theorem B.7: noisy descent on an estimated loss ends among almost critical points of the loss itself."""

import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from earnshaw.descent import NoisyGradient, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Manifold
from earnshaw.landscapes import Landscape
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.smooth_instances import Instance, instance, largest_curvature
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Places of Ω at which the hypotheses are measured.
PLACES = 400


class Rippled(Landscape):
    """A loss plus amplitude·sin(Σxᵢ/√d): in R^d value, gradient and Hessian change by at most the amplitude."""

    base: Landscape
    amplitude: Float[Array, ""]
    manifold: Manifold

    def __init__(self, base: Any, amplitude: float):
        self.base, self.manifold, self.amplitude = base, base.manifold, jnp.asarray(amplitude, float)

    def loss(self, params: Float[Array, " d"]) -> Float[Array, ""]:
        """The loss with its ripple."""
        return self.base.loss(params) + self.amplitude * jnp.sin(jnp.sum(params) / math.sqrt(params.size))

    def init(self, key: PRNGKeyArray) -> Float[Array, " d"]:
        """A start of the loss without ripple."""
        return self.base.init(key)


def _check(
    seed: int = 0,
    landscape: Any = "double_well",
    epsilon: Any = (0.4, 0.3, 0.2),
    zeta: float = 0.1,
    error: float = 0.5,
    noise: float = 1.0,
    starts: int = 60,
    steps: int = 20_000,
    step_size: Any = None,
) -> Verdict:
    whole("starts", starts, 2, 10_000)
    whole("steps", steps, 1, 10_000_000)
    above("zeta", zeta, 0.0, 1.0)
    if not (math.isfinite(error) and error >= 0):
        raise EarnshawError(f"error must be a finite number that is not negative, not {error}")
    ladder = _ladder(epsilon)
    case = instance(landscape)
    places = case.draw(jax.random.key(seed), PLACES)
    batch = jnp.broadcast_to(case.stable, (starts, *case.stable.shape))
    worst_error, chances, times, lost = 0.0, [], [], None
    for number, one in enumerate(ladder):
        estimate = Rippled(case.landscape, error * one / 3)
        worst_error = max(worst_error, _largest_error(case, estimate, places) / (one / 3))
        size = _step_size(step_size, one, case.bound)
        trajectory = descend(
            estimate, NoisyGradient(size, one, steps=steps, noise=noise), batch,
            stop=Stop(steps=steps + 1, gradient_norm=None), key=jax.random.fold_in(jax.random.key(seed), number),
            progress=False,
        )  # fmt: skip
        points = endpoints(trajectory, estimate)
        member = (trajectory.outcome.values == "converged") & _members(case.landscape, points, one)
        chances.append(clopper_pearson(int(np.sum(member)), starts))
        times.append(trajectory.steps.values)
        if lost is None and not member.all():
            lost = {"epsilon": one, "end": np.asarray(points[int(np.argmin(member))])}
    curvature = largest_curvature(case.landscape, places)
    size_of, rho = _regularity(case, places)
    degree, low, high = _degree(ladder, times)
    return decide(
        "zps17-B.7",
        (
            Hypothesis(
                "|L| ≤ B, ‖∇²L‖ ≤ C and ∇²L is ρ-Lipschitz on Ω",
                curvature <= case.bound * (1 + 1e-9) and math.isfinite(size_of) and math.isfinite(rho),
                {"B": size_of, "‖∇²L‖": curvature, "C": case.bound, "ρ": rho},
            ),
            Hypothesis("L̂, ∇L̂ and ∇²L̂ are within ε/3 of L, ∇L and ∇²L", worst_error <= 1, f"{worst_error:.3g} ε/3"),
        ),
        {"an end is in M_ε with a chance of at least": 1 - zeta, "steps": "polynomial in 1/ε"},
        {
            "chance for each ε, 95 %": dict(zip(map(str, ladder), map(list, chances), strict=True)),
            "median steps": [float(np.median(time)) for time in times],
            "degree of the steps in 1/ε, 95 %": [degree, low, high],
        },
        min(chance[1] for chance in chances) - (1 - zeta),
        counterexample={"landscape": landscape, "start": np.asarray(case.stable), "noise": noise} | (lost or {}),
        note=_note(step_size) + " All starts are at a point from which descent without noise ends at a saddle.",
    )


def _step_size(step_size: Any, epsilon: float, bound: float) -> Any:
    """ "proof" is g²/(C(g² + 1)) with g = 2ε/3, the largest for which E L falls as long as ‖∇L‖ > g."""
    if step_size == "proof":
        square = (2 * epsilon / 3) ** 2
        return square / (bound * (square + 1))
    return "measured" if step_size is None else above("step_size", step_size, 0.0)


def _note(step_size: Any) -> str:
    words = {None: "Step sizes measured on the path.", "proof": "The constant step size of the proof, from C and ε."}
    return words[step_size] if step_size is None or step_size == "proof" else f"Step size {step_size:g}."


@eqx.filter_jit
def _derivatives(landscape: Landscape, points: Float[Array, "n d"]) -> tuple[Array, Array, Array]:
    def one(x):
        value, gradient = landscape.value_and_gradient(x)
        hessian = landscape.hessian(x)
        return value, gradient, (hessian + hessian.T) / 2

    return jax.vmap(one)(points)


def _largest_error(case: Instance, estimate: Landscape, points: Float[Array, "n d"]) -> float:
    exact, found = _derivatives(case.landscape, points), _derivatives(estimate, points)
    values, gradients, hessians = (a - b for a, b in zip(exact, found, strict=True))
    spectra = jnp.abs(jnp.linalg.eigvalsh(hessians))
    return float(max(jnp.max(jnp.abs(values)), jnp.max(jnp.linalg.norm(gradients, axis=1)), jnp.max(spectra)))


def _regularity(case: Instance, points: Float[Array, "n d"]) -> tuple[float, float]:
    """The largest |L|, and the largest rate at which the action of the Hessian changes along a short way, over points.

    In the coordinates of the ambient space, so that points of the sphere have comparable Hessians.
    """

    def action(x):
        return jax.vmap(lambda v: case.landscape.hvp(x, v))(jnp.eye(x.size))

    def rate(x, v):
        return jnp.linalg.norm(jax.jvp(action, (x,), (v / jnp.linalg.norm(v),))[1], ord=2)

    along = jnp.roll(points, 1, axis=0) - points
    values = jax.jit(jax.vmap(case.landscape.loss))(points)
    return float(jnp.max(jnp.abs(values))), float(jnp.max(jax.jit(jax.vmap(rate))(points, along)))


def _members(landscape: Landscape, points: Float[Array, "n d"], epsilon: float) -> np.ndarray:
    _, gradients, hessians = _derivatives(landscape, points)
    smallest = np.linalg.eigvalsh(np.asarray(hessians))[:, 0]
    return (np.linalg.norm(gradients, axis=1) <= epsilon) & (smallest >= -epsilon)


def _degree(ladder: tuple[float, ...], times: list[np.ndarray]) -> tuple[float, float, float]:
    """The slope of log(steps) against log(1/ε), with its 95 % interval."""
    if len(ladder) < 2:
        return math.nan, math.nan, math.nan
    x = np.concatenate([np.full(len(time), -math.log(one)) for one, time in zip(ladder, times, strict=True)])
    fit: Any = stats.linregress(x, np.log(np.concatenate(times)))
    half = float(stats.t.ppf(0.975, len(x) - 2)) * float(fit.stderr)
    return float(fit.slope), float(fit.slope) - half, float(fit.slope) + half


def _ladder(epsilon: Any) -> tuple[float, ...]:
    values = epsilon if isinstance(epsilon, list | tuple) else (epsilon,)
    if not values:
        raise EarnshawError("epsilon must be a number, or several")
    return tuple(above("epsilon", value, 0.0, 10.0) for value in values)


theorem = Theorem(
    id="zps17-B.7",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem B.7",
    title="Noisy descent on an estimated loss ends among almost critical points of the loss",
    statement=(
        "If L, its Hessian and the change of its Hessian are bounded, and L̂ with its first two derivatives is within "
        "ε/3 of L, then with a suitable step size gradient descent on L̂ with noise on the unit sphere ends in M_ε "
        "with a chance of at least 1 − ζ, after a number of steps that is polynomial in 1/ε."
    ),
    check=_check,
    parameters={
        "landscape": "double_well",
        "epsilon": (0.4, 0.3, 0.2),
        "zeta": 0.1,
        "error": 0.5,
        "noise": 1.0,
        "starts": 60,
        "steps": 20_000,
        "step_size": None,
    },
)
