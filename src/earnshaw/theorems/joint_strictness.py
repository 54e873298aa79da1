"""How negative the Hessian is along joint motions of all electrons, beside its smallest eigenvalue.

For zps17, Theorem 4.2, and prsz18, Theorem F.4: both bound λ_min by the average curvature of such a motion, in which
the electrons' repulsion drops out.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.duality.potential import Potential
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.search import joint_motion


class Strictness(NamedTuple):
    """For every configuration of a batch."""

    smallest: Float[np.ndarray, " n"]
    """λ_min of the Riemannian Hessian."""
    joint: Float[np.ndarray, " n"]
    """The average curvature of the joint motions: λ_min ≤ joint."""
    squares: Float[np.ndarray, "n k K"]
    """‖θᵢ − wⱼ‖²."""


def strictness(landscape: Particles, positions: Float[np.ndarray, "n k d"]) -> Strictness:
    """λ_min and the average curvature of moving all electrons together, at every configuration.

    Under Φ = φ(‖θ − w‖) in R^d with charges −1 and 1 the latter is −(2/kd) Σᵢⱼ ΔΦ(θᵢ, wⱼ).

    >>> from earnshaw.duality import potentials
    >>> landscape = Particles(potentials.gaussian(), [[0.0]], form="interaction")
    >>> found = strictness(landscape, np.array([[[3.0]]]))
    >>> bool(abs(found.joint[0] + 2 * 8 * np.exp(-4.5)) < 1e-12)
    True
    """
    batch = jnp.asarray(positions)
    smallest, joint = _looked(landscape, batch)
    squares = np.sum((np.asarray(positions)[:, :, None, :] - np.asarray(landscape.protons)) ** 2, axis=-1)
    return Strictness(np.asarray(smallest), np.asarray(joint), squares)


def joint_curvature(
    phi: Potential, protons: Float[np.ndarray, "K d"], positions: Float[np.ndarray, "n k d"]
) -> Float[np.ndarray, " n"]:
    """−2ΣᵢⱼΔΦ(θᵢ, wⱼ) over k·dim M: what `Strictness.joint` has to be with charges −1 and 1, from ΔΦ alone.

    >>> from earnshaw.duality import potentials
    >>> bool(abs(joint_curvature(potentials.coulomb(3), np.zeros((1, 3)), np.ones((1, 2, 3)))[0]) < 1e-12)
    True
    """
    k, d = positions.shape[1:]
    total = np.asarray(_laplacians(phi, jnp.asarray(protons), jnp.asarray(positions)))
    return -2 * total / (k * (d - 1 if phi.space == "sphere" else d))


@jax.jit
def _laplacians(phi, protons, batch):
    def pairs(positions):
        return jnp.sum(jax.vmap(lambda x: jax.vmap(lambda w: phi.laplacian(x, w))(protons))(positions))

    return jax.vmap(pairs)(batch)


@jax.jit
def _looked(landscape, batch):
    everyone = jnp.ones(batch.shape[1], bool)

    def one(positions):
        params = Electrons(positions)
        hessian = landscape.hessian(params)
        smallest = jnp.linalg.eigvalsh((hessian + hessian.T) / 2)[0]
        return smallest, joint_motion(landscape, params, everyone).mean

    return jax.vmap(one)(batch)
