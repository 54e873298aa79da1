"""prsz18, Theorem 3.6: under a λ-harmonic potential electrons with stationary charges are at no local minimum."""

import math
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality.potential import Potential
from earnshaw.duality.radial import Radial
from earnshaw.duality.zonal import PowerSeries
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_eigenfunction
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.search import critical_points, joint_motion, search
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The λ-harmonic potential of R^d that is finite and smooth at coincidence, and grows: cosh r, I₀(r), sinh(r)/r, …
GROWING = "growing"
#: A loss that differs from that without electrons by less than this is that of the exception.
NOTHING = 1e-9


@cache
def growing(d: int) -> Radial:
    """Σ r^{2n}/(4ⁿ n! (d/2)ₙ), for which ΔΦ = Φ everywhere in R^d.

    >>> bool(abs(growing(3)(jnp.zeros(3), jnp.array([2.0, 0.0, 0.0])) - jnp.sinh(2.0) / 2) < 1e-14)
    True
    """
    coefficients = [1.0]
    for n in range(75):
        coefficients.append(coefficients[-1] / (4 * (n + 1) * (d / 2 + n)))
    series = PowerSeries(tuple(coefficients))

    def profile(r):
        return series(r * r)

    return Radial(profile, GROWING)


def _check(
    seed: int = 0,
    potential: Any = "exponential",
    law: Any = "",
    d: int = 1,
    protons: int = 3,
    electrons: int = 2,
    charges: str = "equal",
    points: int = 16,
    starts: int = 16,
    charge_factor: float = 1.0,
    collision: float = 1e-3,
    tolerance: float = 1e-8,
) -> Verdict:
    whole("d", d, 1, 20)
    whole("protons", protons, 1, 20)
    whole("electrons", electrons, 1, 20)
    whole("points", points, 1, 10_000)
    whole("starts", starts, 1, 10_000)
    above("collision", collision, 0.0, 0.1)
    above("tolerance", tolerance, 0.0, 1.0)
    if not math.isfinite(charge_factor):
        raise EarnshawError(f"charge_factor must be a finite number, not {charge_factor}")
    phi = _named(potential, d)
    acting = phi if isinstance(law, str) and not law else _named(law, d)
    fact, eigenvalue = is_eigenfunction(phi, d)
    at_coincidence = float(acting.self_energy(jnp.zeros((1, d)))[0])
    finite = Hypothesis("Φ(θ, θ) is finite", math.isfinite(at_coincidence), at_coincidence)
    hypotheses = (
        fact,
        finite,
        Hypothesis("the charges are stationary", charge_factor == 1.0, f"a = {charge_factor:g}·a*"),
    )
    if not all(hypothesis.met for hypothesis in hypotheses):
        return Verdict("prsz18-3.6", "not-applicable", hypotheses, predicted="no local minimum with free electrons")
    random = np.random.default_rng(seed)
    teacher = draw_teacher(random, d, protons, charges, scale=1.5)
    landscape, crowd = (
        Particles(acting, teacher.protons, teacher.charges, electrons=count, learn_charges=True)
        for count in (electrons, electrons + 1)
    )

    places = 1.5 * random.normal(size=(points, electrons + 1, d))
    places[:, 1] = places[:, 0]  # a cluster of two, whose shares of a charge are not determined
    shift = random.normal(size=points)
    laplacians, sums, sizes = (np.asarray(leaf) for leaf in _clusters(crowd, jnp.asarray(places), jnp.asarray(shift)))
    predicted = -2 * eigenvalue * at_coincidence * sums**2
    charged = np.abs(sums) > 1e-6
    errors = np.abs(laplacians - predicted) / (sizes + np.abs(predicted))

    middle = np.mean(teacher.protons, axis=0)
    begin = jnp.asarray(middle + random.normal(size=(starts, electrons, d)))
    begin = Electrons(begin, jax.jit(jax.vmap(landscape.optimal_charges))(begin))
    found = [critical_points(landscape, begin, collision=collision, longest=0.3)]
    if acting.name != GROWING:  # that loss has no lower bound
        found.append(search(landscape, begin, collision=collision))
    alone = float(landscape.constant)
    spurious = [(ends, i) for ends in found for i in np.flatnonzero(ends.label == "minimum")
                if abs(ends.loss[i] - alone) > NOTHING]  # fmt: skip
    slack = {
        "Δ_v L = −2λΦ(0)(Σaᵢ)² for each cluster": tolerance - float(np.max(errors)),
        "no local minimum with free electrons": -float(len(spurious)) or 0.0,
    }
    claim = min(slack, key=lambda name: slack[name])
    worst = int(np.argmax(np.max(errors, axis=1)))
    counterexample = {
        "law": acting.name, "claim": claim, "protons": teacher.protons, "charges": teacher.charges,
        "electrons": places[worst], "Δ_v L": laplacians[worst], "predicted": predicted[worst],
    }  # fmt: skip
    if spurious:
        ends, i = spurious[0]
        counterexample |= {"minimum": ends.points.positions[i], "its charges": ends.points.charges[i],
                           "smallest eigenvalue": ends.smallest[i]}  # fmt: skip
    return decide(
        "prsz18-3.6",
        hypotheses,
        {"Δ_v L over (Σaᵢ)²": -2 * eigenvalue * at_coincidence, "local minima with free electrons": 0},
        {
            "Δ_v L over (Σaᵢ)²": float(np.median(laplacians[charged] / sums[charged] ** 2)),
            "clusters with a charge": int(np.sum(charged)),
            "largest relative error": float(np.max(errors)),
            "critical points by Newton's method": found[0].counts(),
            "ends of descents": found[-1].counts() if len(found) > 1 else "none, L has no lower bound",
            "descents that ended on a proton": int(np.sum(found[-1].collapsed_onto >= 0)) if len(found) > 1 else 0,
            "local minima with free electrons": len(spurious),
        },
        slack[claim],
        counterexample=counterexample,
        note="v moves a cluster of electrons that share a place; the loss without electrons is the exception.",
    )


