"""What one Hessian says about many points at once: spectrum, gradient, and where Newton would go from there."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

from earnshaw.landscapes.encounters import encounters
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.particles import Particles

#: Second derivatives of a landscape are good to this share of the largest curvature, unless it says otherwise.
ACCURACY = 1e-12


class Local(NamedTuple):
    """For every point of a batch; `asymmetry` is ‖H − Hᵀ‖, which rounding alone makes."""

    loss: Float[Array, " n"]
    gradient_norm: Float[Array, " n"]
    eigenvalues: Float[Array, "n dim"]
    asymmetry: Float[Array, " n"]
    newton: PyTree
    """The point to which Newton's step leads, no farther than was allowed."""
    newton_length: Float[Array, " n"]
    """The length of the whole step."""

    def numpy(self) -> "Local":
        """The same with NumPy's arrays."""
        fields: dict[str, Any] = {name: np.asarray(leaf) for name, leaf in self._asdict().items() if name != "newton"}
        return Local(newton=self.newton, **fields)


@eqx.filter_jit
def look(
    landscape: Landscape, batch: PyTree, reach: Float[Array, ""], fraction: Float[Array, ""], accuracy: Float[Array, ""]
) -> Local:
    """Look at every point of a batch; Newton's step goes no farther than `reach`.

    With `fraction` above 0 no electron covers more than this share of its distance to the nearest particle either.
    Directions whose curvature is below `accuracy` times the largest one have no Newton step.
    """

    def one(params):
        value, gradient = landscape.value_and_gradient(params)
        flat, unravel = ravel_pytree(gradient)
        basis = landscape.manifold.tangent_basis(params)
        hessian = landscape.hessian(params)
        # A point with an undefined Hessian must not take the whole batch with it.
        fine = jnp.all(jnp.isfinite(hessian))
        symmetric = jnp.where(fine, (hessian + hessian.T) / 2, 0.0)
        values, vectors = jnp.linalg.eigh(symmetric)
        largest = jnp.max(jnp.abs(values))
        curved = jnp.abs(values) > accuracy * largest
        along = vectors.T @ (basis.T @ flat)
        step = -jnp.where(curved, along / jnp.where(curved, values, 1.0), 0.0)
        length = jnp.linalg.norm(step)
        direction = unravel(basis @ (vectors @ step))
        share = jnp.minimum(1.0, reach / jnp.where(length > 0, length, 1.0))
        share = jnp.minimum(share, _room(landscape, params, direction, fraction))
        ahead = landscape.manifold.retract(params, jax.tree.map(lambda v: share * v, direction))
        values = jnp.where(fine, values, jnp.nan)
        return Local(value, jnp.linalg.norm(flat), values, jnp.linalg.norm(hessian - hessian.T), ahead, length)

    return jax.vmap(one)(batch)


def _room(landscape, params, direction, fraction):
    if not isinstance(landscape, Particles):
        return jnp.ones(())
    speed = jnp.linalg.norm(direction.positions, axis=-1)
    ratios = encounters(landscape, params).nearest / jnp.where(speed > 0, speed, 1.0)
    share = fraction * jnp.min(jnp.where(speed > 0, ratios, jnp.inf))
    return jnp.where(fraction > 0, share, 1.0)
