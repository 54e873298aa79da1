"""Potentials that are products over the coordinates: Φ(θ, w) = ∏ f(θₗ − wₗ)."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.potential import Potential, one_pair, point_sets
from earnshaw.duality.profile import require_profile
from earnshaw.duality.symmetric import surroundings


class Separable(Potential):
    """Φ(θ, w) = ∏ₗ f(θₗ − wₗ) for an even scalar JAX function f of one coordinate's difference.

    Where f has a kink at 0 (as e^{−|r|} has), coordinates that agree contribute the subgradient 0.

    >>> import jax.numpy as jnp
    >>> phi = Separable(lambda r: jnp.exp(-jnp.abs(r)), label="bessel")
    >>> round(float(phi(jnp.zeros(2), jnp.array([1.0, -2.0]))), 6)
    0.049787
    """

    profile: Any = eqx.field(static=True)
    label: str = eqx.field(static=True, default="separable")

    def __check_init__(self) -> None:
        require_profile(self.profile, "separable", "one difference")

    @property
    def name(self) -> str:
        """The label given at construction."""
        return self.label

    def matrix(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        """∏ₗ f(xᵢₗ − yⱼₗ)."""
        x, y = point_sets(x, y)
        return jnp.prod(self._factors(self.profile, x[:, None, :] - y[None, :, :]), axis=-1)

    def surroundings(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
        """The matrix with itself and with others, with 0 where a point meets itself."""
        return surroundings(self.matrix, *point_sets(x, y))

    def self_energy(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """f(0)^d."""
        return jnp.broadcast_to(self.profile(jnp.zeros((), x.dtype)) ** x.shape[1], x.shape[:1])

    def laplacian(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """ΔΦ = Σₗ f″(rₗ)∏_{m≠l} f(rₘ), where no coordinate sits on a kink of f."""
        x, y = one_pair(x, y)
        r = x - y
        values = self._factors(self.profile, r)
        second = self._factors(jax.grad(jax.grad(self.profile)), r)
        others = jnp.where(jnp.eye(r.shape[0], dtype=bool), 1.0, values[None, :])
        return jnp.sum(second * jnp.prod(others, axis=1))

    def _factors(self, function: Callable, r: Float[Array, "..."]) -> Float[Array, "..."]:
        return jax.vmap(function)(r.ravel()).reshape(r.shape)
