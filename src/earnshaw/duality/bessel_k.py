"""The modified Bessel function of the second kind, which JAX does not have."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

import earnshaw.numerics  # noqa: F401  (float64)

_STEP = 0.2
_TERMS = np.arange(200.0)


def bessel_k(order: int | float, r: float | Float[Array, ""]) -> Float[Array, ""]:
    """The modified Bessel function K_ν(r) = ∫_0^∞ e^{−r cosh t} cosh(νt) dt for r > 1e-15.

    The trapezoidal rule converges faster than any power for this integrand, with a step that shrinks like 1/√r.

    >>> round(float(bessel_k(0, 1.0)), 12)
    0.421024438241
    """
    r = jnp.asarray(r, float)
    step = _STEP / jnp.sqrt(1.0 + r / 10.0)
    times = step * _TERMS
    # e^{νt} and e^{−r cosh t} are multiplied as exponents: apart they overflow and underflow.
    exponents = -r * jnp.cosh(times) + abs(order) * times
    even = jnp.where(_TERMS == 0, 0.5, 1.0) * (1.0 + jnp.exp(-2.0 * abs(order) * times)) / 2.0
    return step * jnp.sum(even * jnp.exp(exponents))
