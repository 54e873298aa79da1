"""zps17, Theorem B.4: how many samples it takes to know a loss and its first two derivatives everywhere."""

import math
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.geometry import Manifold, Sphere, uniform_sphere
from earnshaw.landscapes import Electrons, Landscape, Particles, truncated_gaussian
from earnshaw.landscapes.samples import unit_values
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Sizes of |z| at which growth is looked at: its exponent is that of the last two decades.
LENGTHS = np.logspace(0, 3, 61)
QUANTITIES = ("value", "gradient", "Hessian")


class OnInputs(Landscape):
    """zps17 (5) with means over given inputs in place of potentials: Σᵢⱼ aᵢaⱼΦ̂(θᵢ, θⱼ) + 2 Σᵢⱼ aᵢbⱼΦ̂(θᵢ, wⱼ)."""

    particles: Particles
    inputs: Float[Array, "n d"]
    manifold: Manifold

    def __init__(self, particles: Particles, inputs: Float[Array, "n d"]):
        self.particles, self.inputs, self.manifold = particles, inputs, particles.manifold

    def loss(self, params: Electrons) -> Float[Array, ""]:
        """The mean over the inputs of f² + 2fg, f the electrons' network and g the protons'."""
        unit, charges = self.particles.activation, self.particles.charges_of(params)
        student = unit_values(unit, self.inputs, params.positions, False) @ charges
        teacher = unit_values(unit, self.inputs, self.particles.protons, False) @ self.particles.charges
        return jnp.mean(student * (student + 2 * teacher))

    def init(self, key: PRNGKeyArray) -> Electrons:
        """A start of the particles."""
        return self.particles.init(key)


def _check(
    seed: int = 0,
    activation: Any = "tanh",
    p: float = 1.0,
    d: int = 3,
    k: int = 2,
    radius: float = 6.0,
    smallest: int = 64,
    doublings: int = 6,
    repeats: int = 32,
    points: int = 32,
    zeta: float = 0.2,
    tolerance: float = 0.1,
) -> Verdict:
    whole("d", d, 2, 20)
    whole("k", k, 1, 10)
    whole("smallest", smallest, 2, 10_000)
    whole("doublings", doublings, 2, 12)
    whole("repeats", repeats, 3, 1000)
    whole("points", points, 1, 10_000)
    above("radius", radius, 0.0, 1e6)
    above("p", p, 0.0, 100.0)
    above("zeta", zeta, 0.0, 1.0)
    above("tolerance", tolerance, 0.0, 0.5)
    unit = activations.get(activation)
    growth = [_exponent(unit, order) for order in range(4)]
    keys = jax.random.split(jax.random.key(seed), 3)
    protons = uniform_sphere(keys[0], (k, d))
    landscape = Particles.teacher_student(unit, protons, learn_outputs=True, manifold=Sphere(), form="without-constant")
    batch = jax.vmap(landscape.init)(jax.random.split(keys[1], points))
    exact = _derivatives(landscape, batch)
    blocks = 2**doublings
    sums = [
        _by_blocks(landscape, batch, jax.random.fold_in(keys[2], number), blocks, smallest, d, radius)
        for number in range(repeats)
    ]
    counts = smallest * 2 ** np.arange(doublings + 1)
    errors = np.array([_errors(exact, means, doublings) for means in sums])
    slopes = {name: _slope(counts, errors[:, :, i]) for i, name in enumerate(QUANTITIES)}
    worst = max(high for _, _, high in slopes.values())
    # The constant of a 1/√n law, from the fewest samples; does it foretell the errors with the most of them?
    allowed = 2 * np.median(errors[:, 0], axis=0) / math.sqrt(blocks)
    within = int(np.sum(np.all(errors[:, -1] <= allowed, axis=1)))
    low, high = clopper_pearson(within, repeats)
    return decide(
        "zps17-B.4",
        (
            Hypothesis("σ, σ′, σ″, σ‴ are O(|z|^p)", max(growth) <= p + 0.02, {"exponents": growth, "p": p}),
            Hypothesis("σ has three derivatives", unit.smoothness >= 3, unit.smoothness),
            Hypothesis("p ≤ d", p <= d, {"p": p, "d": d}),
        ),
        {
            "error for n samples": "n^(−1/2)",
            "samples for an error ε": "ε^(−2)",
            "chance that all errors are as foretold, at least": 1 - zeta,
        },
        {
            "exponent of the error in n, 95 %": {name: list(slope) for name, slope in slopes.items()},
            "exponent of the samples in 1/ε": {name: -1 / slope[0] for name, slope in slopes.items()},
            "largest errors with the most samples": dict(
                zip(QUANTITIES, np.max(errors[:, -1], axis=0).tolist(), strict=True)
            ),
            "errors as foretold": f"{within} of {repeats}",
            "chance, 95 %": [low, high],
        },
        min(-0.5 + tolerance - worst, high - (1 - zeta)),
        counterexample={"activation": unit.name, "radius": radius, "n": counts, "errors": np.median(errors, axis=0)},
        note=f"The supremum is over {points} random points; inputs are Gaussian in the ball of radius {radius:g}.",
    )


