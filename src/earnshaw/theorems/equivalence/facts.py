"""What the theorems suppose about a potential, measured."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality.potential import Potential
from earnshaw.theorems.verdict import Hypothesis

#: Random points at which a potential is looked at, and relative differences there that are rounding.
POINTS = 16
ROUNDING = 1e-9


@dataclass(frozen=True)
class Facts:
    """Symmetry and self-energy of a potential, and the form of the loss that it is used in."""

    asymmetry: float
    """The largest |Φ(x, y) − Φ(y, x)| over pairs of random points, relative to the largest |Φ|."""
    spread: float
    """The difference of the largest and the smallest Φ(x, x) over random points, relative to the largest."""
    singular: bool
    """Whether Φ(x, x) is infinite."""
    form: str

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The two conditions of the theorems."""
        return (
            Hypothesis("Φ is symmetric", self.asymmetry <= ROUNDING, self.asymmetry),
            Hypothesis(
                "Φ(θ, θ) is constant, or no part of the loss", self._self_energy_is_still(), self._self_energy()
            ),
        )

    def _self_energy_is_still(self) -> bool:
        return self.form == "interaction" or self.spread <= ROUNDING

    def _self_energy(self) -> str:
        kind = "infinite" if self.singular else f"relative spread {self.spread:.2g}"
        return f"{kind}; form of the loss: {self.form}"


def measure(potential: Potential, d: int, on_sphere: bool, form: str, unless_singular: str = "full") -> Facts:
    """The facts of a potential at random points of R^d or the sphere.

    `form` is the one of `Particles` that the loss shall have; "auto" means `unless_singular`, or "interaction" where
    Φ(x, x) is infinite, since only that form is finite there.

    >>> from earnshaw.duality import potentials
    >>> measure(potentials.get("coulomb"), 3, False, "auto").form
    'interaction'
    """
    points = jax.random.normal(jax.random.key(0), (POINTS, d))
    if on_sphere:
        points = points / jnp.linalg.norm(points, axis=1, keepdims=True)
    half = POINTS // 2
    there = np.asarray(potential.matrix(points[:half], points[half:]))
    back = np.asarray(potential.matrix(points[half:], points[:half])).T
    energies = np.asarray(potential.self_energy(points))
    singular = bool(np.all(np.isinf(energies)))
    spread = 0.0 if singular else float(np.ptp(energies) / max(np.max(np.abs(energies)), 1e-300))
    if form == "auto":
        form = "interaction" if singular else unless_singular
    return Facts(
        asymmetry=float(np.max(np.abs(there - back)) / max(np.max(np.abs(there)), 1e-300)),
        spread=spread,
        singular=singular,
        form=form,
    )
