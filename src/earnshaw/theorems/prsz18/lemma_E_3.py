"""prsz18, Lemma E.3: around a proton, with its best charge, an electron is pulled towards that proton."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.landscapes import Electrons
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The constant in "at least Ω(d log d) apart".
OMEGA = 3.0
ROUNDING = 1e-9


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 4,
    eps: float = 0.1,
    spacing: float = 4.0,
    least_charge: float = 0.2,
    potential: Any = "",
    points: int = 60,
    charge_error: float = 0.0,
    exponent: float = 8.0,
    pull: float = 2.0,
) -> Verdict:
    whole("k", k, 1, 50)
    whole("points", points, 1, 100_000)
    above("least_charge", least_charge, 0.0, 1.0)
    above("spacing", spacing, 0.0, 100.0)
    above("charge_error", charge_error, -1.0)
    above("exponent", exponent, 0.0)
    setting = Setting.of(potential, d, eps, 1.0)
    random = np.random.default_rng(seed)
    protons, charges = setting.separated_teacher(random, k, spacing * d * math.log(d), least_charge)
    apart = separation(protons)
    small = (d / eps) ** (-2 * d)
    hypotheses = (
        *setting.hypotheses(),
        Hypothesis("the protons are at least 3d·ln d apart", apart >= OMEGA * d * math.log(d), apart),
        Hypothesis("a₁ is within (d/ε)^(−2d) of its best value", charge_error <= small, charge_error),
        Hypothesis("|bⱼ| is not small", bool(np.min(np.abs(charges)) >= least_charge), float(np.min(np.abs(charges)))),
    )
    owner = random.integers(k, size=points)
    towards = random.normal(size=(points, d))
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    r = np.exp(random.uniform(math.log(1e-2 * eps), math.log(d), points))
    positions = protons[owner] - r[:, None] * towards
    landscape = setting.particles(protons, charges, 1)

    @jax.jit
    def force(position: Float[jax.Array, " d"]) -> tuple[jax.Array, jax.Array]:
        charge = landscape.optimal_charges(position[None]) + charge_error
        return -landscape.gradient(Electrons(position[None], charge)).positions[0], charge[0]

    forces, own = (np.asarray(leaf) for leaf in jax.lax.map(force, jnp.asarray(positions)))
    value, slope = (
        np.asarray(jax.vmap(f)(r)) for f in (setting.potential.profile, jax.grad(setting.potential.profile))
    )
    b = charges[owner]
    # −∇L = ζ·(w − θ)/r + ξ, where ζ is what the one proton does to this charge
    zeta = 2 * own * b * slope
    xi = np.linalg.norm(forces - zeta[:, None] * towards, axis=1)
    bounds = AlmostHarmonic(d, eps)
    promised = 2 * least_charge**2 * float(bounds.lower_bound(float(d)) * bounds.slope_lower_bound(float(d)))
    rest = float(bounds.slope_upper_bound(apart - d)) if apart > d else math.inf
    allowed = 2 * np.abs(own) * (k - 1) * rest + ROUNDING * np.abs(zeta)
    along = np.sum(forces * towards, axis=1) / np.linalg.norm(forces, axis=1)
    expected = pull * b**2 * value * -slope
    size = np.log(1 / np.maximum(zeta, 1e-300)) / (d * setting.digits)
    slack = {
        "ζ is at least 2bⱼ²Φ|Φ′| at its smallest": float(np.min(zeta / promised)) - 1,
        "ζ is at least (d/ε)^(−8d)": exponent - float(np.max(size)),
        "ξ is at most what the other protons can do": float(np.min(1 - xi / allowed)),
        "the force points at the proton": float(np.min(along)),
        "ζ is 2bⱼ²Φ|Φ′| but for the other protons": 0.05 - float(np.max(np.abs(zeta / expected - 1))),
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmin(zeta))
    return decide(
        "prsz18-LE.3",
        hypotheses,
        "every claim holds with slack ≥ 0",
        {"slack": slack, "largest exponent of d/ε in 1/ζ, per dimension": float(np.max(size)),
         "largest ‖ξ‖/ζ": float(np.max(xi / np.abs(zeta)))},
        slack[claim],
        counterexample={"claim": claim, "position": positions[worst], "charge": own[worst], "protons": protons,
                        "charges": charges},
        note=f"{points} points from 0.01ε to d away from {k} protons in R^{d}, ε = {eps:g}.",
    )  # fmt: skip


def separation(protons: Float[np.ndarray, "k d"]) -> float:
    """The smallest distance of two protons; infinite for one.

    >>> separation(np.array([[0.0], [3.0], [4.0]]))
    1.0
    """
    apart = np.linalg.norm(protons[:, None] - protons, axis=-1)
    return float(np.min(apart[~np.eye(len(protons), dtype=bool)], initial=np.inf))


theorem = Theorem(
    id="prsz18-LE.3",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma E.3",
    title="Around a proton the gradient points at it",
    statement=(
        "Let an electron be within d of a proton whose charge is not small and which is Ω(d log d) away from all "
        "others, and let its own charge be almost the best one. Then −∇L = ζ·(direction of the proton) + ξ with "
        "ζ ≥ (d/ε)^{−8d}/poly(d), while ‖ξ‖ ≤ (d/ε)^{−O(d)} comes from the other protons."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 4,
        "eps": 0.1,
        "spacing": 4.0,
        "least_charge": 0.2,
        "potential": "",
        "points": 60,
        "charge_error": 0.0,
        "exponent": 8.0,
        "pull": 2.0,
    },
)
