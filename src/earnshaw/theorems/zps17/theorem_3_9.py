"""zps17, Theorem 3.9: descent in charges and positions under a λ-harmonic potential, while electrons stay apart.

The Hessian is bounded away from coincidence only, where Φ has its cusp; a constant step therefore ends within a step of
the protons and not at them. What the assumptions exclude does happen: electrons meet, charges pass through 0.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.descent import Every, GradientDescent, Probe, Stop, descend
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.probes.matching import match
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.laplacian_facts import is_eigenfunction
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Charges below this share of 1 count as having reached 0.
LEAST_CHARGE = 1e-2


def _kept(landscape: Any, state: Any) -> dict[str, Any]:
    positions, charges = state.params.positions, state.params.charges
    return {
        "least_charge": jnp.min(jnp.abs(charges)),
        "largest_charge": jnp.max(jnp.abs(charges)),
        "order": jnp.argsort(positions[:, 0]),
    }


#: A module's constant, so that it compiles once.
KEPT = Probe("kept", _kept)


def _check(
    seed: int = 0,
    potential: Any = "exponential",
    law: Any = "",
    k: int = 2,
    bound: float = 2.0,
    starts: int = 48,
    steps: int = 6000,
    step_factor: float = 1.0,
    assumptions: bool = True,
) -> Verdict:
    whole("k", k, 1, 10)
    whole("starts", starts, 1, 2000)
    whole("steps", steps, 1, 200_000)
    above("bound", bound, 1.0, 100.0)
    phi = named_potential(potential, 1, "euclidean")
    acting = phi if isinstance(law, str) and not law else named_potential(law, 1, "euclidean")
    for one in (phi, acting):
        if not isinstance(one, Radial):
            raise EarnshawError(f"the potential must depend on the distance on the line, unlike {one.name}")
    assert isinstance(phi, Radial)
    fact, _ = is_eigenfunction(phi, 1)
    at_coincidence = float(phi.self_energy(jnp.zeros((1, 1)))[0])
    finite = Hypothesis("Φ(θ, θ) is finite", bool(np.isfinite(at_coincidence)), at_coincidence)
    radii = np.geomspace(1e-3, 40.0, 400)
    curvature = float(np.max(np.abs(on_arrays(jax.grad(jax.grad(phi.profile)))(radii))))
    limited = Hypothesis("‖∇²Φ‖ ≤ B away from coincidence", bool(np.isfinite(curvature)), f"B = {curvature:.6g}")
    if not (finite.met and fact.met):
        return decide("zps17-3.9", (fact, finite, limited), "the protons are found", None, 0.0)
    random = np.random.default_rng(seed)
    protons = 1.5 * random.normal(size=(k, 1))
    b = np.sign(random.normal(size=k)) * random.uniform(0.5, min(1.5, bound), size=k)
    landscape = Particles(acting, protons, b, learn_charges=True, form="full")
    places = jnp.asarray(1.5 * random.normal(size=(starts, k, 1)))
    begin = Electrons(places, jax.vmap(landscape.optimal_charges)(places))
    proved = 1 / (4 * bound**2 * k**2 * curvature)
    size = above("step_factor", step_factor, 0.0) * proved
    trajectory = descend(
        landscape, GradientDescent(size), begin, stop=Stop(steps=steps, gradient_norm=None),
        probes=[KEPT], schedule=Every(1), progress=False,
    )  # fmt: skip
    order = trajectory.order.values
    apart = np.all(order == order[:, :1], axis=(1, 2))
    charged = np.min(trajectory.least_charge.values, axis=1) > LEAST_CHARGE
    below = np.max(trajectory.largest_charge.values, axis=1) <= bound
    kept = apart & charged & below if assumptions else np.ones(starts, bool)
    final = Electrons(jnp.asarray(trajectory.positions.values), jnp.asarray(trajectory.charges.values))
    distances = np.asarray(jax.vmap(lambda e: _farthest(e, landscape))(final))
    # A step at a cusp: 2|a|·(2k − 1)·bound·|φ′| per unit of step size.
    reach = 2 * proved * bound**2 * (2 * k - 1)
    arrived = distances <= reach
    stopped = size * trajectory.final_gradient_norm.values < 1e-3 * reach
    if np.any(kept & ~arrived & stopped) or (np.any(kept & ~arrived) and step_factor > 1):
        margin = -float(np.mean(~arrived[kept]))
    else:
        margin = float(reach - np.max(distances[kept])) if kept.any() and arrived[kept].all() else float("nan")
    worst = int(np.argmax(np.where(kept, distances, -np.inf)))
    return decide(
        "zps17-3.9",
        (
            fact,
            finite,
            limited,
            Hypothesis("electrons never meet, |aᵢ| stays below C and away from 0", bool(kept.any()),
                       f"{int(kept.sum())} of {starts} starts"),
        ),
        f"electrons and charges within the length {reach:.3g} of a step from the protons and theirs",
        {
            "starts that keep the assumptions": int(kept.sum()),
            "of them at the protons": int(np.sum(arrived & kept)),
            "starts in which electrons meet": int(np.sum(~apart)),
            "starts in which a charge comes near 0": int(np.sum(~charged)),
            "others that arrive all the same": int(np.sum(arrived & ~kept)),
            "largest distance": float(np.max(distances[kept], initial=0.0)),
            "step size": size,
        },
        margin,
        counterexample={
            "law": acting.name, "protons": protons, "charges": b, "start": np.asarray(places[worst]),
            "end": np.asarray(final.positions[worst]), "charges at the end": np.asarray(final.charges)[worst],
        },
        note="Printed, the starts that break an assumption are simply assumed away; here they are counted.",
    )  # fmt: skip


def _farthest(electrons: Electrons, landscape: Particles) -> Any:
    """The worst distance of an electron, or of its charge, from that of its proton."""
    assert electrons.charges is not None
    apart, partner = match(electrons.positions, landscape.protons)
    return jnp.maximum(jnp.max(apart), jnp.max(jnp.abs(electrons.charges + landscape.charges[partner])))


theorem = Theorem(
    id="zps17-3.9",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 3.9",
    title="Descent under a λ-harmonic potential finds the protons while electrons stay apart",
    statement=(
        "Let ΔΦ = λΦ, λ > 0, and ‖∇²Φ‖ ≤ B away from coincidence. Descent in charges and positions with steps "
        "1/(4C²k²B) finds all protons and charges from almost every start, as long as charges stay below C and away "
        "from 0 and electrons never meet. The bounded potential of this kind lives on the line: e^{−|θ − w|}."
    ),
    check=_check,
    parameters={
        "potential": "exponential",
        "law": "",
        "k": 2,
        "bound": 2.0,
        "starts": 48,
        "steps": 6000,
        "step_factor": 1.0,
        "assumptions": True,
    },
)
