"""One check for zps17 Theorem 3.11 and Corollary 3.12: one electron on the sphere under the potential of the sign.

Φ = 1 − 2α/π, α the angle: every proton pulls with a force of constant size. Where such forces cannot cancel, which is
on the circle for almost all charges, and for one or two protons on any sphere unless |b₁| = |b₂|, descent with steps
that tend to 0 ends on ±wⱼ. With |b₁| = |b₂| they cancel on a whole arc between the protons, and descent ends on that.
"""

import itertools
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.orthonormal_monomial import lone_electron, random_places
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The parameters besides d, k and the law of the charges.
COMMON: dict[str, Any] = {
    "law": "",
    "printed": False,
    "starts": 32,
    "steps": 12_000,
    "first_step": 0.5,
    "shrinking": True,
    "tolerance": 1e-3,
}
#: The step is halved so many times in the second half of the way; in the end it is 10⁻⁶ of what it was.
HALVINGS = 20
#: Forces that differ by less than this share of their sum are taken to cancel.
CANCELLED = 1e-6
#: Gradients below this share of Σ|bⱼ| are none.
AT_REST = 1e-6


def check(
    theorem: str,
    seed: int,
    *,
    d: int,
    k: int,
    charges: str,
    law: Any,
    printed: bool,
    starts: int,
    steps: int,
    first_step: float,
    shrinking: bool,
    tolerance: float,
) -> Verdict:
    """Descend with steps that shrink to 0, and measure the angle to the nearest ±wⱼ.

    - `charges`: the law of b. `law`: another potential for the loss. `printed`: do not ask that forces cannot cancel.
    - `first_step`: times 1/(Σ|bⱼ|)²; with `shrinking` false it never shrinks.
    """
    whole("d", d, 2, 60)
    whole("k", k, 1, 20)
    whole("starts", starts, 1, 10_000)
    whole("steps", steps, 1, 10_000_000)
    above("first_step", first_step, 0.0, 100.0)
    above("tolerance", tolerance, 0.0, 0.1)
    phi = potentials.sign() if isinstance(law, str) and not law else named_potential(law, d, "sphere")
    if phi.space != "sphere":
        raise EarnshawError(f"the theorem is about potentials of the sphere, and {phi.name} lives in R^d")
    random = np.random.default_rng(seed)
    teacher = draw_teacher(random, d, k, charges, on_sphere=True)
    total = float(np.sum(np.abs(teacher.charges)))
    least = least_force(teacher.protons, teacher.charges) / total
    hypotheses = [
        Hypothesis("M is the circle" if theorem == "zps17-3.11" else "k ≤ 2", d == 2 or k <= 2, f"d = {d}, k = {k}")
    ]
    if theorem == "zps17-3.11":
        hypotheses[0] = Hypothesis("M is the circle", d == 2, d)
    if not printed:
        hypotheses.append(Hypothesis("the forces of the protons cancel nowhere", least > CANCELLED, least * total))
    landscape = lone_electron(phi, teacher.protons, teacher.charges, parity="odd")
    first = first_step / total**2
    rate = 2 * HALVINGS / steps if shrinking else 0.0
    trajectory = descend(
        landscape, GradientDescent(Halving(first, steps / 2, rate)), random_places(landscape, random, starts),
        stop=Stop(steps=steps, gradient_norm=None), progress=False,
    )  # fmt: skip
    ends = trajectory.positions.values[:, 0]
    angles = nearest_angles(ends, teacher.protons)
    a = trajectory.charges.values[:, 0]
    # Forces have constant size: an electron that has not arrived is on its way, unless they cancel where it is.
    on_its_way = (angles > tolerance) & (trajectory.final_gradient_norm.values > AT_REST * total) & shrinking
    worst = int(np.argmax(np.where(on_its_way, 0.0, angles)))
    margin = tolerance - float(angles[worst])
    return decide(
        theorem,
        tuple(hypotheses),
        f"every start ends within {tolerance:g} of some ±wⱼ",
        {
            "largest angle to the nearest ±wⱼ": float(angles[worst]),
            "starts": starts,
            "of them at each proton": np.bincount(np.argmax(np.abs(ends @ teacher.protons.T), axis=1), minlength=k),
            "at rest off all protons": int(np.sum((angles > tolerance) & ~on_its_way)),
            "still on their way": int(np.sum(on_its_way)),
            "smallest |a|": float(np.min(np.abs(a))),
            "last step size": first * 2.0 ** (-rate * steps / 2),
            "least sum of forces": least * total,
        },
        float("nan") if margin >= 0 and on_its_way.any() else margin,
        counterexample={
            "law": phi.name, "protons": teacher.protons, "charges": teacher.charges, "θ": ends[worst], "a": a[worst],
            "gradient norm": float(trajectory.final_gradient_norm.values[worst]),
        },
        note="The sign is odd, so wⱼ and −wⱼ are one unit.",
    )  # fmt: skip


class Halving(eqx.Module):
    """α₀ until a step, and α₀·2^{−rate·(t − since)} from there on; numbers are leaves, so that it compiles once.

    >>> float(Halving(0.5, 10, 0.1)(5)), float(Halving(0.5, 10, 0.1)(20))
    (0.5, 0.25)
    """

    first: Float[Array, ""]
    since: Float[Array, ""]
    rate: Float[Array, ""]

    def __init__(self, first: float, since: float | int, rate: float):
        self.first, self.since, self.rate = (jnp.asarray(value, float) for value in (first, since, rate))

    def __call__(self, step: Any) -> Any:
        """The size of a step."""
        return self.first * 2.0 ** (-self.rate * jnp.maximum(step - self.since, 0.0))


def nearest_angles(points: Float[np.ndarray, "n d"], protons: Float[np.ndarray, "k d"]) -> Float[np.ndarray, " n"]:
    """The angle of each unit vector to the nearest of ±wⱼ, from chords, so that it is exact near 0.

    >>> nearest_angles(np.array([[0.0, -1.0]]), np.eye(2)).tolist()
    [0.0]
    """
    chords = [np.linalg.norm(points[:, None] - sign * protons[None], axis=2) for sign in (1, -1)]
    return 2 * np.arcsin(np.clip(np.min(np.minimum(*chords), axis=1) / 2, 0.0, 1.0))


def least_force(protons: Float[np.ndarray, "k d"], charges: Float[np.ndarray, " k"]) -> float:
    """The least of |Σ ± bⱼ| over what the signs can be somewhere on the great circle of the protons.

    On the circle: the slope of Σ bⱼΦ on each arc between two of the ±wⱼ, in units of 2/π. For two protons on any
    sphere both sums |b₁ ± b₂| occur, and off their great circle forces are not parallel.

    >>> least_force(np.eye(2), np.array([1.0, 3.0]))
    2.0
    """
    if len(charges) <= 2 or protons.shape[1] > 2:
        return float(min(abs(np.dot(signs, charges)) for signs in itertools.product((1, -1), repeat=len(charges))))
    angles = np.arctan2(protons[:, 1], protons[:, 0])
    kinks = np.sort(np.mod(np.concatenate([angles, angles + np.pi]), 2 * np.pi))
    middles = (kinks + np.diff(np.append(kinks, kinks[0] + 2 * np.pi)) / 2)[:, None]
    turn = np.mod(angles[None] - middles, 2 * np.pi)
    return float(np.min(np.abs(np.where(turn < np.pi, 1.0, -1.0) @ charges)))


__all__ = ["COMMON", "Halving", "check", "least_force", "nearest_angles"]
