"""prsz18, Theorem F.4: under a narrow Gaussian potential electrons only rest near protons."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.joint_strictness import strictness
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.search import search
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 3,
    eps: float = 1.0,
    c_factor: float = 1.2,
    radius: float = 2.5,
    law: Any = "",
    printed: bool = False,
    points: int = 64,
    starts: int = 24,
    tolerance: float = 1e-9,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("k", k, 1, 12)
    whole("points", points, 1, 10_000)
    whole("starts", starts, 1, 10_000)
    above("eps", eps, 0.0, 100.0)
    above("c_factor", c_factor, 0.0, 100.0)
    above("radius", radius, 0.0, 100.0)
    above("tolerance", tolerance, 0.0, 1.0)
    c = c_factor * d / eps
    if c * (2 * radius) ** 2 > 1300:
        raise EarnshawError(
            "exp(−c r²/2) underflows at distance 2·radius; take a smaller radius or c_factor, or larger eps"
        )
    hypotheses = (
        Hypothesis("c > d/ε", c_factor > 1, f"c = {c:g}, d/ε = {d / eps:g}"),
        Hypothesis("all ‖wⱼ‖ are bounded", True, radius),
        Hypothesis("b = 1 and a = −1", True, k),
    )
    if not hypotheses[0].met:
        return Verdict("prsz18-F.4", "not-applicable", hypotheses, predicted="an electron within √ε of a proton")
    gaussian = potentials.gaussian(c)
    phi = gaussian if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    random = np.random.default_rng(seed)
    protons = _within(draw_teacher(random, d, k, "equal").protons, radius)
    landscape = Particles(phi, protons, form="interaction")
    places = _far(random, protons, points, k, eps, radius)
    curved = strictness(landscape, places)
    squares = curved.squares
    factor = 1.0 if printed else c
    laplacians = factor * (c * squares - d) * np.exp(-c * squares / 2)
    wanted = -2 * np.sum(laplacians, axis=(1, 2)) / (d * k)
    errors = np.abs(curved.joint / wanted - 1)
    strict = -float(np.max(wanted))

    begin = Electrons(jnp.asarray(_within(random.normal(size=(starts * k, d)), radius).reshape(starts, k, d)))
    ended = search(landscape, begin)
    # The points of M_δ, with the δ at which no configuration of the kind drawn above is in it.
    almost = ended.critical & (ended.smallest >= -strict)
    apart = np.asarray(ended.points.positions)[:, :, None] - protons
    nearest = np.min(np.sum(apart**2, axis=-1), axis=(1, 2))
    farthest = float(np.max(nearest[almost], initial=0.0))
    rounding = 1e-13 * np.abs(curved.smallest)
    slack = {
        "joint motions have the average curvature −(2/kd)ΣΣΔΦ": tolerance - float(np.max(errors)),
        "λ_min ≤ that average": float(np.min(curved.joint + rounding - curved.smallest)),
        "ends in M_δ have ‖θᵢ − wⱼ‖² ≤ ε for some i, j": eps - farthest,
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmax(errors))
    return decide(
        "prsz18-F.4",
        hypotheses,
        {"‖θᵢ − wⱼ‖² for the nearest pair, at most": eps, "λ_min without such a pair, at most": -strict},
        {
            "‖θᵢ − wⱼ‖² for the nearest pair, largest": farthest,
            "λ_min without such a pair, largest": float(np.max(curved.smallest)),
            "ends of descents": ended.counts(),
            "ends in M_δ": int(np.sum(almost)),
            "δ": strict,
            "log δ": math.log(strict) if strict > 0 else None,
            "relative error of the average curvature": float(np.max(errors)),
        },
        slack[claim] if slack[claim] < 0 or almost.any() else float("nan"),
        counterexample={"law": phi.name, "claim": claim, "c": c, "protons": protons, "electrons": places[worst],
                        "average curvature": curved.joint[worst], "predicted": wanted[worst]},
        note="ΔΦ = c(cr² − d)e^{−cr²/2}; the source leaves out the first c (`printed`), and asks for c = O(d/ε).",
    )  # fmt: skip


def _within(points: Float[np.ndarray, "n d"], radius: float) -> Float[np.ndarray, "n d"]:
    """The points, those outside of the ball brought to its surface."""
    norms = np.linalg.norm(points, axis=1, keepdims=True)
    return points * np.minimum(1.0, radius / norms)


def _far(
    random: np.random.Generator, protons: Float[np.ndarray, "K d"], points: int, k: int, eps: float, radius: float
) -> Float[np.ndarray, "n k d"]:
    """Configurations in the ball with every ‖θᵢ − wⱼ‖² > ε."""
    d = protons.shape[1]
    chosen: list[np.ndarray] = []
    for _ in range(400):
        draws = _within(radius * random.normal(size=(points * k, d)), radius)
        squares = np.sum((draws[:, None] - protons) ** 2, axis=-1)
        chosen.extend(draws[np.min(squares, axis=1) > eps])
        if len(chosen) >= points * k:
            return np.array(chosen[: points * k]).reshape(points, k, d)
    raise EarnshawError(
        f"a ball of radius {radius:g} has no room for electrons at distances above √{eps:g} of all protons"
    )


theorem = Theorem(
    id="prsz18-F.4",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem F.4",
    title="Under a narrow Gaussian potential electrons only rest near protons",
    statement=(
        "Let Φ = exp(−c‖θ − w‖²/2), all b = 1 and a = −1, and c > d/ε. If no ‖θᵢ − wⱼ‖² is below ε, moving all "
        "electrons together has a negative average curvature, at most −δ for δ exponentially small in c and the "
        "distances; so every point with gradient and negative curvature below δ has an electron within √ε of a proton."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 3,
        "eps": 1.0,
        "c_factor": 1.2,
        "radius": 2.5,
        "law": "",
        "printed": False,
        "points": 64,
        "starts": 24,
        "tolerance": 1e-9,
    },
)
