"""The Yukawa potential e^{−r}/r of R³ and the Bessel potential e^{−‖r‖₁}, with the activations that realise them.

Both are squares of modified Bessel functions under convolution. The first is infinite at coincidence, and so is E σ²;
E σ(x, θ)σ(x, w) is finite for θ ≠ w (prsz18, Lemma B.10; Table 1).
"""

import math

import equinox as eqx
import numpy as np
from jaxtyping import Array, Float
from scipy.special import kv

from earnshaw.duality.bessel_k import bessel_k
from earnshaw.duality.radial_activation import RadialActivation, SeparableActivation


def yukawa_activation() -> RadialActivation:
    """σ(x, θ) = (2/π)^{3/4} e^{‖x‖²/4} K₁(r)/r in R³, r = ‖x − θ‖, with E σ(x, θ)σ(x, w) = e^{−‖θ−w‖}/‖θ−w‖.

    >>> activation = yukawa_activation()
    >>> bool(abs(activation.potential_at(np.array([2.0]))[0] - np.exp(-2.0) / 2.0) < 1e-12)
    True
    """
    # The transform of K₁(r)/r in R³ is √(π/2)/√(1 + k²), that of e^{−r}/r is √(2/π)/(1 + k²).
    return RadialActivation(BesselFactor(1, math.pi**-1.5), 3, "bessel K1")


def bessel_activation(d: int) -> SeparableActivation:
    """σ(x, θ) = (2/π)^{3d/4} e^{‖x‖²/4} ∏ K₀(|x_l − θ_l|), with E σ(x, θ)σ(x, w) = e^{−‖θ−w‖₁}.

    >>> import jax.numpy as jnp
    >>> bessel_activation(2)(jnp.zeros(2), jnp.ones(2)).shape
    ()
    """
    return SeparableActivation(RadialActivation(BesselFactor(0, math.sqrt(2.0) / math.pi), 1, "bessel K0"), d)


class BesselFactor(eqx.Module):
    """h(r) = scale · K_order(r) / r^order, in JAX and on the host."""

    order: int = eqx.field(static=True)
    scale: float = eqx.field(static=True)

    def __call__(self, r: Float[Array, ""]) -> Float[Array, ""]:
        """h(r), differentiable."""
        return self.scale * bessel_k(self.order, r) / r**self.order

    def on_arrays(self, r: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """h(r) for quadrature with millions of nodes."""
        return self.scale * kv(self.order, r) / r**self.order
