"""zps17, Theorem 4.2: node-wise descent under the Gaussian potential with fixed charges."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.joint_strictness import Strictness, strictness
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.node_recovery import interval, learn, one_by_one, steps_used
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Teachers that are drawn at most in the search for those with the geometry of the proof.
DRAWS = 20_000
#: The fields of two protons differ by at most e^{RESOLVED/2} where the electron begins. Beyond, the nearer one drowns
#: the other even after an electron sits on it up to rounding, which is a matter of double precision and not of the
#: theorem.
RESOLVED = 60.0


def _check(
    seed: int = 0,
    d: int = 4,
    k: int = 3,
    c: Any = None,
    teachers: int = 8,
    points: int = 200,
    shell: Any = (2.0, 6.0),
    law: Any = "",
    epsilon: Any = None,
    step_size: Any = None,
    steps: int = 150,
    radius: Any = None,
    chance: float = 0.9,
) -> Verdict:
    whole("d", d, 1, 30)
    whole("k", k, 1, 20)
    whole("teachers", teachers, 1, 1000)
    whole("points", points, 1, 10_000)
    whole("steps", steps, 1, 100_000)
    above("chance", chance, 0.0, 1.0)
    c = smallest_variance(d, k) if c is None else above("c", c, 0.0, 1e6)
    epsilon = math.exp(-1.5 * c * d) if epsilon is None else above("epsilon", epsilon, 0.0, 1.0)
    radius = math.exp(-2 * d) if radius is None else above("radius", radius, 0.0)
    phi = potentials.gaussian() if isinstance(law, str) and not law else named_potential(law, d, "euclidean")
    low, high = _shell(shell)
    random = np.random.default_rng(seed)

    # The first half: configurations in the shell, with protons near the origin so that there are any.
    protons = 0.3 * random.normal(size=(k, d))
    landscape = Particles(phi, protons, form="interaction", electron_charges=-np.ones(k))
    configurations = in_shell(random, protons, points, low, high)
    curved = strictness(landscape, configurations)
    bound = strict_bound(k, d, float(np.max(curved.squares)) / d)
    slack = _strict_slack(curved, bound)

    # The second half: teachers with the geometry of the proof, learned one node at a time.
    chosen, drawn = proper_teachers(random, d, k, c, teachers)
    landscapes = [Particles(phi, w, form="interaction", electron_charges=-np.ones(k)) for w in chosen]
    algorithm = one_by_one(step_size, epsilon, steps, epsilon, charge="fixed", placing="given")
    runs = learn(landscapes, algorithm, [Electrons(jnp.zeros((k, d)))] * len(chosen), seed)
    found = [run.distance <= radius and run.label == "minimum" for run in runs]
    low_end, high_end = interval(sum(found), len(runs))
    success = high_end - chance if runs else math.nan

    margin = slack if slack < 0 else min(slack, success) if success >= 0 or not runs else success
    missed = found.index(False) if False in found else None
    counterexample: dict[str, Any] = {"law": phi.name, "λ_min − bound": -slack, "protons": protons}
    if missed is not None:
        counterexample = {
            "protons": chosen[missed], "electrons": runs[missed].positions, "ended as": runs[missed].label,
            "distance": runs[missed].distance, "epsilon": epsilon,
        }  # fmt: skip
    if slack < 0:
        worst = int(np.argmax(curved.smallest))
        counterexample |= {"electrons": configurations[worst], "smallest eigenvalue": curved.smallest[worst]}
    nearest, farthest = float(np.min(curved.squares)), float(np.max(curved.squares))
    needed = k * c**2 * math.exp(-c)
    return decide(
        "zps17-4.2",
        (
            Hypothesis("2d < ‖θᵢ − wⱼ‖² < O(d)", nearest > 2 * d, f"{nearest / d:.3g} d to {farthest / d:.3g} d"),
            Hypothesis("c > 2 and k c² e^{−c} ≤ e^{−2d}", c > 2 and needed <= math.exp(-2 * d) * (1 + 1e-9), c),
            Hypothesis("all charges are fixed: b = 1, a = −1", True),
        ),
        {
            "λ_min, at most": -bound,
            "distance from the global minimum, at most": radius,
            "chance of finding it, at least": chance,
        },
        {
            "largest λ_min in the shell": float(np.max(curved.smallest)),
            "teachers found": f"{sum(found)} of {len(runs)}",
            "chance, 95 %": [low_end, high_end],
            "largest distance": max((run.distance for run in runs), default=None),
            "draws for a teacher with the geometry of the proof": drawn / max(len(chosen), 1),
            "‖∇L‖ at θ = 0, median": float(np.median([_at_origin(w) for w in chosen])) if chosen else None,
            "epsilon": epsilon,
        },
        margin,
        counterexample=counterexample,
        note=steps_used(step_size)
        + " Teachers have ‖wᵢ‖² < 3cd and 1.5cd < ‖wᵢ − wⱼ‖² < 2.5cd, as the proof supposes, and are resolved by"
        " double precision. ε is e^{−O(cd)}: printed e^{−O(d)} ends every node at the origin.",
    )


def smallest_variance(d: int, k: int) -> float:
    """The least c > 2 with k c² e^{−c} ≤ e^{−2d}: the larger solution of c = 2d + log k + 2 log c.

    >>> c = smallest_variance(4, 3)
    >>> bool(abs(3 * c**2 * math.exp(-c + 8) - 1) < 1e-9)
    True
    """
    c = 2.0
    for _ in range(200):
        c = max(2.0 + 1e-9, 2 * d + math.log(k) + 2 * math.log(c))
    return c


def strict_bound(k: int, d: int, farthest: float) -> float:
    """−λ_min, at least, where all ‖θᵢ − wⱼ‖² are between 2d and `farthest`·d: 2k(u − d)e^{−u/2}/d at its least.

    (u − d)e^{−u/2} rises up to u = d + 2 and falls from there, so it is least at an end of the interval.
    """
    ends = (2.0 * d, farthest * d)
    return 2 * k / d * min((u - d) * math.exp(-u / 2) for u in ends)


def in_shell(
    random: np.random.Generator, protons: Float[np.ndarray, "K d"], count: int, low: float, high: float
) -> Float[np.ndarray, "n k d"]:
    """Configurations of k electrons, each at squared distances from low·d to high·d of each of the k protons."""
    k, d = protons.shape
    kept: list[np.ndarray] = []
    for _ in range(1000):
        directions = random.normal(size=(4 * count * k, d))
        lengths = np.sqrt(d * random.uniform(low, high, size=(len(directions), 1)))
        places = directions / np.linalg.norm(directions, axis=1, keepdims=True) * lengths
        squares = np.sum((places[:, None] - protons) ** 2, axis=-1)
        kept += list(places[np.all((squares > low * d) & (squares < high * d), axis=1)])
        if len(kept) >= count * k:
            return np.array(kept[: count * k]).reshape(count, k, d)
    raise EarnshawError(f"no point is at squared distances from {low:g}d to {high:g}d of all {k} protons")


def proper_teachers(
    random: np.random.Generator, d: int, k: int, c: float, count: int
) -> tuple[list[Float[np.ndarray, "k d"]], int]:
    """Teachers w ~ N(0, cI) with the geometry of the proof that double precision resolves, and how many were drawn."""
    chosen, drawn, last = [], 0, 0
    while len(chosen) < count and drawn < DRAWS:
        batch = math.sqrt(c) * random.normal(size=(1000, k, d))
        lengths = np.sum(batch**2, axis=2)
        apart = np.sum((batch[:, :, None] - batch[:, None]) ** 2, axis=-1)[:, *np.triu_indices(k, 1)]
        proper = np.all(lengths < 3 * c * d, axis=1) & np.all((apart > 1.5 * c * d) & (apart < 2.5 * c * d), axis=1)
        resolved = np.ptp(lengths, axis=1) <= RESOLVED
        for number in np.flatnonzero(proper & resolved)[: count - len(chosen)]:
            chosen.append(batch[number])
            last = int(number) + 1
        drawn += 1000 if len(chosen) < count else last
    return chosen, drawn


def _strict_slack(curved: Strictness, bound: float) -> float:
    """How far below −bound the largest λ_min is, in units of the bound; also λ_min ≤ the joint motion's average."""
    below = (-bound - np.max(curved.smallest)) / abs(bound) if bound else -np.inf
    rounding = 1e-9 * np.abs(curved.joint)
    return float(min(below, np.min(curved.joint - curved.smallest + rounding) / abs(bound)))


