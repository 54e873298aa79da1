"""prsz18, Lemma E.5: descent with curvature takes one electron to a proton, and its charge to that proton's."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.descent import SecondOrder, Stop, descend
from earnshaw.descent.step_sizes import described
from earnshaw.errors import unknown_name
from earnshaw.landscapes import Electrons, Node
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.prsz18.lemma_E_3 import OMEGA, separation
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Points from which the one with the largest field is taken, as the first point of a descent.
TRIES = 256
STEPS = 20_000
MODES = ("optimal", "learned")


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 4,
    eps: float = 0.1,
    spacing: float = 4.0,
    least_charge: float = 0.2,
    potential: Any = "",
    starts: int = 8,
    charges: str = "optimal",
    schedule: str = "measured",
    alpha: float = 0.0,
    exponent: float = 1.0,
) -> Verdict:
    whole("k", k, 1, 50)
    whole("starts", starts, 1, 1000)
    above("spacing", spacing, 0.0, 100.0)
    above("least_charge", least_charge, 0.0, 1.0)
    above("exponent", exponent, 0.0)
    if charges not in MODES:
        raise unknown_name("treatment of the charge", charges, MODES)
    setting = Setting.of(potential, d, eps, 1.0)
    random = np.random.default_rng(seed)
    protons, own = setting.separated_teacher(random, k, spacing * d * math.log(d), least_charge)
    apart = separation(protons)
    node = _node(setting, protons, own, charges)
    first = _first_points(node, protons, random, starts)
    total = float(own @ np.asarray(setting.potential.matrix(jnp.asarray(protons), jnp.asarray(protons))) @ own)
    added = np.asarray(jax.vmap(node.loss)(first))
    delta = float(np.min(-added / (math.sqrt(total) + np.sqrt(total + added))))
    # η = γ = λδ²/2d, with the δ by which these first points lower √L
    algorithm = SecondOrder(setting.step_size(schedule, alpha), eta=delta**2 / (2 * d), gamma=delta**2 / (2 * d))
    hypotheses = (
        *setting.hypotheses(),
        Hypothesis("the protons are at least 3d·ln d apart", apart >= OMEGA * d * math.log(d), apart),
        Hypothesis("some |bⱼ| is not small", bool(np.max(np.abs(own)) >= 0.1), float(np.max(np.abs(own)))),
    )
    trajectory = descend(node, algorithm, first, stop=Stop(steps=STEPS, gradient_norm=None), key=seed, progress=False)
    positions = trajectory.positions.values[:, 0]
    final = np.asarray(jax.vmap(node.charge_at)(_electrons(trajectory, node.mode)))
    distances = np.linalg.norm(positions[:, None] - protons, axis=-1)
    nearest = np.argmin(distances, axis=1)
    distance, off = np.min(distances, axis=1), np.abs(final + own[nearest])
    outcomes = sorted(set(trajectory.outcome.values.tolist()))
    allowed = (d / eps) ** (-exponent * d)
    slack = {
        "within ε of a proton": 1 - float(np.max(distance)) / eps,
        "within (d/ε)^(−O(d)) of it": 1 - float(np.max(distance)) / allowed,
        "its charge within (d/ε)^(−O(d)) of the opposite": 1 - float(np.max(off)) / allowed,
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmax(off))
    return decide(
        "prsz18-LE.5",
        hypotheses,
        {"distance and charge within": allowed},
        {"slack": slack, "largest distance": float(np.max(distance)), "largest charge error": float(np.max(off)),
         "outcomes": outcomes, "steps": int(np.max(trajectory.steps.values)), "η = γ": delta**2 / (2 * d)},
        math.nan if "out of steps" in outcomes else slack[claim],
        counterexample={"claim": claim, "position": positions[worst], "charge": final[worst], "protons": protons,
                        "charges": own},
        note=f"{starts} starts; step sizes: {described(algorithm.step_size)}; the electron's charge is {charges}.",
    )  # fmt: skip


def _node(setting: Setting, protons: Any, own: Any, mode: str) -> Node:
    landscape = setting.particles(protons, own, 1)
    return Node(landscape, landscape.protons, landscape.charges, mode)


def _first_points(node: Node, protons: Any, random: np.random.Generator, starts: int) -> Electrons:
    """For every start the best of some points that are drawn within d of the protons or far from them."""
    d = protons.shape[1]
    points = protons[random.integers(len(protons), size=(starts, TRIES))] + d * random.normal(size=(starts, TRIES, d))

    @jax.jit
    @jax.vmap
    def best(drawn: Float[jax.Array, "n d"]) -> Electrons:
        return node.at(drawn[jnp.argmax(jnp.abs(jax.vmap(node.field)(drawn)))])

    return best(jnp.asarray(points))


def _electrons(trajectory: Any, mode: str) -> Electrons:
    charges = jnp.asarray(trajectory.charges.values) if mode == "learned" else None
    return Electrons(jnp.asarray(trajectory.positions.values), charges)


theorem = Theorem(
    id="prsz18-LE.5",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma E.5",
    title="One electron finds a proton, and its charge if it is solved for",
    statement=(
        "One electron that descends on L with gradient and curvature steps, from a point that lowers the loss enough, "
        "ends within ε of a proton; if that proton's charge is not small and all others are Ω(d log d) away, then it "
        "ends within (d/ε)^{−O(d)} of it and with almost the opposite charge. For the charge this needs "
        "charges=optimal, the best charge at every step: the loss has a cusp at the proton, where the electron comes "
        "to rest before a charge that descends together with the position (charges=learned) is there."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 4,
        "eps": 0.1,
        "spacing": 4.0,
        "least_charge": 0.2,
        "potential": "",
        "starts": 8,
        "charges": "optimal",
        "schedule": "measured",
        "alpha": 0.0,
        "exponent": 1.0,
    },
)
