"""Random teachers under a potential that is λ-harmonic outside small balls, and whether it really is."""

import math
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality import potentials
from earnshaw.duality.radial import Radial
from earnshaw.duality.yukawa import AlmostHarmonic, require_three_mod_four
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.landscapes import Particles
from earnshaw.theorems.almost_harmonic import worst_residual
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.verdict import Hypothesis

#: |ΔΦ − λΦ| relative to the terms that cancel, where the potential counts as λ-harmonic.
HARMONIC = 1e-9
#: Step sizes that are measured on the path, and those of the theorems.
SCHEDULES = ("measured", "theorem")


class Setting(NamedTuple):
    """The potential of an instance, its dimension, the radius ε of the balls, and c in w ~ N(0, c·d·ln d·I)."""

    potential: Radial
    d: int
    eps: float
    spread: float

    @classmethod
    def of(cls, potential: Any, d: int, eps: float, spread: float) -> "Setting":
        """The almost 1-harmonic potential where none is named.

        >>> Setting.of("", 3, 0.1, 1.0).potential.name
        'almost harmonic'
        """
        require_three_mod_four(whole("d", d, 2, 20))
        above("eps", eps, 0.0, 0.999)
        above("spread", spread, 0.0, 1e4)
        if isinstance(potential, str) and not potential:
            return cls(Radial(AlmostHarmonic(d, eps), "almost harmonic"), d, eps, spread)
        phi = potentials.get(potential)
        if not isinstance(phi, Radial):
            raise EarnshawError(f"the statement is about radial potentials, and {phi.name} is not one")
        return cls(phi, d, eps, spread)

    @property
    def scale(self) -> float:
        """The standard deviation of a proton's coordinates, √(c·d·ln d)."""
        return math.sqrt(self.spread * self.d * math.log(self.d))

    @property
    def digits(self) -> float:
        """ln(d/ε): the theorems count in powers of d/ε."""
        return math.log(self.d / self.eps)

    def teacher(self, random: np.random.Generator, k: int) -> tuple[Float[np.ndarray, "k d"], Float[np.ndarray, " k"]]:
        """Protons from N(0, c·d·ln d·I) with charges uniform in [−1, 1]."""
        return self.scale * random.normal(size=(k, self.d)), random.uniform(-1, 1, k)

    def separated_teacher(
        self, random: np.random.Generator, k: int, apart: float, least: float
    ) -> tuple[Float[np.ndarray, "k d"], Float[np.ndarray, " k"]]:
        """Protons no nearer to each other than `apart`, with charges of both signs and sizes from `least` to 1."""
        protons, radius = np.zeros((0, self.d)), apart
        while len(protons) < k:
            point = random.normal(size=self.d)
            point *= radius * random.uniform() ** (1 / self.d) / np.linalg.norm(point)
            if np.all(np.linalg.norm(protons - point, axis=1) >= apart):
                protons = np.vstack([protons, point])
            # a little more room after every try, so that it ends
            radius *= 1.01
        return protons, random.uniform(least, 1, k) * random.choice([-1.0, 1.0], k)

    def step_size(self, schedule: str, alpha: float) -> Any:
        """What an algorithm takes: `alpha` if that is given, or else "measured", or the theorems' (d/ε)^(−2d).

        >>> Setting.of("", 3, 0.1, 1.0).step_size("measured", 0.0)
        'measured'
        """
        if above("alpha", alpha, -1e-300) > 0:
            return alpha
        if schedule not in SCHEDULES:
            raise unknown_name("schedule of step sizes", schedule, SCHEDULES)
        return schedule if schedule == "measured" else (self.d / self.eps) ** (-2 * self.d)

    def particles(self, protons: Any, charges: Any, electrons: int, *, regularised: bool = False) -> Particles:
        """L, or G = L + ‖a‖², for so many electrons; they start where protons may be."""
        return Particles(
            self.potential,
            protons,
            charges,
            electrons=electrons,
            learn_charges=True,
            regularisation=float(regularised),
            scale=self.scale,
        )

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What every one of these theorems supposes about the potential."""
        residual = worst_residual(self.potential, self.d, self.eps, 1.0)
        residual = residual if math.isfinite(residual) else math.inf
        coincident = float(self.potential.profile(jnp.zeros(())))
        return (
            Hypothesis("Φ is λ-harmonic with λ = 1 for r ≥ ε", residual <= HARMONIC, f"|ΔΦ − Φ| ≤ {residual:.2g}"),
            Hypothesis("Φ(θ, θ) = 1", abs(coincident - 1) <= HARMONIC, coincident),
        )