def _at_origin(protons: Float[np.ndarray, "k d"]) -> float:
    """‖∇L(0)‖ of the first node: 2‖Σ wⱼ e^{−‖wⱼ‖²/2}‖."""
    return float(2 * np.linalg.norm(np.sum(protons * np.exp(-np.sum(protons**2, axis=1) / 2)[:, None], axis=0)))


def _shell(shell: Any) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in shell)
    except (TypeError, ValueError):
        raise EarnshawError(f"shell must be two numbers, such as (2, 6), not {shell!r}") from None
    if not 0 <= low < high <= 50:
        raise EarnshawError(f"shell must be two rising numbers from 0 to 50, not {shell!r}")
    return low, high


theorem = Theorem(
    id="zps17-4.2",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 4.2",
    title="Node-wise descent finds all protons of a Gaussian potential",
    statement=(
        "Under Φ = e^{−‖θ − w‖²/2} with all b = 1 and a = −1 fixed: where all electrons are at squared distances "
        "between 2d and O(d) of all protons, the Hessian has an eigenvalue below −e^{−O(d)}. And if w ~ N(0, cI) with "
        "k c² e^{−c} ≤ e^{−2d}, descending node by node from θ = 0 to almost critical points very probably finds all "
        "protons. (ε has to be e^{−O(cd)}, and c is at least 2d; printed e^{−O(d)}: epsilon=1e-4.)"
    ),
    check=_check,
    parameters={
        "d": 4,
        "k": 3,
        "c": None,
        "teachers": 8,
        "points": 200,
        "shell": (2.0, 6.0),
        "law": "",
        "epsilon": None,
        "step_size": None,
        "steps": 150,
        "radius": None,
        "chance": 0.9,
    },
)
