"""The ends of the Hessian's spectrum along the way, without ever forming the Hessian."""

from collections.abc import Callable

import jax
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float

from earnshaw.descent.probe import Probe
from earnshaw.descent.state import State
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape
from earnshaw.numerics.lanczos import Eigenpair, largest_eigenpair, smallest_eigenpair

Search = Callable[..., Eigenpair]


class _Extreme:
    """One end of the spectrum of the Riemannian Hessian, and how far the value may be from an eigenvalue.

    A class and not a closure, so that two probes with equal settings are equal and compile once.
    """

    def __init__(self, name: str, search: Search, subspace: int, restarts: int, tolerance: float):
        self._settings = (name, search, subspace, restarts, tolerance)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Extreme) and self._settings == other._settings

    def __hash__(self) -> int:
        return hash(self._settings)

    def __call__(self, landscape: Landscape, state: State) -> dict[str, Float[Array, ""]]:
        name, search, subspace, restarts, tolerance = self._settings
        flat, unravel = ravel_pytree(state.params)
        tangent = landscape.manifold.to_tangent

        def matvec(v: Float[Array, " n"]) -> Float[Array, " n"]:
            # Projected after the product too, or rounding would slowly leave the tangent space.
            return ravel_pytree(tangent(state.params, landscape.hvp(state.params, unravel(v))))[0]

        # Always the same random vector: a probe is a pure function, and any fixed generic direction will do.
        random = jax.random.normal(jax.random.key(0), flat.shape)
        start = ravel_pytree(tangent(state.params, unravel(random)))[0]
        pair = search(matvec, start, subspace=subspace, restarts=restarts, tolerance=tolerance)
        return {name: pair.value, f"{name}_residual": pair.residual}


def smallest_hessian_eigenvalue(*, subspace: int = 40, restarts: int = 50, tolerance: float = 1e-8) -> Probe:
    """λ_min of the Riemannian Hessian, by the Lanczos method on Hessian-vector products.

    Records a second variable, `smallest_hessian_eigenvalue_residual` = ‖Hv − λv‖: some eigenvalue lies within it of
    the recorded value, and the recorded value is never below λ_min (up to rounding). A negative value beyond the
    residual therefore shows a direction of descent.

    >>> smallest_hessian_eigenvalue().name
    'smallest_hessian_eigenvalue'
    """
    return _probe("smallest", smallest_eigenpair, subspace, restarts, tolerance)


def largest_hessian_eigenvalue(*, subspace: int = 40, restarts: int = 50, tolerance: float = 1e-8) -> Probe:
    """λ_max of the Riemannian Hessian: 2/λ_max is the largest step size that is stable here.

    Records `largest_hessian_eigenvalue_residual` too, as `smallest_hessian_eigenvalue` does.

    >>> largest_hessian_eigenvalue().name
    'largest_hessian_eigenvalue'
    """
    return _probe("largest", largest_eigenpair, subspace, restarts, tolerance)


def _probe(end: str, search: Search, subspace: int, restarts: int, tolerance: float) -> Probe:
    name = f"{end}_hessian_eigenvalue"
    for what, value in (("subspace", subspace), ("restarts", restarts)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise EarnshawError(f"{what} must be a whole number of at least 1, not {value!r}")
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance >= 0:
        raise EarnshawError(f"tolerance must be a number that is not negative, not {tolerance!r}")
    return Probe(
        name, _Extreme(name, search, subspace, restarts, tolerance), long_name=f"{end} eigenvalue of the Hessian"
    )