def _exponent(unit: Activation, order: int) -> float:
    """The exponent with which a derivative of σ grows, by its largest values in decades of |z|; infinite if it is."""
    function = unit.function
    for _ in range(order):
        function = jax.grad(function)
    z = jnp.asarray(np.concatenate([LENGTHS, -LENGTHS]))
    sizes = np.abs(np.asarray(jax.vmap(function)(z))).reshape(2, -1).max(axis=0)
    if not np.all(np.isfinite(sizes)):
        return math.inf
    early, late = float(np.max(sizes[:41])), float(np.max(sizes[41:]))
    return max(math.log10(late / early), 0.0) if early > 0 and late > 0 else 0.0


@eqx.filter_jit
def _derivatives(landscape: Landscape, batch: Electrons) -> tuple[Array, Array, Array]:
    def one(params):
        value, gradient = landscape.value_and_gradient(params)
        flat = jnp.concatenate([gradient.positions.ravel(), gradient.charges])
        return value, flat, landscape.hessian(params)

    return jax.vmap(one)(batch)


@partial(jax.jit, static_argnums=(3, 4, 5))
def _by_blocks(landscape, batch, key, blocks, size, d, radius):
    """Value, gradient and Hessian for each block of inputs; all of them are means, so blocks can be averaged."""

    def one(number):
        inputs = _inputs(jax.random.fold_in(key, number), size, d, radius)
        return _derivatives(OnInputs(landscape, inputs), batch)

    return jax.lax.map(one, jnp.arange(blocks))


def _inputs(key: PRNGKeyArray, size: int, d: int, radius: Float[Array, ""]) -> Float[Array, "n d"]:
    return truncated_gaussian(key, size, d, radius)


def _errors(exact: tuple, means: tuple, doublings: int) -> Float[np.ndarray, "sizes 3"]:
    """The largest error of each quantity over the points, with 1, 2, 4, … blocks."""
    rows = []
    for power in range(doublings + 1):
        value, gradient, hessian = (
            np.mean(np.asarray(mean[: 2**power]), axis=0) - np.asarray(true)
            for mean, true in zip(means, exact, strict=True)
        )
        spectra = np.linalg.norm(hessian, ord=2, axis=(1, 2))
        rows.append([np.max(np.abs(value)), np.max(np.linalg.norm(gradient, axis=1)), np.max(spectra)])
    return np.array(rows)


def _slope(counts: np.ndarray, errors: Float[np.ndarray, "repeats sizes"]) -> tuple[float, float, float]:
    """The mean over the repeats of the slope of log(error) against log(n), with its 95 % interval."""
    slopes = [float(np.polyfit(np.log(counts), np.log(row), 1)[0]) for row in errors]
    half = float(stats.t.ppf(0.975, len(slopes) - 1)) * float(np.std(slopes, ddof=1)) / math.sqrt(len(slopes))
    return float(np.mean(slopes)), float(np.mean(slopes)) - half, float(np.mean(slopes)) + half


theorem = Theorem(
    id="zps17-B.4",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem B.4",
    title="Samples that it takes to know a loss and its derivatives everywhere",
    statement=(
        "If σ and its first three derivatives are O(|z|^p), then with polynomially many samples, of Gaussian inputs in "
        "a ball, the loss and its first two derivatives are known up to ε everywhere at once, with high probability. "
        "The error falls like n^(−1/2)."
    ),
    check=_check,
    parameters={
        "activation": "tanh",
        "p": 1.0,
        "d": 3,
        "k": 2,
        "radius": 6.0,
        "smallest": 64,
        "doublings": 6,
        "repeats": 32,
        "points": 32,
        "zeta": 0.2,
        "tolerance": 0.1,
    },
)
