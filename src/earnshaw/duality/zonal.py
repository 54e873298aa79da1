"""Potentials of the sphere that depend on the inner product: Φ(θ, w) = f(θᵀw) for unit vectors."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.duality.potential import Potential, Space, one_pair, point_sets
from earnshaw.duality.profile import require_profile
from earnshaw.duality.symmetric import surroundings
from earnshaw.numerics.chords import Gram, gram

#: Longer power series are summed in a loop, which compiles in no time and runs a little slower.
UNROLLED_TERMS = 256


class Zonal(Potential):
    """Φ(θ, w) = f(θᵀw) on the unit sphere, for a scalar JAX function f on [−1, 1].

    The profile must be hashable. A profile that is not smooth at ±1 can be given as a `GramProfile`, which also sees
    the half-chords and so keeps its digits where θ and ±w meet.

    >>> import jax.numpy as jnp
    >>> phi = Zonal(lambda rho: rho**3, label="cubic")
    >>> float(phi(jnp.array([1.0, 0.0]), jnp.array([0.6, 0.8])))
    0.216
    """

    space: ClassVar[Space] = "sphere"
    profile: Any = eqx.field(static=True)
    label: str = eqx.field(static=True, default="zonal")
    parity: Literal["even", "odd"] | None = eqx.field(static=True, default=None)
    """f(−ρ) = ±f(ρ): whether a point and its opposite are the same unit, up to the sign of its charge."""
    activation: Any = eqx.field(static=True, default=None)
    """The σ with f(θᵀw) = E σ(θᵀx)σ(wᵀx), where it is known."""

    def __check_init__(self) -> None:
        require_profile(self.profile, "zonal", "the inner product")

    @property
    def name(self) -> str:
        """The label given at construction."""
        return self.label

    def matrix(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        """f(xᵢᵀyⱼ)."""
        return self._pairs(*point_sets(x, y), distinct=False)

    def surroundings(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
        """[f(xᵢᵀxⱼ), f(xᵢᵀyⱼ)] with 0 where a point meets itself."""
        return surroundings(lambda a, b: self._pairs(a, b, distinct=True), *point_sets(x, y))

    def self_energy(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """f(1), the same for every point of the sphere."""
        return jnp.broadcast_to(self.profile(jnp.ones((), x.dtype)), x.shape[:1])

    def laplacian(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Laplace-Beltrami: (1 − ρ²)f″(ρ) − (d − 1)ρf′(ρ) with ρ = θᵀw."""
        x, y = one_pair(x, y)
        return self.laplacian_profile(x @ y, x.shape[0])

    def laplace_beltrami(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """The Laplacian of this family."""
        return self.laplacian(x, y)

    def laplacian_profile(self, rho: Float[Array, ""], d: int) -> Float[Array, ""]:
        """(1 − ρ²)f″(ρ) − (d − 1)ρf′(ρ) as a function of ρ."""
        first = jax.grad(self.profile)
        return (1 - rho**2) * jax.grad(first)(rho) - (d - 1) * rho * first(rho)

    @partial(jax.jit, static_argnames=("self", "distinct"))
    def _pairs(self, x, y, *, distinct: bool):
        if isinstance(self.profile, GramProfile):
            g = gram(x, y, distinct=distinct)
            return self.profile.of_gram(g._replace(q=jnp.ones_like(g.q), p=jnp.ones_like(g.p)))
        products = x @ y.T
        if isinstance(self.profile, PowerSeries):
            return self.profile(products)
        return jax.vmap(self.profile)(products.ravel()).reshape(products.shape)


class GramProfile(eqx.Module):
    """A zonal profile computed from Gram data at unit norms, so that it can use the half-chords."""

    of_gram: Callable[[Gram], Array] = eqx.field(static=True)

    def __call__(self, rho: Float[Array, ""]) -> Float[Array, ""]:
        """The profile at one inner product."""
        one = jnp.ones((1, 1))
        rho = jnp.reshape(rho, (1, 1))
        frozen = jnp.clip(jax.lax.stop_gradient(rho), -1.0, 1.0)
        return self.of_gram(Gram(one, one, rho, 1 - frozen, 1 + frozen))[0, 0]


class PowerSeries(eqx.Module):
    """Σ cₙρⁿ by Horner's rule, for arrays of any shape; an even or odd series costs half.

    >>> import jax.numpy as jnp
    >>> float(PowerSeries((1.0, 0.0, 2.0))(jnp.array(0.5)))
    1.5
    """

    coefficients: tuple[float, ...] = eqx.field(static=True)

    def __call__(self, rho: Float[Array, "..."]) -> Float[Array, "..."]:
        """The value at ρ."""
        return _power_series(self.coefficients, rho)

    def derivative(self) -> "PowerSeries":
        """The series of the derivative."""
        return PowerSeries(tuple(n * c for n, c in enumerate(self.coefficients))[1:] or (0.0,))


def _horner(coefficients: tuple[float, ...], rho: Float[Array, "..."]) -> Float[Array, "..."]:
    value = jnp.full_like(rho, coefficients[-1])
    if len(coefficients) > UNROLLED_TERMS:
        rest = jnp.asarray(coefficients[-2::-1])
        return jax.lax.fori_loop(0, rest.size, lambda n, value: value * rho + rest[n], value)
    for c in coefficients[-2::-1]:
        value = value * rho + c if c else value * rho
    return value


# Differentiating Horner's rule would keep every intermediate; the derivative is a power series of its own.


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _power_series(coefficients: tuple[float, ...], rho: Float[Array, "..."]) -> Float[Array, "..."]:
    even, odd = coefficients[0::2], coefficients[1::2]
    square = rho * rho
    value = jnp.zeros_like(rho)
    if any(even):
        value = value + _horner(even, square)
    if any(odd):
        value = value + rho * _horner(odd, square)
    return value


@_power_series.defjvp
def _power_series_jvp(coefficients, primals, tangents):
    (rho,), (drho,) = primals, tangents
    slope = tuple(n * c for n, c in enumerate(coefficients))[1:] or (0.0,)
    return _power_series(coefficients, rho), _power_series(slope, rho) * drho
