"""What the arguments of `Particles` leave open, and whether they agree with each other."""

from typing import Any

import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold, Product, Sphere
from earnshaw.landscapes.checks import finite_array, holds
from earnshaw.landscapes.electrons import Electrons, Parity

#: How far from the unit sphere a proton may be before it is called a mistake rather than rounding.
ON_SPHERE = 1e-6


def product_space(place: Manifold) -> Product:
    """The space of `Electrons`, as a prefix of that pytree."""
    factors: Any = (place, Euclidean())
    return Product(Electrons(*factors))


def electron_space(potential: Potential, manifold: Any, protons: Float[Array, "K d"]) -> Manifold:
    """The manifold of one electron, after checking that potential, manifold and protons agree about it."""
    on_sphere = potential.space == "sphere"
    place = manifold if manifold is not None else (Sphere() if on_sphere else Euclidean())
    if not isinstance(place, Euclidean | Sphere):
        raise EarnshawError(f"electrons live on Euclidean() or Sphere(), not {place!r}")
    if on_sphere and not isinstance(place, Sphere):
        raise EarnshawError(f"the potential {potential.name} lives on the sphere, so manifold must be Sphere()")
    dimension = getattr(potential, "dimension", None)
    if dimension is not None and dimension != protons.shape[1]:
        raise EarnshawError(
            f"the potential {potential.name} is made for dimension {dimension}, but the protons have {protons.shape[1]}"
        )
    if isinstance(place, Sphere) and not holds(place.contains(protons, ON_SPHERE)):
        raise EarnshawError("on the sphere every proton must have norm 1; divide the rows by their norms")
    return place


def fixed_or_first_charges(
    given: Any, charges: Float[Array, " K"], electrons: int, learned: bool
) -> Float[Array, " electrons"] | None:
    """The charges that electrons have for good, or start with; `None` for learned ones that start at random."""
    if given is not None:
        array = finite_array("electron_charges", given, ndim=1)
        if array.shape != (electrons,):
            raise EarnshawError(
                f"electron_charges of {electrons} electrons must have shape ({electrons},), not {array.shape}"
            )
        return array
    if learned:
        return None
    if electrons == charges.shape[0]:
        return -charges
    if not holds(charges == charges[0]):
        raise EarnshawError(
            f"{electrons} electrons cannot be opposite to {charges.shape[0]} protons of different charges; "
            f"pass electron_charges, or learn_charges=True"
        )
    return jnp.full(electrons, -charges[0])


def sign_symmetry(potential: Potential) -> Parity:
    """The parity of the activation behind a potential, if it says so."""
    activation = getattr(potential, "activation", None)
    return getattr(potential, "parity", getattr(activation, "parity", None))
