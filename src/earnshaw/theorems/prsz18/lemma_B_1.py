"""prsz18, Lemma B.1 (zps17, Lemma A.1): on the sphere, the potential of an activation is its dual."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.errors import EarnshawError
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.two_units import expectation
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The potential is the activation's own dual under this name.
OWN = "dual"
#: Quadrature that is less accurate than this, relative to E σ², decides nothing.
ROUGH = 1e-4
#: Standard errors by which a mean over samples may be off.
DEVIATIONS = 6.0


def _check(
    seed: int = 0,
    activation: Any = "relu",
    potential: Any = OWN,
    d: int = 5,
    pairs: int = 4,
    norm: float = 1.0,
    samples: int = 200_000,
    tolerance: float = 1e-9,
) -> Verdict:
    _look_over(d, pairs, norm, samples, tolerance)
    unit = activations.get(activation)
    own = isinstance(potential, str) and potential == OWN
    phi = Dual(unit).on_sphere() if own else named_potential(potential, d, "sphere")
    key = jax.random.key(seed)
    u, v = jax.random.normal(key, (2, pairs, d))
    u, v = (norm * x / jnp.linalg.norm(x, axis=1, keepdims=True) for x in (u, v))
    size = expectation(unit, 1.0)
    hypotheses = (
        Hypothesis("u and v have norm 1", abs(norm - 1) < 1e-12, norm),
        Hypothesis("E σ(X)² is finite", math.isfinite(size), size),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict("prsz18-LB.1", "not-applicable", hypotheses, predicted="E σ(uᵀX)σ(vᵀX) = σ̂(uᵀv)")

    predicted = np.array([float(phi(a, b)) for a, b in zip(u, v, strict=True)])
    cosines = np.clip(np.sum(np.asarray(u) * np.asarray(v), axis=1), -1.0, 1.0)
    integrals = np.array([expectation(unit, cosine, 96) for cosine in cosines])
    rough = np.abs(integrals - [expectation(unit, cosine, 48) for cosine in cosines])
    means, errors = _sampled(unit, u, v, jax.random.fold_in(key, 1), samples)

    by_integral, may_integral = np.abs(integrals - predicted), tolerance * size + 10 * rough
    by_samples, may_samples = np.abs(means - predicted), DEVIATIONS * errors + tolerance * size
    margins = np.minimum(may_integral - by_integral, may_samples - by_samples)
    worst = int(np.argmin(margins))
    useless = bool(np.max(rough) > ROUGH * size)
    return decide(
        "prsz18-LB.1",
        hypotheses,
        {"uᵀv": cosines[worst], "σ̂(uᵀv)": predicted[worst]},
        {
            "by quadrature": integrals[worst],
            "off by, at most": may_integral[worst],
            f"over samples in R^{d}": means[worst],
            "off by so many standard errors": by_samples[worst] / max(errors[worst], 1e-300),
        },
        math.nan if useless else float(margins[worst]),
        counterexample={"activation": unit.name, "potential": phi.name, "d": d, "u": u[worst], "v": v[worst]},
        note="Quadrature over the plane of u and v, and a mean over Gaussian samples of all d coordinates.",
    )


def _sampled(
    unit: Activation, u: Float[jax.Array, "n d"], v: Float[jax.Array, "n d"], key: Any, samples: int
) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Means of σ(uᵀx)σ(vᵀx) over Gaussian samples, and their standard errors."""
    x = jax.random.normal(key, (samples, u.shape[1]))
    value = jax.vmap(jax.vmap(unit.function))
    products = np.asarray(value(x @ u.T) * value(x @ v.T))
    return products.mean(axis=0), products.std(axis=0) / math.sqrt(samples)


def _look_over(d: int, pairs: int, norm: float, samples: int, tolerance: float) -> None:
    if d < 2:
        raise EarnshawError(f"the dimension d must be at least 2, not {d}")
    if not 1 <= pairs <= 1000:
        raise EarnshawError(f"the number of pairs must be between 1 and 1000, not {pairs}")
    if not (math.isfinite(norm) and norm > 0):
        raise EarnshawError(f"norm must be a finite number above 0, not {norm}")
    if samples < 1000 or samples * max(d, pairs) > 10**8:
        raise EarnshawError(
            f"samples must be at least 1000, and samples · d and samples · pairs at most 1e8, not {samples}"
        )
    if not 1e-14 <= tolerance < 1:
        raise EarnshawError(f"tolerance must be between 1e-14 and 1, not {tolerance}")


theorem = Theorem(
    id="prsz18-LB.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma B.1",
    title="On the sphere the potential of an activation is its dual",
    statement=(
        "For unit vectors u, v and standard Gaussian X in R^d, E σ(uᵀX)σ(vᵀX) = σ̂(uᵀv), where σ̂(ρ) is the mean of "
        "σ(X)σ(Y) over standard normal X, Y with correlation ρ. It is Lemma A.1 of zps17."
    ),
    check=_check,
    parameters={
        "activation": "relu",
        "potential": OWN,
        "d": 5,
        "pairs": 4,
        "norm": 1.0,
        "samples": 200_000,
        "tolerance": 1e-9,
    },
)
