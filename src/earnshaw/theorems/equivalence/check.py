"""The check that both theorems share."""

from typing import Any, get_args

import jax

from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.landscapes.particles import Form
from earnshaw.theorems.equivalence.comparison import compare, first_velocities, look_over
from earnshaw.theorems.equivalence.facts import Facts, measure
from earnshaw.theorems.equivalence.instance import Instance
from earnshaw.theorems.equivalence.judge import Claim, judge
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.verdict import Verdict

MANIFOLDS = ("euclidean", "sphere")

#: `law` is the potential under which the particles move, "same" for that of the loss.
PARAMETERS: dict[str, Any] = {
    "potential": "gaussian",
    "d": 3,
    "electrons": 4,
    "protons": 4,
    "fixed": 0,
    "starts": 4,
    "time": 1.0,
    "manifold": "euclidean",
    "form": "auto",
    "loss_factor": 0.5,
    "factor": 1.0,
    "law": "same",
    "tolerance": 1e-9,
}


def check(
    theorem: str,
    unless_singular: str,
    *,
    seed: int = 0,
    potential: Any = "gaussian",
    d: int = 3,
    electrons: int = 4,
    protons: int = 4,
    fixed: int = 0,
    starts: int = 4,
    time: float = 1.0,
    manifold: str = "euclidean",
    form: str = "auto",
    loss_factor: float = 0.5,
    factor: float = 1.0,
    law: Any = "same",
    tolerance: float = 1e-9,
) -> Verdict:
    """Run both sides from random starts and judge; `unless_singular` is the form of the loss that the theorem means."""
    _look_over(manifold, form)
    look_over(time, tolerance, loss_factor, factor)
    on_sphere = manifold == "sphere"
    instance = Instance.draw(
        jax.random.key(seed), d=d, electrons=electrons, protons=protons, fixed=fixed, starts=starts, on_sphere=on_sphere
    )
    phi = _for_manifold(potential, d, manifold)
    forces = phi if isinstance(law, str) and law == "same" else _for_manifold(law, d, manifold)
    facts = measure(phi, d, on_sphere, form, unless_singular)
    if not all(hypothesis.met for hypothesis in facts.hypotheses()):
        return _not_applicable(
            theorem, facts, factor, first_velocities(phi, instance, form=facts.form, loss_factor=loss_factor)
        )
    comparison = compare(
        phi,
        instance,
        form=facts.form,
        time=time,
        loss_factor=loss_factor,
        factor=factor,
        tolerance=tolerance,
        law=forces,
    )
    where = {"seed": seed, "potential": phi.name, "law": forces.name, "d": d, "electrons": electrons}
    where |= {"protons": protons, "fixed": fixed, "manifold": manifold, "form": facts.form}
    return judge(theorem, Claim(loss_factor, factor), facts, comparison, where)


def _not_applicable(theorem: str, facts: Facts, factor: float, velocities: tuple[float, float]) -> Verdict:
    multiple, rest = velocities
    return Verdict(
        theorem,
        "not-applicable",
        hypotheses=facts.hypotheses(),
        predicted={"multiple of Φ": factor, "relative rest of the first velocities": 0.0},
        measured={"multiple of Φ": multiple, "relative rest of the first velocities": rest},
        note="Where a hypothesis fails the first velocities are compared, and no path is followed.",
    )


def _for_manifold(name: Any, d: int, manifold: str) -> Potential:
    potential = named_potential(name, d, manifold)
    if potential.space == "sphere" and manifold != "sphere":
        raise EarnshawError(f"the potential {potential.name} lives on the sphere, so manifold must be sphere")
    return potential


def _look_over(manifold: str, form: str) -> None:
    if manifold not in MANIFOLDS:
        raise unknown_name("manifold", manifold, MANIFOLDS)
    if form not in ("auto", *get_args(Form)):
        raise unknown_name("form of the loss", form, ("auto", *get_args(Form)))
