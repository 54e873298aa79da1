"""An activation: a scalar function with the facts that make its dual exact."""

from typing import Any, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.closed_forms import ClosedForm, Scaled
from earnshaw.duality.functions import Multiple
from earnshaw.duality.profile import require_scalar
from earnshaw.duality.series_selection import MOST_TERMS, hermite_coefficients
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import finite_number, whole_number

Parity = Literal["even", "odd"] | None
"""The symmetry σ(−z) = ±σ(z), if there is one."""


class Activation(eqx.Module):
    """A unit's function σ, applied to θᵀx. Any scalar JAX function will do; the facts are optional.

    >>> import jax.numpy as jnp
    >>> bump = Activation(lambda z: jnp.exp(-(z**2)), name="bump")
    >>> float(bump(jnp.array(0.0))), float(bump.derivative(jnp.array(0.0)))
    (1.0, -0.0)
    """

    function: Any = eqx.field(static=True)
    name: str = eqx.field(static=True, default="activation")
    degree: float | None = eqx.field(static=True, default=None)
    """σ(λz) = λ^degree·σ(z) for λ > 0, if there is such a number."""
    smoothness: float | int = eqx.field(static=True, default=np.inf)
    """How many continuous derivatives; −1 for a jump."""
    parity: Parity = eqx.field(static=True, default=None)
    closed_form: ClosedForm | None = eqx.field(static=True, default=None)
    powers: tuple[float, ...] | None = eqx.field(static=True, default=None)
    """σ(z) = Σ powersᵢzⁱ, if σ is a polynomial of moderate degree."""
    expansion: tuple[float, ...] | None = eqx.field(static=True, default=None)
    """σ(z) = Σ expansionₙhₙ(z), if σ is a finite Hermite sum."""

    def __check_init__(self) -> None:
        if not callable(self.function):
            raise EarnshawError(f"an activation needs a scalar JAX function, got {self.function!r}")
        require_scalar(self.function, f"the activation {self.name!r}")
        probe = np.asarray(jax.vmap(self.function)(jnp.linspace(-3.0, 3.0, 13)))
        if not np.all(np.isfinite(probe)):
            at = float(np.linspace(-3.0, 3.0, 13)[~np.isfinite(probe)][0])
            raise EarnshawError(f"the activation {self.name!r} is not finite at z = {at:g}")

    def __call__(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """σ(z), elementwise."""
        return self.function(z)

    def derivative(self, z: Float[Array, "..."]) -> Float[Array, "..."]:
        """σ′(z), elementwise, by autodiff."""
        return jax.vmap(jax.grad(self.function))(z.ravel()).reshape(z.shape)

    def hermite_coefficients(self, count: int, *, scale: float = 1.0, mean: float = 0.0) -> Float[np.ndarray, " n"]:
        """E σ(scale·z + mean)hₙ(z) for n < count, with normalised Hermite polynomials hₙ.

        >>> from earnshaw.duality import activations
        >>> activations.get("quadratic").hermite_coefficients(3).round(6).tolist()
        [1.0, 0.0, 1.414214]
        """
        count = whole_number("the number of Hermite coefficients", count, 1, MOST_TERMS)
        scale, mean = finite_number("the scale", scale), finite_number("the mean", mean)
        return hermite_coefficients(self.function, count, scale, mean)[0]

    def scaled(self, factor: float) -> "Activation":
        """factor·σ, with the facts that carry over."""
        factor = finite_number("the factor of an activation", factor)
        return Activation(
            Multiple(self.function, factor),
            name=f"{factor:g}·{self.name}",
            degree=self.degree,
            smoothness=self.smoothness,
            parity=self.parity,
            closed_form=None if self.closed_form is None else Scaled(self.closed_form, factor),
            powers=None if self.powers is None else tuple(factor * c for c in self.powers),
            expansion=None if self.expansion is None else tuple(factor * c for c in self.expansion),
        )
