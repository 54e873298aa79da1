"""Moving a group of electrons as one rigid body: what the loss's Laplacian along these motions is.

In such a motion the electrons of the group do not change their distances, so their repulsion drops out of the loss.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from earnshaw.geometry import Sphere
from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.particles import Particles


class JointMotion(NamedTuple):
    r"""The Laplacian of v ↦ L(θᵢ moved by v for i in the group), and what it says about the Hessian.

    `trace` is Σ ⟨v, Hess L v⟩ over the translations along the axes of R^d, or over the rotations in the planes of two
    axes on the sphere, where Σ_{a<b} (x_a∂_b − x_b∂_a)² is the Laplacian of the sphere. `mean` = trace / Σ‖v‖² is an
    average of curvatures, so that λ_min(Hess L) ≤ mean.
    """

    trace: Float[Array, ""]
    mean: Float[Array, ""]


@eqx.filter_jit
def joint_motion(landscape: Particles, params: Electrons, group: Bool[Array, " k"]) -> JointMotion:
    """The electrons of `group` moved together, at a point where the loss is twice differentiable.

    >>> from earnshaw.duality import potentials
    >>> landscape = Particles(potentials.coulomb(3), jnp.eye(3), form="interaction")
    >>> params = Electrons(jnp.array([[3.0, 1.0, 0.5], [1.0, -2.0, 0.0], [0.0, 0.3, 2.0]]))
    >>> bool(abs(joint_motion(landscape, params, jnp.array([True, True, False])).trace) < 1e-12)
    True
    """
    d = params.positions.shape[1]
    if isinstance(landscape.place, Sphere):
        rows, columns = jnp.triu_indices(d, 1)
        generators = jnp.zeros((rows.size, d, d)).at[jnp.arange(rows.size), rows, columns].set(1.0)
        generators = generators - jnp.swapaxes(generators, 1, 2)
        velocities = jnp.einsum("gab,kb->gka", generators, params.positions)
    else:
        velocities = jnp.broadcast_to(jnp.eye(d)[:, None, :], (d, *params.positions.shape))
    velocities = jnp.where(jnp.asarray(group)[None, :, None], velocities, 0.0)
    still = None if params.charges is None else jnp.zeros_like(params.charges)

    def curvature(velocity):
        return jnp.sum(velocity * landscape.hvp(params, Electrons(velocity, still)).positions)

    trace = jnp.sum(jax.vmap(curvature)(velocities))
    return JointMotion(trace, trace / jnp.sum(velocities**2))
