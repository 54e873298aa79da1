"""zps17, Theorem D.1: a node that begins with a charge keeps it."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.descent import Every, Probe, Stop, descend
from earnshaw.geometry import uniform_sphere
from earnshaw.landscapes import Particles
from earnshaw.landscapes.node import Node
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.node_recovery import interval, one_by_one, steps_used
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Places at which E C(θ)² is averaged.
PLACES = 4000


def _check(
    seed: int = 0,
    d: int = 4,
    protons: int = 4,
    others: int = 1,
    potential: Any = "sphere_exponential",
    epsilon: float = 0.3,
    share: float = 0.125,
    zeta: float = 0.1,
    starts: int = 100,
    step_size: Any = None,
    noise: float = 1.0,
    steps: int = 200,
) -> Verdict:
    whole("d", d, 2, 50)
    whole("protons", protons, 1, 50)
    whole("others", others, 0, 50)
    whole("starts", starts, 1, 10_000)
    whole("steps", steps, 1, 20_000)
    above("epsilon", epsilon, 0.0, 1e6)
    above("share", share, 0.0, 1.0)
    above("zeta", zeta, 0.0, 1.0)
    phi = named_potential(potential, d, "sphere")
    random = np.random.default_rng(seed)
    sites = random.normal(size=(protons + others, d))
    charges = random.choice([-1.0, 1.0], size=protons + others) * random.uniform(0.5, 1.5, size=protons + others)
    # The electrons that wait are charges that stay in place, so they count among the protons.
    sites = sites / np.linalg.norm(sites, axis=1, keepdims=True)
    landscape = Particles(phi, sites, charges, electrons=1, learn_charges=True, form="without-constant")
    node = Node(landscape, landscape.protons, landscape.charges, "optimal")
    places = uniform_sphere(jax.random.key(seed), (PLACES, d))
    squares = np.asarray(jax.vmap(node.field)(places)) ** 2
    own = float(node.stiffness(places[0]))
    # The paper takes Φ(θ, θ) = 1; C is divided by it, so that a* = −C in any case.
    mean, error = float(np.mean(squares)) / own, 2 * float(np.std(squares)) / math.sqrt(PLACES) / own
    algorithm = one_by_one(step_size, epsilon, steps, noise, charge="optimal", placing="sampled", error=own * epsilon)
    trajectory = descend(
        landscape, algorithm, starts, stop=Stop(steps=steps + 1, gradient_norm=None), key=seed, schedule=Every(1),
        probes=[Probe("charge_squared", _square)], progress=False,
    )  # fmt: skip
    path = trajectory.charge_squared.values * own
    kept = np.min(path, axis=1) >= share * epsilon
    low, high = interval(int(np.sum(kept)), starts)
    worst = int(np.argmin(np.min(path, axis=1)))
    identity = _identity(node, places[:50])
    margin = high - (1 - zeta) if identity < 1e-8 else -identity
    return decide(
        "zps17-D.1",
        (
            Hypothesis("Φ(θ, θ) is the same for all θ", True, own),
            Hypothesis("E C(θ)² ≥ ε for uniform θ", mean - error >= epsilon, [mean - error, mean + error]),
        ),
        {"a² stays above": share * epsilon, "with a chance of at least": 1 - zeta},
        {
            "starts that stay above": f"{int(np.sum(kept))} of {starts}",
            "chance, 95 %": [low, high],
            "least a² on a path": float(np.min(path)),
            "median a² at the start and the end": [float(np.median(path[:, 0])), float(np.median(path[:, -1]))],
            "|∇(a*)² + ∇L/Φ(θ, θ)|, relative": identity,
        },
        margin,
        counterexample={"potential": phi.name, "seed": seed, "start": worst, "path of a²": path[worst]},
        note=steps_used(step_size, small_noise=False),
    )


def _square(landscape: Particles, state: Any) -> Float[Array, ""]:
    return state.params.charges[0] ** 2


def _identity(node: Node, places: Float[Array, "n d"]) -> float:
    """The largest relative error of ∇(a*)² = −∇L/Φ(θ, θ), ∇L the partial gradient at a = a*."""

    def both(place):
        square = jax.grad(lambda x: node.optimal_charge(x) ** 2)(place)
        charge = jax.lax.stop_gradient(node.optimal_charge(place))
        partial = jax.grad(lambda x: charge * (2 * node.field(x) + node.stiffness(x) * charge))(place)
        stiffness = node.stiffness(place)
        return jnp.linalg.norm(square + partial / stiffness), jnp.linalg.norm(square)

    errors, sizes = jax.jit(jax.vmap(both))(places)
    return float(jnp.max(errors) / jnp.max(sizes))


theorem = Theorem(
    id="zps17-D.1",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem D.1",
    title="A node that begins with a charge keeps it",
    statement=(
        "If the field C(θ) of all other charges has E C(θ)² ≥ ε for uniform θ, sampling a start for a node until "
        "(∂L/∂a)² ≥ ε/2 and then descending with the best charge before every step keeps a² above a multiple of ε, "
        "with high probability: ∇(a*)² = −∇L/Φ(θ, θ), so descent raises a² on average."
    ),
    check=_check,
    parameters={
        "d": 4,
        "protons": 4,
        "others": 1,
        "potential": "sphere_exponential",
        "epsilon": 0.3,
        "share": 0.125,
        "zeta": 0.1,
        "starts": 100,
        "step_size": None,
        "noise": 1.0,
        "steps": 200,
    },
)
