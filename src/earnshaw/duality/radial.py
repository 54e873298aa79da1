"""Potentials that depend on the distance of two points: Φ(θ, w) = φ(‖θ − w‖)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.potential import Potential, one_pair, point_sets
from earnshaw.duality.profile import require_profile
from earnshaw.duality.symmetric import surroundings

Profile = Callable[[Float[Array, ""]], Float[Array, ""]]


class Radial(Potential):
    """Φ(θ, w) = φ(‖θ − w‖) for a scalar JAX function φ on r ≥ 0.

    The profile must be hashable (a function, or a module whose fields are static). At r = 0 the gradient is 0: the
    limit where φ′(0) = 0, and otherwise (a cusp, a pole) the subgradient of smallest norm. The Hessian there is
    φ″(0)·I when φ′(0) = 0 and 0 otherwise.

    >>> import jax.numpy as jnp
    >>> phi = Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian")
    >>> float(phi(jnp.zeros(3), jnp.zeros(3))), float(phi.laplacian(jnp.zeros(3), jnp.zeros(3)))
    (1.0, -3.0)
    """

    #: φ; checked at construction, with a sentence of its own
    profile: Any = eqx.field(static=True)
    label: str = eqx.field(static=True, default="radial")

    def __check_init__(self) -> None:
        require_profile(self.profile, "radial", "the distance")

    @property
    def name(self) -> str:
        """The label given at construction."""
        return self.label

    def matrix(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        """φ(‖xᵢ − yⱼ‖), from differences: exact for close points, at a cost of n·m·d."""
        return _of_squares(self.profile, _squared_distances(*point_sets(x, y)))

    def surroundings(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
        """[φ(‖xᵢ − xⱼ‖), φ(‖xᵢ − yⱼ‖)] with 0 where a point meets itself."""

        def pairs(first, second):
            squares = _squared_distances(first, second)
            # the distance of a point from itself is replaced, so that a pole there cannot reach a derivative
            return _of_squares(self.profile, jnp.where(jnp.eye(*squares.shape, dtype=bool), 1.0, squares))

        return surroundings(pairs, *point_sets(x, y))

    def self_energy(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """φ(0), the same for every point; infinite for singular profiles."""
        return jnp.broadcast_to(self.profile(jnp.zeros((), x.dtype)), x.shape[:1])

    def laplacian(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """ΔΦ = φ″(r) + (d − 1)φ′(r)/r, and d·φ″(0) at r = 0 when φ′(0) = 0."""
        x, y = one_pair(x, y)
        return self.laplacian_profile(jnp.sqrt(jnp.sum((x - y) ** 2)), x.shape[0])

    def laplace_beltrami(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """(1 − r²/4)(φ″(r) − φ′(r)/r) + (d − 1)(1 − r²/2)φ′(r)/r for unit vectors, whose product is ρ = 1 − r²/2."""
        x, y = one_pair(x, y)
        square = jnp.sum((x - y) ** 2)
        bent = 4 * square * (1 - square / 4) * _curvature(self.profile, square)
        return bent + 2 * (x.shape[0] - 1) * (1 - square / 2) * _slope(self.profile, square)

    def laplacian_profile(self, r: Float[Array, ""], d: int) -> Float[Array, ""]:
        """φ″(r) + (d − 1)φ′(r)/r as a function of the distance."""
        square = r**2
        return 2 * d * _slope(self.profile, square) + 4 * square * _curvature(self.profile, square)


def _squared_distances(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
    return jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)


def _elementwise(function: Callable, values: Float[Array, "..."]) -> Float[Array, "..."]:
    return jax.vmap(function)(values.ravel()).reshape(values.shape)


# A smooth radial profile is a smooth function of u = r², but √u is not differentiable at 0. The two rules below
# differentiate in u through φ′(r)/2r and (φ″ − φ′/r)/4r², whose limits at 0 are put in by hand.


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _of_squares(profile: Profile, squares: Float[Array, "..."]) -> Float[Array, "..."]:
    return _elementwise(profile, jnp.sqrt(squares))


@_of_squares.defjvp
def _of_squares_jvp(profile, primals, tangents):
    return _of_squares(profile, *primals), _slope(profile, *primals) * tangents[0]


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _slope(profile: Profile, squares: Float[Array, "..."]) -> Float[Array, "..."]:
    at_zero = squares == 0
    r = jnp.sqrt(jnp.where(at_zero, 1.0, squares))
    origin = jnp.zeros((), r.dtype)
    flat = jax.grad(profile)(origin) == 0
    limit = jnp.where(flat, jax.grad(jax.grad(profile))(origin) / 2, 0.0)
    return jnp.where(at_zero, limit, _elementwise(jax.grad(profile), r) / (2 * r))


@_slope.defjvp
def _slope_jvp(profile, primals, tangents):
    return _slope(profile, *primals), _curvature(profile, *primals) * tangents[0]


def _curvature(profile: Profile, squares: Float[Array, "..."]) -> Float[Array, "..."]:
    at_zero = squares == 0
    r = jnp.sqrt(jnp.where(at_zero, 1.0, squares))
    first, second = jax.grad(profile), jax.grad(jax.grad(profile))
    return jnp.where(at_zero, 0.0, (_elementwise(second, r) - _elementwise(first, r) / r) / (4 * r**2))
