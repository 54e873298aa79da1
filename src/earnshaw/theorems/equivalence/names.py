"""From a name to the potential that is meant, in this dimension and on this manifold."""

import inspect
from typing import Any

from earnshaw.duality import activations, potentials
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.errors import unknown_name


def named_potential(name: Any, d: int, manifold: str) -> Potential:
    """The potential of that name, made for dimension d where it has one; a `Potential` is returned as it is.

    The name (or object) of an activation means its dual: on the sphere where that is the manifold, and in R^d also for
    names such as "relu" under which the catalogue of potentials only has one of the sphere.

    >>> named_potential("coulomb", 5, "euclidean").name, named_potential("tanh", 3, "sphere").name
    ('coulomb(5)', 'dual of tanh')
    """
    if isinstance(name, Potential):
        return name
    if isinstance(name, Activation):
        return _dual(name, manifold)
    makers = potentials.CATALOGUE
    if name not in makers and name not in activations.CATALOGUE:
        raise unknown_name("potential", name, [*makers, *activations.CATALOGUE])
    if name not in makers:
        return _dual(activations.get(name), manifold)
    dimension = {"d": d} if "d" in inspect.signature(makers[name]).parameters else {}
    potential = potentials.get(name, **dimension)
    if potential.space == "sphere" and manifold == "euclidean" and name in activations.CATALOGUE:
        return _dual(activations.get(name), manifold)
    return potential


def _dual(activation: Activation, manifold: str) -> Potential:
    return Dual(activation).on_sphere() if manifold == "sphere" else Dual(activation)
