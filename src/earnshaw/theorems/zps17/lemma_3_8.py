"""zps17, Lemma 3.8: under a λ-harmonic potential an isolated electron with its best charge is at no local minimum.

Printed, θᵢ differs from *some* other electron. It must differ from all of them, as the proof uses: two opposite
electrons on one place, where nobody else is felt, are at a local minimum (`isolation="some"` builds that instance).
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_eigenfunction
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_charges
from earnshaw.theorems.search import search
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

ISOLATION = ("all", "some")


def _check(
    seed: int = 0,
    potential: Any = "exponential",
    law: Any = "",
    d: int = 1,
    k: int = 3,
    beyond: float = 0.05,
    charge_factor: float = 1.0,
    isolation: str = "all",
    points: int = 64,
    starts: int = 16,
    tolerance: float = 1e-8,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("k", k, 1, 20)
    whole("points", points, 1, 10_000)
    whole("starts", starts, 1, 10_000)
    above("beyond", beyond, 0.0, 10.0)
    above("tolerance", tolerance, 0.0, 1.0)
    if isolation not in ISOLATION:
        raise unknown_name("reading of the isolation of an electron", isolation, ISOLATION)
    if not math.isfinite(charge_factor):
        raise EarnshawError(f"charge_factor must be a finite number, not {charge_factor}")
    phi = named_potential(potential, d, "euclidean")
    acting = phi if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    for one in (phi, acting):
        if one.space != "euclidean":
            raise EarnshawError(f"this check takes potentials of R^d, and {one.name} lives on the sphere")
    fact, eigenvalue = is_eigenfunction(phi, d, beyond)
    at_coincidence = float(acting.self_energy(jnp.zeros((1, d)))[0])
    finite = Hypothesis("Φ(θ, θ) = c > 0", math.isfinite(at_coincidence) and at_coincidence > 0, at_coincidence)
    if not finite.met:
        return decide("zps17-L3.8", (fact, finite), "Δ_θᵢ L = −2cλaᵢ²", None, 0.0)
    if isolation == "some":
        return _two_on_one_place(acting, d, fact, finite, points, seed)
    random = np.random.default_rng(seed)
    protons, b = 2 * random.normal(size=(k, d)), draw_charges(random, k, "mixed")
    places = _apart(random, protons, points, k, beyond)
    others = draw_charges(random, k, "mixed")
    landscape = Particles(acting, protons, b, learn_charges=True, form="without-constant")
    if not fact.met:
        return decide("zps17-L3.8", (fact, finite), "Δ_θᵢ L = −2cλaᵢ²", None, 0.0)

    def first_block(positions):
        """The best charge of electron 0, and its block of the Hessian, with the electron `charge_factor` off it."""
        field = acting.matrix(positions[:1], jnp.concatenate([positions[1:], landscape.protons]))[0]
        best = -field @ jnp.concatenate([jnp.asarray(others[1:]), landscape.charges]) / at_coincidence
        charges = jnp.asarray(others).at[0].set(charge_factor * best)
        hessian = landscape.hessian(Electrons(positions, charges))
        return best, hessian[:d, :d]

    best, blocks = (np.asarray(leaf) for leaf in jax.jit(jax.vmap(first_block))(jnp.asarray(places)))
    predicted = -2 * at_coincidence * eigenvalue * best**2
    size = np.linalg.norm(blocks, axis=(1, 2)) + np.abs(predicted)
    errors = np.abs(np.trace(blocks, axis1=1, axis2=2) - predicted) / size
    smallest = np.linalg.eigvalsh(blocks)[:, 0]
    ended = search(landscape, Electrons(jnp.asarray(places[:starts]), jnp.tile(others, (len(places[:starts]), 1))),
                   collision=beyond)  # fmt: skip
    free = (ended.label == "minimum") & np.all(np.abs(np.asarray(ended.points.charges)) > 1e-6, axis=1)
    slack = {
        "Δ_θᵢ L = −2cλaᵢ²": tolerance - float(np.max(errors)),
        "λ_min ≤ −2cλaᵢ²/d": tolerance - float(np.max((smallest - predicted / d) / size)),
        "no local minimum with isolated electrons": -float(np.sum(free)) or 0.0,
    }
    claim = min(slack, key=lambda name: slack[name])
    return decide(
        "zps17-L3.8",
        (
            fact,
            finite,
            Hypothesis(f"electron i is farther than {beyond:g} from all others", True, f"{points} points"),
            Hypothesis("aᵢ is its best value and not 0", charge_factor == 1.0, f"aᵢ = {charge_factor:g}·aᵢ*"),
        ),
        {"Δ_θᵢ L / aᵢ²": -2 * at_coincidence * eigenvalue},
        {
            "Δ_θᵢ L / aᵢ²": float(np.median(np.trace(blocks, axis1=1, axis2=2) / best**2)),
            "largest relative error": float(np.max(errors)),
            "largest λ_min of the block": float(np.max(smallest)),
            "ends of descents": ended.counts(),
        },
        slack[claim],
        counterexample={"law": acting.name, "claim": claim, "protons": protons, "charges": b,
                        "electrons": places[int(np.argmax(errors))]},
    )  # fmt: skip


def _apart(random: np.random.Generator, protons: Any, points: int, k: int, beyond: float) -> np.ndarray:
    """Random places of k electrons, farther than `beyond` from the protons and from each other."""
    chosen = []
    for _ in range(200 * points):
        place = 2 * random.normal(size=(k, protons.shape[1]))
        everyone = np.concatenate([place, protons])
        distances = np.linalg.norm(place[:, None] - everyone[None], axis=2) + np.where(np.eye(k, len(everyone)), 9e9, 0)
        if distances.min() > beyond:
            chosen.append(place)
        if len(chosen) == points:
            return np.array(chosen)
    raise EarnshawError(f"beyond = {beyond:g} leaves no room for {k} electrons among as many protons")


def _two_on_one_place(phi: Any, d: int, fact: Hypothesis, finite: Hypothesis, points: int, seed: int) -> Verdict:
    """Two opposite electrons at one place of the line, where the protons' fields cancel, and a third one elsewhere."""
    if d != 1 or phi.name != "exponential":
        raise EarnshawError("isolation='some' builds its instance on the line (d=1), for the exponential potential")
    protons, b = np.array([[0.0], [1.0]]), np.array([1.0, -math.exp(-1.0)])
    landscape = Particles(phi, protons, b, electrons=3, learn_charges=True, form="full")
    places, charges = jnp.array([[2.0], [2.0], [3.0]]), jnp.array([0.8, -0.8, 0.0])
    here = Electrons(places, charges)
    random = np.random.default_rng(seed)
    steps = random.normal(size=(40 * points, 6))
    steps *= np.geomspace(1e-4, 0.2, len(steps))[:, None] / np.linalg.norm(steps, axis=1, keepdims=True)
    around = Electrons(places + steps[:, :3, None], charges + jnp.asarray(steps[:, 3:]))
    rise = np.asarray(jax.vmap(landscape.loss)(around)) - float(landscape.loss(here))
    gradient = landscape.gradient(here).charges
    smallest = float(np.min(rise))
    return decide(
        "zps17-L3.8",
        (fact, finite, Hypothesis("θ₁ differs from all protons and from some other electron", True, "θ₃")),
        "the loss falls somewhere around the point",
        {
            "least rise of the loss": smallest,
            "points around it": len(steps),
            "loss": float(landscape.loss(here)),
            "|∂L/∂a|": float(jnp.max(jnp.abs(gradient))),
        },
        -smallest - 1e-13 if smallest >= -1e-13 else -smallest,
        counterexample={
            "protons": protons,
            "charges": b,
            "electrons": places,
            "electron charges": charges,
        },
        note="All electrons are where the protons' fields cancel, so that L = const + ‖Σaᵢσ(·, θᵢ)‖² around there.",
    )  # fmt: skip


theorem = Theorem(
    id="zps17-L3.8",
    source="Zhang, Panigrahy, Sachdeva (2017), Lemma 3.8",
    title="An isolated electron with its best charge is at no minimum of a λ-harmonic potential",
    statement=(
        "Let ΔΦ = λΦ, λ > 0, except at coincidence, and Φ(θ, θ) = c > 0. Where electron i is apart from all others and "
        "its charge is the best one and not 0, the Laplacian of the loss in θᵢ is −2cλaᵢ² < 0."
    ),
    check=_check,
    parameters={
        "potential": "exponential",
        "law": "",
        "d": 1,
        "k": 3,
        "beyond": 0.05,
        "charge_factor": 1.0,
        "isolation": "all",
        "points": 64,
        "starts": 16,
        "tolerance": 1e-8,
    },
)
