"""Both sides of the equivalence run from the same starts, and how far apart their paths may be."""

import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Sphere
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.equivalence.dynamics import particle_paths
from earnshaw.theorems.equivalence.flow import Multiple, flow_paths
from earnshaw.theorems.equivalence.instance import Instance

#: Equal intervals at whose ends paths are compared.
INTERVALS = 40
#: Each side is also integrated this much more coarsely, and the gap to that bounds its error.
COARSER = 10.0
#: Paths are told apart from each other only where their errors are below this share of the way that they go.
RESOLUTION = 1e-3


@dataclass(frozen=True)
class Comparison:
    """Paths of gradient flow and of particles: NaN at times that an integration did not reach."""

    times: Float[np.ndarray, " t"]
    flow: Float[np.ndarray, "starts t m d"]
    particles: Float[np.ndarray, "starts t m d"]
    difference: Float[np.ndarray, "starts t"]
    """The largest distance between the two places of one particle."""
    allowed: Float[np.ndarray, "starts t"]
    """How large it may be by the errors of the two integrations, up to that time."""
    multiple: float
    """The m for which the first velocities of the flow are those of the particles under m·Φ, by least squares."""

    @property
    def travelled(self) -> Float[np.ndarray, " starts"]:
        """The largest distance of a particle from its start along the flow."""
        away = _farthest(self.flow - self.flow[:, :1])
        return np.max(np.where(np.isfinite(away), away, 0.0), axis=1)

    @property
    def resolved(self) -> Bool[np.ndarray, "starts t"]:
        """Where both paths exist and their errors are far below the way that the particles go."""
        known = np.isfinite(self.difference) & np.isfinite(self.allowed)
        return known & (np.where(known, self.allowed, np.inf) <= RESOLUTION * self.travelled[:, None])


def compare(
    potential: Potential,
    instance: Instance,
    *,
    form: str,
    time: float = 1.0,
    loss_factor: float = 0.5,
    factor: float = 1.0,
    tolerance: float = 1e-9,
    law: Potential | None = None,
) -> Comparison:
    """Gradient flow on `loss_factor`·L beside the particle dynamics under `factor`·Φ, from all starts of an instance.

    L is the loss of `Particles` in the given form, under `potential`; `law` is the Φ of the particles, by default the
    same. Both sides are integrated with relative and absolute tolerance `tolerance`, and once more coarsely.

    The gap between the fine and the coarse path of a side is about its coarse error, so it overestimates the fine one;
    what is allowed is the sum of both gaps, plus the fine tolerance of one step for every interval so far.
    """
    look_over(time, tolerance, loss_factor, factor)
    landscape, starts = _landscape(potential, instance, form)
    loss = Multiple(landscape, loss_factor)
    fine, velocities = flow_paths(loss, starts, time, INTERVALS, tolerance)
    coarse, _ = flow_paths(loss, starts, time, INTERVALS, tolerance * COARSER)
    times = np.linspace(0.0, time, INTERVALS + 1)

    law = _resolved(law or potential, fine, instance)

    def particles(tolerance: float) -> tuple[np.ndarray, np.ndarray]:
        arrays = _particle_arrays(instance, times)
        paths, forces = particle_paths(law, *arrays, jnp.asarray(factor), jnp.asarray(tolerance))
        return np.where(np.isfinite(paths), paths, np.nan), np.asarray(forces)

    paths, forces = particles(tolerance)
    coarse_paths, _ = particles(tolerance * COARSER)
    # The solvers hold the root mean square of all coordinates' errors below atol + rtol·|x| in each step.
    step_error = tolerance * (1 + _farthest(fine)) * np.sqrt(instance.moving[0].size)
    allowed = _farthest(fine - coarse) + _farthest(paths - coarse_paths) + step_error * np.arange(1, times.size + 1)
    return Comparison(
        times=times,
        flow=fine,
        particles=paths,
        difference=_farthest(fine - paths),
        allowed=np.maximum.accumulate(allowed, axis=1),
        multiple=_multiple(velocities, -forces),
    )


def look_over(time: float, tolerance: float, loss_factor: float, factor: float) -> None:
    """Refuse numbers with which nothing can be integrated."""
    for name, value in (("time", time), ("loss_factor", loss_factor)):
        if not (math.isfinite(value) and value > 0):
            raise EarnshawError(f"{name} must be a finite number above 0, not {value}")
    if not math.isfinite(factor):
        raise EarnshawError(f"factor must be a finite number, not {factor}")
    if not 1e-12 <= tolerance <= 1e-3:
        raise EarnshawError(f"tolerance must be between 1e-12 and 1e-3, not {tolerance}")


def first_velocities(
    potential: Potential, instance: Instance, *, form: str, loss_factor: float = 0.5
) -> tuple[float, float]:
    """The factor m for which the first velocities are those under m·Φ, and what it leaves over, relative to them.

    What `compare` finds out at time 0, without following any path: all that is done where a hypothesis fails.
    """
    landscape, starts = _landscape(potential, instance, form)
    loss = landscape.adapt(starts)
    velocities = -loss_factor * np.asarray(jax.jit(jax.vmap(loss.gradient))(starts).positions)
    law = _resolved(potential, instance.moving, instance)
    _, forces = particle_paths(law, *_particle_arrays(instance, np.array([0.0, 1e-6])), jnp.ones(()), jnp.asarray(1e-3))
    forces = np.asarray(forces)
    multiple = _multiple(velocities, -forces)
    return multiple, float(np.linalg.norm(velocities + multiple * forces) / np.linalg.norm(velocities))


def _particle_arrays(instance: Instance, times: Float[np.ndarray, " t"]) -> tuple[bool, Array, Array, Array, Array]:
    """What `particle_paths` takes after the potential: where everybody is, and with what charges."""
    still = np.concatenate([instance.protons, instance.frozen])
    frozen, moving = np.split(instance.electron_charges, [instance.fixed])
    charges = np.concatenate([moving, instance.proton_charges, frozen])
    places, others, carried, when = map(jnp.asarray, (instance.moving, still, charges, times))
    return instance.on_sphere, places, others, carried, when


def _landscape(potential: Potential, instance: Instance, form: str) -> tuple[Particles, Electrons]:
    electrons = np.concatenate([instance.frozen, instance.moving[0]])
    landscape = Particles(
        potential,
        instance.protons,
        instance.proton_charges,
        electrons=len(electrons),
        electron_charges=instance.electron_charges,
        form=form,
        manifold=Sphere() if instance.on_sphere else Euclidean(),
    )
    if instance.fixed:
        landscape, _ = landscape.freeze(Electrons(jnp.asarray(electrons)), np.arange(instance.fixed))
    return landscape, Electrons(jnp.asarray(instance.moving))


def _resolved(potential: Potential, paths: np.ndarray, instance: Instance) -> Potential:
    """A series potential, made accurate for the norms that the paths reach."""
    resolved_for = getattr(potential, "resolved_for", None)
    if resolved_for is None:
        return potential
    places = np.concatenate([paths.reshape(-1, paths.shape[-1]), instance.protons, instance.frozen])
    return resolved_for(float(np.nanmax(np.linalg.norm(places, axis=-1))))


def _farthest(displacements: Float[np.ndarray, "starts t m d"]) -> Float[np.ndarray, "starts t"]:
    return np.max(np.linalg.norm(displacements, axis=-1), axis=-1)


def _multiple(velocities: Float[np.ndarray, "..."], under_potential: Float[np.ndarray, "..."]) -> float:
    squared = float(np.sum(under_potential**2))
    return float(np.sum(velocities * under_potential)) / squared if squared > 0 else float("nan")
