"""One electron on its own: the loss as a function of the node that moves while all the others wait."""

from typing import Any, Literal, get_args

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.geometry import Manifold
from earnshaw.landscapes import starts
from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.particles import Particles
from earnshaw.landscapes.samples import Unit, gaussian_inputs, unit_values

#: What becomes of the moving electron's charge.
Charge = Literal["learned", "fixed", "optimal"]


class Node(Landscape):
    r"""What one electron (θ, a) adds to the loss of `Particles`, among other particles (sⱼ, qⱼ) that stay in place.

    With the field C(θ) = Σⱼ qⱼΦ(θ, sⱼ) and s = Φ(θ, θ) + regularisation (the form "interaction" has no Φ(θ, θ)) that is
    2aC(θ) + s·a², and 0 without the electron: nothing of the others' energy is added, so that a distant electron's
    small share is not lost in rounding. What descends is

    - "learned": θ and a. The parameters are `Electrons(θ[None], a[None])`.
    - "fixed":   θ, with `charge` as a. The parameters are `Electrons(θ[None])`.
    - "optimal": θ, with a*(θ) = −C(θ)/s, so the loss is −C(θ)²/s. Its gradient in θ is the partial one at a*: to
      descend on it is to set the charge to its best value before every step (zps17 Algorithm 3).

    `sites` of charge 0 are absent, even where the potential is infinite.

    >>> from earnshaw.duality.radial import Radial
    >>> particles = Particles(Radial(lambda r: jnp.exp(-r), label="laplace"), [[0.0], [9.0]], learn_charges=True)
    >>> node = Node(particles, particles.protons, particles.charges, "optimal")
    >>> node.loss(Electrons(jnp.array([[0.0]]))).round(3).item()
    -1.0
    """

    potential: Potential
    sites: Float[Array, "n d"]
    charges: Float[Array, " n"]
    charge: Float[Array, ""] | None
    regularisation: Float[Array, ""]
    scale: Float[Array, ""]
    manifold: Manifold
    mode: Charge = eqx.field(static=True)
    form: str = eqx.field(static=True)
    start: str | starts.StartLaw = eqx.field(static=True)
    activation: Unit | None = eqx.field(static=True)
    biased: bool = eqx.field(static=True)
    #: How many electrons the particles have.
    electrons: int = eqx.field(static=True)

    def __init__(
        self,
        particles: Particles,
        sites: Float[Array, "n d"],
        charges: Float[Array, " n"],
        mode: Any,
        charge: Float[Array, ""] | None = None,
    ):
        if mode not in get_args(Charge):
            raise unknown_name("treatment of a node's charge", mode, get_args(Charge))
        if mode == "optimal" and particles.form == "interaction":
            raise EarnshawError("form='interaction' is not convex in the charges, so a node has no optimal one")
        if (mode == "fixed") != (charge is not None):
            raise EarnshawError("a node needs a charge exactly when its charge is fixed")
        self.potential, self.manifold = particles.potential, particles.manifold
        self.sites, self.charges, self.charge = sites, charges, charge
        self.regularisation, self.scale = particles.regularisation, particles.scale
        self.mode, self.form, self.start = mode, particles.form, particles.start
        self.activation, self.biased = particles.activation, particles.biased
        self.electrons = particles.electrons

    @classmethod
    def of(
        cls, particles: Particles, positions: Float[Array, "k d"], charges: Float[Array, " k"], index: Any, mode: Charge
    ) -> "Node":
        """The view of electron `index`, which may be traced, with the others at `positions` with `charges`."""
        k = positions.shape[0]
        others = (index + 1 + jnp.arange(k - 1)) % k
        return cls(
            particles,
            jnp.concatenate([particles.protons, positions[others]]),
            jnp.concatenate([particles.charges, charges[others]]),
            mode,
            charges[index] if mode == "fixed" else None,
        )

    def loss(self, params: Electrons) -> Float[Array, ""]:
        """2aC(θ) + s·a², at a* when the charge is optimal."""
        field, stiffness = self.field(params.positions[0]), self.stiffness(params.positions[0])
        if self.mode == "optimal":
            return -(field**2) / stiffness
        charge = self.charge_at(params)
        return charge * (2 * field + stiffness * charge)

    def sampled_loss(self, params: Electrons, key: PRNGKeyArray, samples: int) -> Float[Array, ""]:
        """2aC(θ) + s·a² with C and s from fresh inputs; an optimal charge is the exact one and not differentiated."""
        inputs = gaussian_inputs(key, samples, self.sites, self.biased)
        own = unit_values(self.activation, inputs, params.positions, self.biased)[:, 0]
        others = unit_values(self.activation, inputs, self.sites, self.biased) @ self.charges
        stiffness = self.regularisation + (0.0 if self.form == "interaction" else jnp.mean(own**2))
        charge = self.charge_at(params)
        charge = jax.lax.stop_gradient(charge) if self.mode == "optimal" else charge
        return charge * (2 * jnp.mean(own * others) + stiffness * charge)

    def field(self, position: Float[Array, " d"]) -> Float[Array, ""]:
        """C(θ): the potential of the other particles at a point."""
        values = self.potential.matrix(position[None], self.sites)[0]
        return jnp.sum(jnp.where(self.charges == 0, 0.0, values * self.charges))

    def stiffness(self, position: Float[Array, " d"]) -> Float[Array, ""]:
        """s: half the second derivative of the loss in a."""
        if self.form == "interaction":
            return self.regularisation
        return self.potential.self_energy(position[None])[0] + self.regularisation

    def charge_at(self, params: Electrons) -> Float[Array, ""]:
        """The charge of the electron: learned, fixed, or the best for its place."""
        if self.mode == "learned":
            assert params.charges is not None
            return params.charges[0]
        if self.mode == "fixed":
            assert self.charge is not None
            return self.charge
        return self.optimal_charge(params.positions[0])

    def optimal_charge(self, position: Float[Array, " d"]) -> Float[Array, ""]:
        """a*(θ) = −C(θ)/s."""
        return -self.field(position) / self.stiffness(position)

    def at(self, position: Float[Array, " d"]) -> Electrons:
        """The parameters of the electron at a point; a learned charge begins as the best one there, if there is one."""
        if self.mode != "learned":
            return Electrons(position[None])
        if self.form == "interaction":
            raise EarnshawError("form='interaction' is not convex in the charges, so a node has no first one to learn")
        return Electrons(position[None], self.optimal_charge(position)[None])

    def init(self, key: PRNGKeyArray) -> Electrons:
        """A point from the start law of the particles, with the best charge there if it is learned."""
        return self.at(self.draw(key, 1)[0])

    def draw(self, key: PRNGKeyArray, count: int) -> Float[Array, "count d"]:
        """Points from the start law of the particles, which may depend on how many electrons there are."""
        law, shape = starts.get(self.start), (self.electrons, self.sites.shape[1])
        keys = jax.random.split(key, -(-count // self.electrons))
        positions = jax.vmap(lambda one: law(one, shape, self.scale))(keys).reshape(-1, shape[1])[:count]
        place: Any = self.manifold
        return place.factors.positions.project(positions)
