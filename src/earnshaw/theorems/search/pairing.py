"""Whether electrons have become the protons, one each, charges included."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, PyTree

from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.particles import Particles
from earnshaw.probes.matching import match


def pairing(
    landscape: Landscape, points: PyTree, tolerance: float
) -> tuple[Float[np.ndarray, " n"], Bool[np.ndarray, " n"]]:
    """The worst distance of an electron to its proton under the best pairing, for every point, and if it is small.

    A learned charge counts too: the distance of (θ, a) from (w, −b). For an odd activation with learned charges
    (−θ, −a) is the same electron as (θ, a). Landscapes without protons have no pairing, and their distances are NaN;
    with unequal numbers of electrons and protons a point is never called global.

    >>> from earnshaw.duality import potentials
    >>> from earnshaw.landscapes import Electrons
    >>> landscape = Particles(potentials.gaussian(), [[0.0], [5.0]])
    >>> distance, found = pairing(landscape, Electrons(jnp.array([[[5.0], [0.0]], [[5.0], [5.0]]])), 1e-6)
    >>> distance.tolist(), found.tolist()
    ([0.0, 5.0], [True, False])
    """
    count = len(jax.tree.leaves(points)[0])
    if not isinstance(landscape, Particles):
        return np.full(count, np.nan), np.zeros(count, bool)
    distances = np.asarray(_worst(landscape, points))
    same = landscape.electrons == len(landscape.protons)
    return distances, (distances <= tolerance) & same


@jax.jit
def _worst(landscape: Particles, points: PyTree) -> Float[jax.Array, " n"]:
    learned = points.charges is not None
    either_sign = landscape.parity == "even" or (landscape.parity == "odd" and learned)

    def one(params):
        apart, partner = match(params.positions, landscape.protons, up_to_sign=either_sign)
        worst = jnp.max(apart)
        if not learned or params.positions.shape[0] > landscape.protons.shape[0]:
            return worst
        sides = jnp.sum(params.positions * landscape.protons[partner], axis=1)
        signs = jnp.where(sides < 0, -1.0, 1.0) if landscape.parity == "odd" else 1.0
        return jnp.maximum(worst, jnp.max(jnp.abs(signs * params.charges + landscape.charges[partner])))

    return jax.vmap(one)(points)
