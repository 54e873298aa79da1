"""Whether a point is almost a local minimum: membership of the set that noisy descent looks for."""

import math
from typing import Any

import jax.numpy as jnp
from jaxtyping import Array

from earnshaw.descent.curvature import least_curvature, only_if
from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


class _Membership:
    """A class and not a closure, so that two probes with equal settings are equal and compile once."""

    def __init__(self, epsilon: float):
        self._epsilon = epsilon

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Membership) and self._epsilon == other._epsilon

    def __hash__(self) -> int:
        return hash((_Membership, self._epsilon))

    def __call__(self, landscape: Landscape, state: State) -> dict[str, Array]:
        small = state.gradient_norm <= self._epsilon
        curvature = only_if(small, lambda: least_curvature(landscape, state.params).value)
        return {
            "almost_critical": small & (curvature >= -self._epsilon),
            "least_curvature": jnp.where(small, curvature, jnp.nan),
        }


def almost_critical(*, epsilon: float | int = 1e-3) -> Probe:
    """Membership of M_ε = {‖∇L‖ ≤ ε, λ_min(∇²L) ≥ −ε} (zps17 §4), with the Riemannian gradient and Hessian.

    Records `almost_critical`, and `least_curvature`, which is λ_min where the gradient is that small and NaN elsewhere,
    where it is not computed. A point with a small gradient that is no member is ε-strict: descent can leave it.

    >>> from earnshaw.descent import GradientDescent, Stop, descend
    >>> from earnshaw.landscapes import DoubleWell
    >>> starts, stop = jnp.array([[0.0, 0.0], [1.0, 0.01]]), Stop(steps=1, gradient_norm=None)
    >>> path = descend(DoubleWell(2), GradientDescent(0.1), starts, stop=stop, probes=[almost_critical(epsilon=0.1)])
    >>> path.almost_critical[:, -1].values.tolist(), path.least_curvature[:, -1].round(6).values.tolist()
    ([False, True], [-1.0, 1.0])
    """
    number: Any = epsilon
    if isinstance(number, bool) or not isinstance(number, int | float) or not (math.isfinite(number) and number >= 0):
        raise EarnshawError(f"epsilon must be a finite number that is not negative, not {epsilon!r}")
    return Probe("almost_critical", _Membership(float(epsilon)), long_name="membership of the almost critical points")
