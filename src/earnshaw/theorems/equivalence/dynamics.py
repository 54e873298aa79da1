"""Electron-proton dynamics written down from its definition, one pair of particles at a time.

Nothing here knows of a loss: forces are sums over pairs, and they are integrated by another solver than the one of
`GradientFlow`, so that agreement with a gradient flow is evidence.
"""

from typing import Any

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.potential import Potential

#: Inner steps of the whole path; particles that fall into each other would need infinitely many.
MAX_STEPS = 20_000


@eqx.filter_jit
def particle_paths(
    potential: Potential,
    on_sphere: bool,
    moving: Float[Array, "starts m d"],
    fixed: Float[Array, "n d"],
    charges: Float[Array, " m+n"],
    times: Float[Array, " t"],
    multiple: float | Float[Array, ""],
    tolerance: float | Float[Array, ""],
) -> tuple[Float[Array, "starts t m d"], Float[Array, "starts m d"]]:
    """Where the moving particles are at `times`, and the forces on them at the start.

    −dθᵢ/dt = Σ_{j ≠ i} qᵢqⱼ ∇_{θᵢ}Φ(θᵢ, θⱼ) over all other particles, moving or fixed, for Φ = `multiple`·`potential`
    (zps17, Definition 2.1; prsz18, Definition 2.2). `charges` are those of the moving particles and then of the fixed
    ones. On the sphere ∇ is the part of the gradient that is tangent at θᵢ. The second result is for multiple 1.

    Times after the integration broke down are infinite.

    >>> from earnshaw.duality import potentials
    >>> one, proton = jnp.ones((1, 1, 1)), jnp.zeros((1, 1))
    >>> times = jnp.array([0.0, 0.1])
    >>> logarithm = potentials.get("logarithmic")
    >>> paths, _ = particle_paths(logarithm, False, one, proton, jnp.array([-1.0, 1.0]), times, 1.0, 1e-10)
    >>> bool(abs(paths[0, -1, 0, 0] - jnp.sqrt(0.8)) < 1e-9)  # dr/dt = −1/r
    True
    """
    first, second = _pairs(moving.shape[1], fixed.shape[0])

    def forces(positions: Float[Array, "m d"]) -> Float[Array, "m d"]:
        everyone = jnp.concatenate([positions, fixed])
        slopes = jax.vmap(potential.gradient)(everyone[first], everyone[second])
        pushes = (charges[first] * charges[second])[:, None] * slopes
        total = jnp.zeros_like(positions).at[first].add(pushes)
        if on_sphere:
            total = total - jnp.sum(total * positions, axis=1, keepdims=True) * positions
        return total

    def on_manifold(positions: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        return positions / jnp.linalg.norm(positions, axis=-1, keepdims=True) if on_sphere else positions

    def velocity(t: Any, positions: Float[Array, "m d"], args: Any) -> Float[Array, "m d"]:
        return -multiple * forces(on_manifold(positions))

    def path(start: Float[Array, "m d"]) -> Float[Array, "t m d"]:
        adaptive = diffrax.PIDController(rtol=tolerance, atol=tolerance)
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(velocity),
            diffrax.Tsit5(),
            t0=times[0],
            t1=times[-1],
            dt0=(times[1] - times[0]) / 8,
            y0=start,
            saveat=diffrax.SaveAt(ts=times),
            # Steps end at the recorded times, where interpolation would be less accurate than the solver.
            stepsize_controller=diffrax.ClipStepSizeController(adaptive, step_ts=times),
            max_steps=MAX_STEPS,
            throw=False,
        )
        assert solution.ys is not None
        return on_manifold(solution.ys)

    return jax.vmap(path)(moving), jax.vmap(forces)(moving)


def _pairs(moving: int, fixed: int) -> tuple[np.ndarray, np.ndarray]:
    """Who is pushed and who pushes, for every pair of a moving particle and another one."""
    pushed, pushing = np.indices((moving, moving + fixed)).reshape(2, -1)
    return pushed[pushed != pushing], pushing[pushed != pushing]
