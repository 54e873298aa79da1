"""One instance of the equivalence: protons, electrons and charges, drawn so that nothing collides at once."""

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jaxtyping import Float, PRNGKeyArray

from earnshaw.errors import EarnshawError

#: In the plane, eight particles start in a box of this half-width. In R^d the box shrinks with 1/√d, so that distances
#: across it stay the same, and with other numbers of particles their density stays the same.
HALF_WIDTH = 2.5
#: Each particle goes to the one of so many random places that is farthest from those already there.
CANDIDATES = 64
#: Numbers that one evaluation of all forces from all starts may hold.
LARGEST = 10**6


@dataclass(frozen=True)
class Instance:
    """Particles at rest: shared protons and fixed electrons, and for every start its own moving electrons.

    Electrons carry charges from −3/2 to −1/2 and protons from 1/2 to 3/2.

    >>> instance = Instance.draw(jax.random.key(0), d=2, electrons=3, protons=4, fixed=1, starts=5)
    >>> instance.moving.shape, instance.frozen.shape, instance.protons.shape
    ((5, 2, 2), (1, 2), (4, 2))
    """

    protons: Float[np.ndarray, "K d"]
    proton_charges: Float[np.ndarray, " K"]
    frozen: Float[np.ndarray, "f d"]
    moving: Float[np.ndarray, "starts m d"]
    electron_charges: Float[np.ndarray, " f+m"]
    """Those of the fixed electrons first."""
    on_sphere: bool

    @classmethod
    def draw(
        cls,
        key: PRNGKeyArray,
        *,
        d: int,
        electrons: int,
        protons: int,
        fixed: int,
        starts: int,
        on_sphere: bool = False,
    ) -> "Instance":
        """A random instance in R^d, or on the unit sphere of it."""
        _look_over(d, electrons, protons, fixed, starts, on_sphere)
        generator = np.random.default_rng(np.asarray(jax.random.key_data(key)).ravel().tolist())
        nobody = np.zeros((0, d))
        box = None if on_sphere else HALF_WIDTH * ((electrons + protons) / 8) ** (1 / d) * (2 / d) ** 0.5
        still = _placed(generator, nobody, protons + fixed, box)
        moving = [_placed(generator, still, electrons - fixed, box) for _ in range(starts)]
        return cls(
            protons=still[:protons],
            proton_charges=generator.uniform(0.5, 1.5, protons),
            frozen=still[protons:],
            moving=np.stack(moving),
            electron_charges=-generator.uniform(0.5, 1.5, electrons),
            on_sphere=on_sphere,
        )

    @property
    def fixed(self) -> int:
        """How many electrons are fixed."""
        return self.frozen.shape[0]


def _placed(generator: np.random.Generator, others: np.ndarray, count: int, box: float | None) -> np.ndarray:
    """`count` places far from `others` and from each other, in a box of that half-width or on the sphere."""
    d = others.shape[1]
    placed = others
    for _ in range(count):
        if box is None:
            places = generator.normal(size=(CANDIDATES, d))
            places /= np.linalg.norm(places, axis=1, keepdims=True)
        else:
            places = generator.uniform(-1, 1, size=(CANDIDATES, d)) * box
        distances = np.linalg.norm(places[:, None] - placed[None], axis=-1)
        best = int(np.argmax(distances.min(axis=1, initial=np.inf)))
        placed = np.concatenate([placed, places[best : best + 1]])
    return placed[others.shape[0] :]


def _look_over(d: Any, electrons: Any, protons: Any, fixed: Any, starts: Any, on_sphere: bool) -> None:
    for what, value in (("electrons", electrons), ("protons", protons), ("starts", starts)):
        if value < 1:
            raise EarnshawError(f"the number of {what} must be at least 1, not {value}")
    if not 0 <= fixed < electrons:
        raise EarnshawError(
            f"of {electrons} electrons at least 0 and at most {electrons - 1} can be fixed, not {fixed}"
        )
    least = 2 if on_sphere else 1
    if d < least:
        place = "the sphere" if on_sphere else "R^d"
        raise EarnshawError(f"the dimension d must be at least {least} on {place}, not {d}")
    particles = electrons + protons
    if max(CANDIDATES, starts * electrons) * particles * d > LARGEST:
        raise EarnshawError(
            f"{starts} starts of {particles} particles in dimension {d} are too many for one check; "
            f"starts · electrons · particles · d must be at most {LARGEST:.0e}"
        )
