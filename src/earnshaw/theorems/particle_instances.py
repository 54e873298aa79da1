"""Random protons and charges for theorems about `Particles`: a teacher that a check can draw again from its seed."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.errors import unknown_name

#: How charges are drawn: all 1, or ± a number between ½ and 2.
CHARGES = ("equal", "mixed")


class Teacher(NamedTuple):
    """Where the protons are and what they carry."""

    protons: Float[np.ndarray, "K d"]
    charges: Float[np.ndarray, " K"]


def draw_teacher(
    random: np.random.Generator, d: int, protons: int, charges: str, *, on_sphere: bool = False, scale: float = 1.0
) -> Teacher:
    """Protons N(0, scale²) in each coordinate, or uniform on the sphere; charges by one of the laws `CHARGES`.

    >>> draw_teacher(np.random.default_rng(0), 3, 2, "equal").charges.tolist()
    [1.0, 1.0]
    """
    places = scale * random.normal(size=(protons, d))
    if on_sphere:
        places = places / np.linalg.norm(places, axis=1, keepdims=True)
    return Teacher(places, draw_charges(random, protons, charges))


def draw_charges(random: np.random.Generator, count: int, law: Any) -> Float[np.ndarray, " count"]:
    """Charges of that law.

    >>> draw_charges(np.random.default_rng(0), 3, "mixed").shape
    (3,)
    """
    if law not in CHARGES:
        raise unknown_name("law of charges", law, CHARGES)
    if law == "equal":
        return np.ones(count)
    return random.choice([-1.0, 1.0], size=count) * random.uniform(0.5, 2.0, size=count)
