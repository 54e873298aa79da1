"""prsz18, Theorem 4.1: all electrons at once, on G = L + ‖a‖²; some electron ends at some proton."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from earnshaw.descent import SecondOrder, Stop, descend
from earnshaw.descent.step_sizes import as_step_size, described
from earnshaw.landscapes import Electrons
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict, decide

STEPS = 20_000


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 3,
    eps: float = 0.3,
    spread: float = 0.3,
    potential: Any = "",
    teachers: int = 3,
    starts: int = 4,
    schedule: str = "measured",
    alpha: float = 0.0,
    factor: float = 1.0,
) -> Verdict:
    for name, value, high in (("k", k, 20), ("teachers", teachers, 1000), ("starts", starts, 1000)):
        whole(name, value, 1, high)
    above("factor", factor, 0.0)
    above("eps", eps, 0.0, 0.999)
    setting = Setting.of(potential, d, eps / k, spread)
    random = np.random.default_rng(seed)
    nearest, gains, outcomes, steps = [], [], set(), 0
    step_size, example = setting.step_size(schedule, alpha), None
    for _ in range(teachers):
        protons, charges = setting.teacher(random, k)
        landscape = setting.particles(protons, charges, k, regularised=True)
        first, delta = all_at_once(setting, protons, charges, random, starts)
        threshold = delta**2 / (2 * k**3 * d)
        algorithm = SecondOrder(step_size, eta=threshold, gamma=threshold)
        stop = Stop(steps=STEPS, gradient_norm=None)
        trajectory = descend(landscape, algorithm, first, stop=stop, key=seed, progress=False)
        apart = np.linalg.norm(trajectory.positions.values[:, :, None] - protons, axis=-1)
        nearest += np.min(apart, axis=(1, 2)).tolist()
        before = math.sqrt(float(landscape.constant))
        gains += ((before - np.sqrt(trajectory.final_loss.values)) / delta).tolist()
        outcomes |= set(trajectory.outcome.values.tolist())
        steps = max(steps, int(trajectory.steps.values.max()))
        if max(nearest) >= factor * eps and example is None:
            example = {"protons": protons, "charges": charges, "positions": trajectory.positions.values}
    slack = {
        "some electron is within ε of a proton": 1 - max(nearest) / (factor * eps),
        "√G is below its start's by at least δ": min(gains) - 1 + 1e-6,
    }
    claim = min(slack, key=lambda name: slack[name])
    return decide(
        "prsz18-4.1",
        setting.hypotheses(),
        {"distance below": factor * eps},
        {"slack": slack, "largest distance": max(nearest), "outcomes": sorted(outcomes), "steps": steps},
        math.nan if "out of steps" in outcomes else slack[claim],
        counterexample={"claim": claim, **(example or {})},
        note=f"{teachers} teachers of {k} protons, {starts} starts each; step sizes: "
        f"{described(as_step_size(step_size))}.",
    )


def all_at_once(
    setting: Setting, protons: Any, charges: Any, random: np.random.Generator, starts: int
) -> tuple[Electrons, float]:
    """First points by Lemma 4.5, and the δ by which they lower √G.

    One electron is at the origin with its best charge; the others are anywhere, without charge.
    """
    k, d = protons.shape
    matrix = setting.potential.matrix
    field = float(np.asarray(matrix(jnp.zeros((1, d)), jnp.asarray(protons)))[0] @ charges)
    energy = float(charges @ np.asarray(matrix(jnp.asarray(protons), jnp.asarray(protons))) @ charges)
    positions = setting.scale * random.normal(size=(starts, k, d))
    positions[:, 0] = 0.0
    first = np.zeros((starts, k))
    first[:, 0] = -field / 2
    delta = field**2 / 2 / (math.sqrt(energy) + math.sqrt(energy - field**2 / 2))
    return Electrons(jnp.asarray(positions), jnp.asarray(first)), delta


theorem = Theorem(
    id="prsz18-4.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 4.1",
    title="After descent with curvature some electron is at a proton",
    statement=(
        "For d ≡ 3 mod 4 there is an activation such that, for protons from N(0, O(d log d)·I) with charges uniform in "
        "[−1, 1], with high probability, descent with gradient and curvature steps on L + ‖a‖², from a suitable first "
        "point, ends with some electron within ε of some proton."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 3,
        "eps": 0.3,
        "spread": 0.3,
        "potential": "",
        "teachers": 3,
        "starts": 4,
        "schedule": "measured",
        "alpha": 0.0,
        "factor": 1.0,
    },
)
