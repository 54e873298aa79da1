"""Losses estimated from fresh standard Gaussian inputs: what a population loss looks like to stochastic descent."""

from typing import Any

import jax
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.duality.radial_activation import RadialActivation, SeparableActivation
from earnshaw.errors import EarnshawError

#: σ(θᵀx), or σ(x, θ) of a translation-invariant potential.
Unit = Activation | RadialActivation | SeparableActivation

#: A potential that differs by more than this from E σσ, relative to its size, belongs to another activation.
AGREEMENT = 1e-6


def unit_of(potential: Potential, activation: Any, points: Float[Array, "K d"]) -> Unit | None:
    """The activation that realizes a potential, as far as it is known: given and checked at `points`, or a dual's own.

    >>> from earnshaw.duality import potentials
    >>> unit_of(potentials.monomial(3), activations.hermite(3), jax.numpy.eye(2)).name
    'hermite(3)'
    """
    if activation is None:
        return potential.activation if isinstance(potential, Dual) else None
    unit = activation if isinstance(activation, RadialActivation | SeparableActivation) else activations.get(activation)
    if isinstance(points, Tracer) or isinstance(unit, SeparableActivation):
        return unit
    found = np.asarray(potential.matrix(points, points))
    if isinstance(unit, RadialActivation):
        radii = np.linalg.norm(np.asarray(points[0] - points[-1]))
        found, own = found[:1, -1], unit.potential_at(np.array([radii]))
    else:
        bias = bool(getattr(potential, "bias", False))
        own = np.asarray(Dual(unit, bias=bias).matrix(points, points))
    if not np.max(np.abs(found - own)) <= AGREEMENT * np.max(np.abs(own)):
        raise EarnshawError(f"the activation {unit.name} does not realize the potential {potential.name}")
    return unit


def unit_values(
    unit: Unit | None, inputs: Float[Array, "n d"], points: Float[Array, "k p"], biased: bool
) -> Float[Array, "n k"]:
    """σ(xᵢ, θⱼ) for all inputs and points."""
    if unit is None:
        raise EarnshawError(
            "samples need the activation of the potential, which this landscape does not know; "
            "use Particles.teacher_student, or give Particles an activation"
        )
    if not isinstance(unit, Activation):
        return unit(inputs[:, None, :], points[None, :, :])
    weights, biases = (points[:, :-1], points[:, -1]) if biased else (points, 0.0)
    return unit(inputs @ weights.T + biases)


def gaussian_inputs(key: PRNGKeyArray, samples: int, points: Float[Array, "k p"], biased: bool) -> Float[Array, "n d"]:
    """`samples` standard Gaussian inputs for units at these points."""
    return jax.random.normal(key, (samples, points.shape[1] - biased))
