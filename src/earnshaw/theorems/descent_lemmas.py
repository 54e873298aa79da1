"""One step of descent and what it must gain, with constants measured around it (prsz18, Lemmas D.1 and D.2)."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.errors import unknown_name
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes import DoubleWell, Landscape, Particles
from earnshaw.landscapes.encounters import encounters
from earnshaw.theorems.equivalence.names import named_potential

#: Points at which the ball around a start is looked at, and points on the step itself.
SAMPLES, NODES = 24, 8
#: How often a ball is shrunk before it is given up.
SHRINKINGS = 40
#: Digits that a difference of losses may lose.
ROUNDING = 16 * np.finfo(float).eps


class Cubic(Landscape):
    """−x₁²/2 − x₁³/6 + Σ_{i>1} xᵢ²/2 on R³: at 0 the curvature is −1, and the Hessian is 1-Lipschitz.

    A step from 0 to −e₁ gains 1/3, the least that such a function can.

    >>> Cubic().loss(jnp.array([-1.0, 0.0, 0.0])).round(6).item()
    -0.333333
    """

    manifold: Manifold = Euclidean()

    def loss(self, params: Float[Array, "3"]) -> Float[Array, ""]:
        """−x₁²/2 − x₁³/6 + Σ_{i>1} xᵢ²/2."""
        return -(params[0] ** 2) / 2 - params[0] ** 3 / 6 + jnp.sum(params[1:] ** 2) / 2

    def init(self, key: PRNGKeyArray) -> Float[Array, "3"]:
        """The saddle at 0."""
        return jnp.zeros(3)


def landscape_of(name: Any, d: int, seed: int) -> Landscape:
    """ "cubic", "double well", or three electrons with charges that learn three protons under the potential named.

    >>> landscape_of("cubic", 3, 0).loss(jnp.zeros(3)).item()
    0.0
    """
    if isinstance(name, Landscape):
        return name
    if name == "cubic":
        return Cubic()
    if name == "double well":
        return DoubleWell(max(d, 1))
    phi = named_potential(name, d, "euclidean")
    if phi.space != "euclidean":
        raise unknown_name("landscape of a flat space", name, ["cubic", "double well", "gaussian", "coulomb"])
    finite = bool(np.isfinite(float(phi.self_energy(jnp.zeros((1, d)))[0])))
    random = np.random.default_rng([seed, 0])
    form = "full" if finite else "interaction"
    return Particles(phi, random.normal(size=(3, d)), random.uniform(0.5, 1.5, 3), learn_charges=finite, form=form)


class Around(NamedTuple):
    """Bounds over a ball of the given radius: of ‖∇L‖, of ‖∇²L‖, and of the Lipschitz constant of ∇²L."""

    radius: float
    gradient: float
    curvature: float
    third: float


class Flat:
    """A landscape of R^n in flat coordinates, whose derivatives at many points are one compiled call."""

    def __init__(self, landscape: Landscape):
        self.landscape = landscape
        self.unravel = ravel_pytree(landscape.init(jax.random.key(0)))[1]

    def start(self, seed: int, index: int) -> Float[np.ndarray, " n"]:
        """A point from the landscape's law of starts."""
        return np.asarray(ravel_pytree(self.landscape.init(jax.random.key(seed + 7919 * index)))[0])

    def look(self, points: Float[np.ndarray, "m n"]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Losses, gradients and Hessians; always `SAMPLES` + `NODES` points are computed."""
        filled = np.resize(points, (SAMPLES + NODES, points.shape[1]))
        found = _look(self.landscape, jax.vmap(self.unravel)(jnp.asarray(filled)))
        losses, gradients, hessians = (np.asarray(leaf)[: len(points)] for leaf in found)
        return losses, gradients, hessians

    def room(self, point: Float[np.ndarray, " n"]) -> float:
        """The distance that every electron may move without meeting another particle; infinite without particles."""
        if not isinstance(self.landscape, Particles):
            return np.inf
        return float(_room(self.landscape, self.unravel(jnp.asarray(point))))

    def around(
        self,
        point: Float[np.ndarray, " n"],
        radius: float,
        direction: Float[np.ndarray, " n"],
        random: np.random.Generator,
    ) -> Around:
        """The bounds over points of the ball, among them some along `direction`."""
        cloud = random.normal(size=(SAMPLES, point.size))
        lengths = random.uniform(size=(SAMPLES, 1)) ** (1 / point.size)
        cloud *= lengths / np.linalg.norm(cloud, axis=1, keepdims=True)
        size = np.linalg.norm(direction)
        along = np.linspace(0.0, 1.0, NODES)[:, None] * direction / (size if size > 0 else 1.0)
        points = point + radius * np.concatenate([along, cloud])
        _, gradients, hessians = self.look(points)
        if not np.all(np.isfinite(hessians)):
            return Around(radius, np.inf, np.inf, np.inf)
        first, second = np.triu_indices(len(points), 1)
        changes = np.linalg.norm(hessians[first] - hessians[second], ord=2, axis=(1, 2))
        apart = np.linalg.norm(points[first] - points[second], axis=1)
        # Two nearby points tell nothing but the rounding of their Hessians.
        told = apart > 1e-6 * radius
        return Around(
            radius,
            float(np.max(np.linalg.norm(gradients, axis=1))),
            float(np.max(np.linalg.norm(hessians, ord=2, axis=(1, 2)))),
            float(np.max(changes[told] / apart[told], initial=0.0)),
        )


@eqx.filter_jit
def _look(landscape, points):
    def one(params):
        loss, gradient = landscape.value_and_gradient(params)
        return loss, ravel_pytree(gradient)[0], landscape.hessian(params)

    return jax.vmap(one)(points)


@eqx.filter_jit
def _room(landscape, params):
    return jnp.min(encounters(landscape, params).nearest)


class Step(NamedTuple):
    """One step: its size α, the bound that α has to obey, what was gained and promised, and how far it led."""

    size: float
    bound: float
    gained: float
    unit: float
    """α‖∇L‖² or α²γ³, of which the lemma promises a share."""
    rounding: float
    moved: float
    allowed: float
    start: Float[np.ndarray, " n"]
    end: Float[np.ndarray, " n"]


def gradient_step(flat: Flat, x: Float[np.ndarray, " n"], factor: float, random: np.random.Generator) -> Step | None:
    """A step −α∇L with α = `factor`/B₂, B₂ measured in the ball of radius αB₁; `None` where ∇L vanishes."""
    losses, gradients, hessians = flat.look(x[None])
    gradient = gradients[0]
    slope = float(np.linalg.norm(gradient))
    if slope <= 1e-9:
        return None
    size, room = 1 / max(float(np.linalg.norm(hessians[0], ord=2)), 1e-12), flat.room(x) / 2
    for _ in range(SHRINKINGS):
        radius = 1.5 * size * slope
        seen = flat.around(x, radius, -gradient, random) if radius < room else Around(radius, np.inf, np.inf, np.inf)
        if size * seen.curvature <= 1 and size * seen.gradient <= radius:
            break
        size = min(size / 2, 1 / seen.curvature) if np.isfinite(seen.curvature) else size / 2
    else:
        return None
    size *= factor
    end = x - size * gradient
    after = flat.look(end[None])[0][0]
    return Step(
        size, 1 / seen.curvature, float(losses[0] - after), size * slope**2,
        ROUNDING * (abs(losses[0]) + abs(after)), float(np.linalg.norm(end - x)), size * seen.gradient, x, end,
    )  # fmt: skip


def curvature_step(
    flat: Flat, x: Float[np.ndarray, " n"], factor: float, uphill: bool, random: np.random.Generator
) -> Step | None:
    """A step αγ along ∓v, v the unit vector of λ_min = −γ < 0, down the slope (`uphill`: up), with α = `factor`/B₃,
    B₃ measured in the ball of radius αB₂; `None` where λ_min ≥ 0."""
    losses, gradients, hessians = flat.look(x[None])
    values, vectors = np.linalg.eigh(hessians[0])
    gamma = -float(values[0])
    if gamma <= 1e-9 * max(abs(float(values[-1])), 1.0):
        return None
    v = vectors[:, 0] * np.sign(vectors[np.argmax(np.abs(vectors[:, 0])), 0])
    down = -v if gradients[0] @ v >= 0 else v
    down = -down if uphill else down
    size, room = 1.0 / gamma, flat.room(x) / 2
    for _ in range(SHRINKINGS):
        radius = 1.5 * size * float(np.linalg.norm(hessians[0], ord=2))
        seen = flat.around(x, radius, down, random) if radius < room else Around(radius, np.inf, np.inf, np.inf)
        if size * seen.third <= 1 + 1e-12 and size * seen.curvature <= radius:
            break
        size = min(0.7 * size, 1 / seen.third) if np.isfinite(seen.third) and seen.third > 0 else size / 2
    else:
        return None
    size *= factor
    end = x + size * gamma * down
    after = flat.look(end[None])[0][0]
    return Step(
        size, 1 / seen.third if seen.third > 0 else np.inf, float(losses[0] - after), size**2 * gamma**3,
        ROUNDING * (abs(losses[0]) + abs(after)), float(np.linalg.norm(end - x)), size * seen.curvature, x, end,
    )  # fmt: skip
