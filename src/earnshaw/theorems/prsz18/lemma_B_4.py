"""prsz18, Lemma B.4: the Gram matrices of a realizable potential are positive semidefinite."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import potentials
from earnshaw.duality.potential import Potential
from earnshaw.duality.realizability import realizability
from earnshaw.errors import EarnshawError
from earnshaw.theorems.limits import whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Sizes of the clouds: a Gram matrix shows a negative eigenvalue only if its points are as far apart as Φ varies.
SCALES = np.geomspace(0.05, 5.0, 7)
#: By how much rounding may have moved an eigenvalue, in units of size · (the largest entry) · 2⁻⁵².
ROUNDING = 8.0


def _check(
    seed: int = 0, potential: Any = "gaussian", claimed: Any = "", d: int = 3, points: int = 24, draws: int = 4
) -> Verdict:
    whole("d", d, 1, 100)
    whole("points", points, 2, 500)
    whole("draws", draws, 1, 100)
    given = potentials.get(potential)
    claimed = given if isinstance(claimed, str) and not claimed else potentials.get(claimed)
    for phi in (given, claimed):
        if phi.space != "euclidean":
            raise EarnshawError(f"the lemma is about potentials of R^d, and {phi.name} lives on the sphere")
    answer = realizability(given, d)
    at_coincidence = float(claimed.self_energy(jnp.zeros((1, d)))[0])
    hypotheses = (
        Hypothesis("Φ is realizable", answer.realizable is True, answer.reason),
        Hypothesis("Φ(θ, θ) is finite", bool(np.isfinite(at_coincidence)), at_coincidence),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict(
            "prsz18-LB.4", "not-applicable", hypotheses, predicted="no Gram matrix has a negative eigenvalue"
        )
    random = np.random.default_rng(seed)
    clouds = [scale * random.normal(size=(points, d)) for scale in SCALES for _ in range(draws)]
    clouds += [scale * np.arange(points)[:, None] * np.eye(d)[0] for scale in SCALES]
    found = _smallest_eigenvalues(claimed, np.array(clouds))
    worst = int(np.argmin([value + error for value, error in found]))
    value, error = found[worst]
    return decide(
        "prsz18-LB.4",
        hypotheses,
        "no Gram matrix has a negative eigenvalue",
        {"smallest eigenvalue, relative to the largest entry": value, "rounding": error, "matrices": len(found)},
        value + error,
        counterexample={"potential": claimed.name, "eigenvalue": value, "points": clouds[worst]},
        note="Points in Gaussian clouds of several sizes, and equally spaced on lines.",
    )


def _smallest_eigenvalues(phi: Potential, clouds: Float[np.ndarray, "m n d"]) -> list[tuple[float, float]]:
    """The smallest eigenvalue of each (Φ(xᵢ, xⱼ)) and a bound on its rounding error, relative to the largest entry."""
    grams = np.asarray(jax.jit(jax.vmap(lambda cloud: phi.matrix(cloud, cloud)))(jnp.asarray(clouds)))
    largest = np.max(np.abs(grams), axis=(1, 2))
    smallest = np.linalg.eigvalsh(grams)[:, 0] / largest
    return [(float(value), ROUNDING * grams.shape[1] * np.finfo(float).eps) for value in smallest]


theorem = Theorem(
    id="prsz18-LB.4",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.4",
    title="Realizable potentials have positive semidefinite Gram matrices",
    statement=(
        "If Φ(θ, w) = E σ(x, θ)σ(x, w) on R^d, then Σ vᵢvⱼΦ(xᵢ, xⱼ) = E(Σ vᵢσ(x, xᵢ))² is never negative, for any "
        "points and any v."
    ),
    check=_check,
    parameters={"potential": "gaussian", "claimed": "", "d": 3, "points": 24, "draws": 4},
)
