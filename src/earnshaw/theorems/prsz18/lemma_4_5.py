"""prsz18, Lemma 4.5: one electron at the origin lowers G = L + ‖a‖² enough to begin with."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.stats import chi2

from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.landscapes import Electrons
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict, decide

#: How far rounding may move G(a, 0) − G(0), relative to G(0).
ROUNDING = 1e-12
#: The share of the strongest proton's pull that the sum of all pulls is compared with.
SHARES = (0.05, 0.2)
#: Far outside what chance does to a share of teachers.
LEVEL = 0.9999


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 5,
    eps: float = 0.1,
    spread: float = 1.0,
    potential: Any = "",
    teachers: int = 400,
    failures: float = 0.05,
    charge: float = -0.5,
    factor: float = 1.0,
) -> Verdict:
    whole("k", k, 1, 100)
    whole("teachers", teachers, 10, 100_000)
    above("failures", failures, 0.0, 0.5)
    above("factor", factor, 0.0)
    setting = Setting.of(potential, d, eps, spread)
    hypotheses = setting.hypotheses()
    random = np.random.default_rng(seed)
    protons, charges = (
        np.array(each) for each in zip(*(setting.teacher(random, k) for _ in range(teachers)), strict=True)
    )

    @jax.jit
    @jax.vmap
    def seen(w: Float[jax.Array, "k d"], b: Float[jax.Array, " k"]) -> tuple[jax.Array, jax.Array]:
        pull = setting.potential.matrix(jnp.zeros((1, d)), w)[0]
        return pull, b @ setting.potential.matrix(w, w) @ b

    pulls, energies = (np.asarray(leaf) for leaf in seen(jnp.asarray(protons), jnp.asarray(charges)))
    field = np.sum(pulls * charges, axis=1)
    # a = charge·C adds 2a² + 2aC; −C/2 is the best charge and adds −C²/2
    added = 2 * (charge * field) ** 2 + 2 * charge * field**2
    gain = -added / (np.sqrt(energies) + np.sqrt(np.maximum(energies + added, 0.0)))
    least = field**2 / 4 / np.sqrt(energies)
    radius, delta = _promised(setting, k, failures)
    # all protons would have to be farther away than the radius
    failing = failures + float(chi2.sf(radius**2 / setting.scale**2, d)) ** k
    enough = clopper_pearson(int(np.sum(gain >= factor * delta)), teachers, LEVEL)
    strongest = np.max(pulls, axis=1)
    rare = [clopper_pearson(int(np.sum(np.abs(field) <= share * strongest)), teachers, LEVEL)[0] for share in SHARES]
    slack = {
        "G(a, 0) − G(0) is −½(Σ bⱼΦ(0, wⱼ))²": ROUNDING
        - _identity(setting, protons[0], charges[0], float(field[0]), float(energies[0]), charge),
        "the gain is at least ½(Σ bⱼΦ(0, wⱼ))²/2√G(0)": float(np.min(gain / least)) - 1 + 1e-9,
        "P(|Σ bⱼΦ(0, wⱼ)| ≤ t·maxⱼ Φ(0, wⱼ)) ≤ t": float(np.min(np.array(SHARES) - rare)),
        "the gain is at least δ with the promised probability": enough[1] - (1 - failing),
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmin(gain))
    return decide(
        "prsz18-L4.5",
        hypotheses,
        {"δ": factor * delta, "exponent of d/ε in δ, per dimension": math.log(1 / delta) / (d * setting.digits),
         "probability": 1 - failing},
        {"slack": slack, "share with that gain": enough, "smallest gain": float(gain[worst])},
        slack[claim],
        counterexample={"claim": claim, "gain": gain[worst], "protons": protons[worst], "charges": charges[worst]},
        note=f"{teachers} teachers of {k} protons in R^{d}, ε = {eps:g}; δ = (p·Φ_low)²/4k by Lemma B.9.",
    )  # fmt: skip


def _promised(setting: Setting, k: int, failures: float) -> tuple[float, float]:
    """A radius that some proton is within, and the gain that holds but for `failures`.

    b is uniform in [−1, 1], so Σ bⱼΦⱼ has a density below 1/(2 maxⱼ Φⱼ) and is smaller than p·Φ_low with probability
    at most p; √G(0) ≤ k.
    """
    radius = setting.scale * math.sqrt(2 * setting.d)
    low = float(AlmostHarmonic(setting.d, setting.eps).lower_bound(radius))
    return radius, (failures * low) ** 2 / (4 * k)


def _identity(
    setting: Setting,
    w: Float[np.ndarray, "k d"],
    b: Float[np.ndarray, " k"],
    field: float,
    energy: float,
    charge: float,
) -> float:
    """How far the library's G is from the closed form, relative to G(0)."""
    landscape = setting.particles(w, b, 1, regularised=True)
    value = float(landscape.loss(Electrons(jnp.zeros((1, setting.d)), jnp.asarray([charge * field]))))
    return abs(value - (energy - field**2 / 2)) / energy


theorem = Theorem(
    id="prsz18-L4.5",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma 4.5",
    title="One electron at the origin lowers the loss enough to begin with",
    statement=(
        "For protons drawn from N(0, O(d log d)·I) with charges uniform in [−1, 1], with high probability, one "
        "electron at the origin with its best charge lowers √G by at least δ = (d/ε)^{−O(d)}."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 5,
        "eps": 0.1,
        "spread": 1.0,
        "potential": "",
        "teachers": 400,
        "failures": 0.05,
        "charge": -0.5,
        "factor": 1.0,
    },
)