def _named(name: Any, d: int) -> Potential:
    phi = growing(d) if isinstance(name, str) and name == GROWING else named_potential(name, d, "euclidean")
    if phi.space != "euclidean":
        raise EarnshawError(f"this check takes potentials of R^d, and {phi.name} lives on the sphere")
    return phi


@jax.jit
def _clusters(
    landscape: Particles, places: Float[jax.Array, "n k d"], shift: Float[jax.Array, " n"]
) -> tuple[Float[jax.Array, "n c"], Float[jax.Array, "n c"], Float[jax.Array, "n c"]]:
    """Δ_v L for the cluster {0, 1} and for every other electron, the cluster's charge, and the size of the Hessian.

    The charges are stationary; `shift` moves charge within the cluster, which changes nothing else.
    """
    k = places.shape[1]
    groups = jnp.concatenate([jnp.arange(k)[None] < 2, jnp.eye(k, dtype=bool)[2:]])

    def one(positions, by):
        charges = landscape.optimal_charges(positions).at[0].add(by).at[1].add(-by)
        params = Electrons(positions, charges)
        size = jnp.linalg.norm(landscape.hessian(params))
        traces = jax.vmap(lambda group: joint_motion(landscape, params, group).trace)(groups)
        return traces, groups @ charges, jnp.broadcast_to(size, traces.shape)

    return jax.vmap(one)(places, shift)


theorem = Theorem(
    id="prsz18-3.6",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 3.6",
    title="A λ-harmonic potential has no local minimum with free electrons",
    statement=(
        "If ΔΦ = λΦ with λ > 0 except at coincidence and Φ(θ, θ) is finite, the squared loss in positions and charges "
        "has no local minimum but where an electron is on a proton, or where the loss is that without electrons: along "
        "joint motions of electrons that share a place its Laplacian is −2λΦ(0)(Σaᵢ)²."
    ),
    check=_check,
    parameters={
        "potential": "exponential",
        "law": "",
        "d": 1,
        "protons": 3,
        "electrons": 2,
        "charges": "equal",
        "points": 16,
        "starts": 16,
        "charge_factor": 1.0,
        "collision": 1e-3,
        "tolerance": 1e-8,
    },
)
