"""The landscape of electrons among fixed protons: the population loss of a two-layer network."""

from collections.abc import Callable
from typing import Any, Literal, get_args

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.geometry import Euclidean, Manifold, Product, Sphere
from earnshaw.landscapes import starts
from earnshaw.landscapes.checks import finite_array, holds, nonnegative_number, positive_integer, positive_number
from earnshaw.landscapes.electrons import Electrons, Parity, canonical
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.network import Network
from earnshaw.landscapes.particle_settings import (
    electron_space,
    fixed_or_first_charges,
    product_space,
    sign_symmetry,
)
from earnshaw.landscapes.samples import Unit, gaussian_inputs, unit_of, unit_values

Form = Literal["full", "without-constant", "interaction"]


class Particles(Landscape):
    r"""Electrons (θᵢ, aᵢ), i ≤ k, that move among protons (wⱼ, bⱼ), j ≤ K, under a potential Φ.

    The loss is one of three forms, plus regularisation·‖a‖²:

    - "full":             Σᵢⱼ aᵢaⱼΦ(θᵢ, θⱼ) + 2 Σᵢⱼ aᵢbⱼΦ(θᵢ, wⱼ) + Σᵢⱼ bᵢbⱼΦ(wᵢ, wⱼ)
    - "without-constant": the same without the last sum, which does not depend on the parameters
    - "interaction":      Σ_{i≠j} aᵢaⱼΦ(θᵢ, θⱼ) + 2 Σᵢⱼ aᵢbⱼΦ(θᵢ, wⱼ), also without the electrons' self-energies

    When Φ(θ, w) = E σ(x, θ)σ(x, w), "full" is the squared error E(Σ aᵢσ(x, θᵢ) + Σ bⱼσ(x, wⱼ))², without a factor ½.
    Note the plus sign: electrons carry charges opposite to the protons', and a = −b at θ = w has loss 0. See
    `teacher_student` for the same landscape with a minus sign.

    | source                   | arguments                                                                            |
    |--------------------------|--------------------------------------------------------------------------------------|
    | zps17 (3), (4); prsz18 (1) | form="full", learn_charges=True                                                    |
    | zps17 (5)                | form="without-constant", learn_charges=True                                          |
    | zps17 (6); prsz18 (2)    | form="interaction", with charges fixed or learned                                    |
    | zps17 (9); prsz18 (3)    | form="interaction" and nothing else: all bⱼ = 1, all aᵢ = −1                         |
    | zps17 (11); prsz18 (4)   | form="without-constant", electrons=1, learn_charges=True: the other nodes have a = 0 |
    | G = L + ‖a‖² of prsz18 §4 | form="full", learn_charges=True, regularisation=1                                   |

    Fixing any subset of the electrons (the set S in the definitions of electron-proton dynamics) is `freeze`.

    Arguments:

    - `potential`: any `Potential`. "interaction" is the only form for one that is infinite at coincident points.
    - `protons`: w, shape (K, d). `charges`: b, shape (K,), all 1 when left out.
    - `electrons`: k, by default K.
    - `electron_charges`: a, shape (k,). Fixed charges are by default opposite to the protons', which needs k = K or
      protons of one charge. Learned charges start here, and by default from N(0, 1/k).
    - `learn_charges`: whether a belongs to the parameters. Otherwise the parameters are `Electrons(positions, None)`.
    - `manifold`: where each θᵢ lives, `Euclidean()` or `Sphere()`; by default the space of the potential.
    - `start`, `scale`: the law of the first positions and its size: "gaussian", "xavier", "sphere", "ball" or a
      function (see `landscapes.starts`); on the sphere the positions are projected, and all four laws are uniform.
    - `parity`: "even" or "odd", the sign symmetry of σ; by default what the potential knows about it.
    - `activation`: σ, which sampled gradients need; a `Dual` knows its own. It must realize the potential.

    >>> from earnshaw.duality.radial import Radial
    >>> gaussian = Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian")
    >>> landscape = Particles(gaussian, [[0.0, 0.0], [3.0, 0.0]])
    >>> landscape.loss(Electrons(jnp.array([[3.0, 0.0], [0.0, 0.0]]))).round(12).item()
    0.0
    """

    potential: Potential
    protons: Float[Array, "K d"]
    charges: Float[Array, " K"]
    electron_charges: Float[Array, " k"] | None
    regularisation: Float[Array, ""]
    #: The energy of all that does not move, as far as the form counts it.
    constant: Float[Array, ""]
    scale: Float[Array, ""]
    manifold: Manifold
    electrons: int = eqx.field(static=True)
    learn_charges: bool = eqx.field(static=True)
    form: Form = eqx.field(static=True)
    start: str | starts.StartLaw = eqx.field(static=True)
    #: What (−θ, ±a) is to (θ, a), and whether points carry a bias as their last coordinate.
    parity: Parity = eqx.field(static=True)
    biased: bool = eqx.field(static=True)
    activation: Unit | None = eqx.field(static=True)

    def __init__(
        self,
        potential: Any,
        protons: Any,
        charges: Any = None,
        *,
        electrons: Any = None,
        electron_charges: Any = None,
        learn_charges: bool = False,
        form: Any = "full",
        regularisation: Any = 0.0,
        manifold: Any = None,
        start: Any = "gaussian",
        scale: Any = 1.0,
        parity: Parity = None,
        activation: Any = None,
    ):
        if not isinstance(potential, Potential):
            raise EarnshawError(f"particles need a Potential, such as Radial or Dual, not {potential!r}")
        if form not in get_args(Form):
            raise unknown_name("form of the loss", form, get_args(Form))
        starts.get(start)

        protons = finite_array("protons", protons, ndim=2)
        place = electron_space(potential, manifold, protons)
        protons = place.project(protons)
        count = protons.shape[0]
        charges = jnp.ones(count) if charges is None else finite_array("charges", charges, ndim=1)
        if charges.shape != (count,):
            raise EarnshawError(f"charges of {count} protons must have shape ({count},), not {charges.shape}")

        self.electrons = count if electrons is None else positive_integer("the number of electrons", electrons)
        self.learn_charges = bool(learn_charges)
        self.electron_charges = fixed_or_first_charges(electron_charges, charges, self.electrons, self.learn_charges)
        self.regularisation = nonnegative_number("regularisation", regularisation)
        self.scale = positive_number("scale", scale)
        self.manifold = product_space(place)
        self.potential = potential.accurate_at(protons)
        self.protons, self.charges = protons, charges
        self.form, self.start = form, start
        self.parity = sign_symmetry(potential) if parity is None else parity
        self.biased = bool(getattr(potential, "bias", False))
        self.activation = unit_of(potential, activation, protons)
        if form != "interaction" and not holds(jnp.isfinite(self.potential.self_energy(protons))):
            raise EarnshawError(
                f"the potential {potential.name} is infinite or undefined where two points coincide, "
                f"so only form='interaction' has a finite loss"
            )
        self.constant = self._energy_of_protons(self.potential) if form == "full" else jnp.zeros(())

    @classmethod
    def teacher_student(
        cls,
        activation: str | Activation | Callable,
        weights: Any,
        outputs: Any = None,
        *,
        biases: Any = None,
        width: Any = None,
        student_outputs: Any = None,
        learn_outputs: bool = False,
        manifold: Any = None,
        tolerance: float = 1e-12,
        **settings: Any,
    ) -> "Particles":
        r"""The population loss E(Σᵢ vᵢσ(θᵢᵀx + βᵢ) − Σⱼ bⱼσ(wⱼᵀx + cⱼ))², x ~ N(0, I), of a student against a teacher.

        - `activation`: σ, a name, an `Activation` or any scalar JAX function.
        - `weights`: w, shape (K, d). `outputs`: b, shape (K,), all 1 when left out.
        - `biases`: c, shape (K,); with them students have biases too, as last coordinate of their positions.
        - `width`: k, by default K. `student_outputs`: v, by default equal to the teacher's (see `electron_charges`);
          with `learn_outputs` they are parameters and start there, or from N(0, 1/k).
        - `manifold`: `Sphere()` keeps all weights at norm 1, where the potential is zonal.
        - `tolerance`: relative, for activations whose dual is a series.
        - further settings (form, regularisation, start, scale) are those of `Particles`.

        A student's output weight vᵢ is minus the charge aᵢ of an electron, since the loss of `Particles` adds the two
        networks. Read a network off parameters with `network`, and put one in with `parameters`.

        >>> landscape = Particles.teacher_student("relu", jnp.eye(3), width=4, student_outputs=[1.0, 1.0, 0.5, 0.5])
        >>> student = Network(jnp.eye(3)[jnp.array([0, 1, 2, 2])], jnp.array([1.0, 1.0, 0.5, 0.5]))
        >>> bool(abs(landscape.loss(landscape.parameters(student))) < 1e-14)
        True
        """
        activation = activations.get(activation)
        weights = finite_array("the teacher's weights", weights, ndim=2)
        if biases is not None:
            biases = finite_array("the teacher's biases", biases, ndim=1)
            if biases.shape != weights.shape[:1]:
                raise EarnshawError(
                    f"biases must have shape {weights.shape[:1]}, one for each unit, not {biases.shape}"
                )
            if isinstance(manifold, Sphere):
                raise EarnshawError("units with biases do not live on the sphere; use Euclidean(), or no biases")
        potential = Dual(activation, bias=biases is not None, tolerance=tolerance)
        return cls(
            potential.on_sphere() if isinstance(manifold, Sphere) else potential,
            weights if biases is None else jnp.concatenate([weights, biases[:, None]], axis=1),
            outputs,
            electrons=width,
            electron_charges=None if student_outputs is None else -finite_array("outputs", student_outputs, ndim=1),
            learn_charges=learn_outputs,
            manifold=manifold,
            parity=activation.parity,
            activation=activation,
            **settings,
        )

    def network(self, params: Electrons) -> Network:
        """The two-layer network that the electrons are: output weights −a, and biases split from the positions.

        >>> landscape = Particles.teacher_student("relu", jnp.eye(2), [3.0, 4.0])
        >>> landscape.network(landscape.init(jax.random.key(0))).outputs.tolist()
        [3.0, 4.0]
        """
        return Network.of_points(params.positions, -self.charges_of(params), self.biased)

    def teacher(self) -> Network:
        """The two-layer network that the protons are."""
        return Network.of_points(self.protons, self.charges, self.biased)

    def parameters(self, network: Network) -> Electrons:
        """The inverse of `network`; outputs that are not learned stay what they are."""
        return Electrons(network.points(), -network.outputs if self.learn_charges else None)

    # --- the loss ------------------------------------------------------------------------------------------------

    def loss(self, params: Electrons) -> Float[Array, ""]:
        """The loss in this landscape's form, plus regularisation·‖a‖²."""
        return self.energy(params.positions, self.charges_of(params))

    def energy(self, positions: Float[Array, "k d"], charges: Float[Array, " k"]) -> Float[Array, ""]:
        """The loss of electrons with these charges, whether or not the charges are parameters."""
        return self._energy_of_electrons(positions, charges) + self.constant

    def sampled_loss(self, params: Electrons, key: PRNGKeyArray, samples: int) -> Float[Array, ""]:
        """The loss with the mean over fresh inputs in place of every Φ that an electron takes part in."""
        inputs = gaussian_inputs(key, samples, self.protons, self.biased)
        charges = self.charges_of(params)
        units = unit_values(self.activation, inputs, params.positions, self.biased) * charges
        protons = unit_values(self.activation, inputs, self.protons, self.biased) @ self.charges
        squares = jnp.sum(units, axis=1) ** 2
        if self.form == "interaction":
            squares = squares - jnp.sum(units**2, axis=1)
        pairs = jnp.mean(squares + 2 * jnp.sum(units, axis=1) * protons)
        return pairs + self.regularisation * jnp.sum(charges**2) + self.constant

    def value_and_gradient(self, params: Electrons) -> tuple[Float[Array, ""], Electrons]:
        """The loss and its Riemannian gradient."""
        return Landscape.value_and_gradient(self._adapted_outside_jit(params), params)

    def hvp(self, params: Electrons, v: Electrons) -> Electrons:
        """The Riemannian Hessian applied to the tangent part of `v`."""
        return Landscape.hvp(self._adapted_outside_jit(params), params, v)

    def hessian(self, params: Electrons) -> Float[Array, "dim dim"]:
        """The Riemannian Hessian as a matrix, in the coordinates of `manifold.tangent_basis(params)`."""
        return Landscape.hessian(self._adapted_outside_jit(params), params)

    def _adapted_outside_jit(self, params: Electrons) -> "Particles":
        # Differentiation hides the numbers from the potential, so a series has to be told its range beforehand.
        return self if isinstance(params.positions, Tracer) else self.adapt(params)

    def charges_of(self, params: Electrons) -> Float[Array, " k"]:
        """The charges a of the electrons, learned or fixed."""
        if params.charges is not None:
            return params.charges
        if self.electron_charges is None:
            raise EarnshawError("the charges of this landscape are learned, so its parameters need charges")
        return self.electron_charges

    def _energy_of_electrons(self, positions: Float[Array, "k d"], charges: Float[Array, " k"]) -> Float[Array, ""]:
        others = jnp.concatenate([charges, 2 * self.charges])
        field = self.potential.surroundings(positions, self.protons) @ others
        diagonal = jnp.broadcast_to(self.regularisation, charges.shape)
        if self.form != "interaction":
            diagonal = diagonal + self.potential.self_energy(positions)
        return charges @ (field + diagonal * charges)

    def _energy_of_protons(self, potential: Potential) -> Float[Array, ""]:
        repulsion = potential.interactions(self.protons) @ self.charges
        return self.charges @ (repulsion + potential.self_energy(self.protons) * self.charges)

    # --- charges -------------------------------------------------------------------------------------------------

    def optimal_charges(
        self, positions: Float[Array, "k d"], among: Bool[Array, " k"] | None = None
    ) -> Float[Array, " k"]:
        """The charges a*(θ) of least loss for given positions: −(G + regularisation·I)⁺ C b.

        G = Φ(θᵢ, θⱼ) and C = Φ(θᵢ, wⱼ). Where G is singular, as for coincident electrons, it is the a* of least norm.
        A minimum exists when G has no negative eigenvalue, hence for every potential that an activation realizes;
        for others the result is only the stationary point. The form "interaction" has no diagonal, is therefore
        never convex in a, and is refused. Electrons that are not `among` the ones to charge have charge 0.

        >>> from earnshaw.duality.radial import Radial
        >>> landscape = Particles(Radial(lambda r: jnp.exp(-r)), [[0.0], [1.0]], learn_charges=True)
        >>> landscape.optimal_charges(jnp.array([[0.0], [1.0]])).round(12).tolist()
        [-1.0, -1.0]
        """
        if self.form == "interaction":
            raise EarnshawError("form='interaction' is not convex in the charges, so it has no optimal ones")
        diagonal = self.potential.self_energy(positions) + self.regularisation
        gram = self.potential.interactions(positions) + jnp.diag(diagonal)
        field = self.potential.matrix(positions, self.protons) @ self.charges
        if among is not None:
            gram, field = jnp.where(among[:, None] & among, gram, 0.0), jnp.where(among, field, 0.0)
        return -jnp.linalg.pinv(gram, hermitian=True) @ field

    def freeze(self, params: Electrons, indices: Any) -> "tuple[Particles, Electrons]":
        """The landscape in which the electrons `indices` stay where `params` has them, and the parameters of the rest.

        `indices` is an integer or several; negative ones count from the end.
        A frozen electron is a proton whose charge is its a. The loss is unchanged, in every form.

        >>> from earnshaw.duality.radial import Radial
        >>> landscape = Particles(Radial(lambda r: jnp.exp(-r)), [[0.0], [1.0]])
        >>> params = Electrons(jnp.array([[0.2], [0.7]]))
        >>> smaller, rest = landscape.freeze(params, 0)
        >>> smaller.protons.shape, rest.positions.shape, bool(jnp.isclose(smaller.loss(rest), landscape.loss(params)))
        ((3, 1), (1, 1), True)
        """
        frozen = self._electron_indices(indices)
        moving = np.setdiff1d(np.arange(self.electrons), frozen)
        if moving.size == 0:
            raise EarnshawError("at least one electron must stay free to move")
        charges = self.charges_of(params)
        smaller = Particles(
            self.potential,
            jnp.concatenate([self.protons, params.positions[frozen]]),
            jnp.concatenate([self.charges, charges[frozen]]),
            electrons=moving.size,
            electron_charges=None if self.electron_charges is None else self.electron_charges[moving],
            learn_charges=self.learn_charges,
            form=self.form,
            regularisation=self.regularisation,
            manifold=self.place,
            start=self.start,
            scale=self.scale,
            parity=self.parity,
            activation=self.activation,
        )
        constant = self.constant + self._energy_of_electrons(params.positions[frozen], charges[frozen])
        rest = Electrons(params.positions[moving], None if params.charges is None else charges[moving])
        return eqx.tree_at(lambda particles: particles.constant, smaller, constant), rest

    def _electron_indices(self, indices: Any) -> np.ndarray:
        array = np.atleast_1d(np.asarray(indices))
        if array.dtype.kind not in "iu" or np.any(array < -self.electrons) or np.any(array >= self.electrons):
            raise EarnshawError(f"indices of electrons are integers from 0 to {self.electrons - 1}, not {indices!r}")
        return np.unique(array % self.electrons)

    # --- starts, symmetry, minimisers ----------------------------------------------------------------------------

    def init(self, key: PRNGKeyArray) -> Electrons:
        """Positions from the start law, projected on the manifold; learned charges as given, or from N(0, 1/k)."""
        positions_key, charges_key = jax.random.split(key)
        shape = (self.electrons, self.protons.shape[1])
        positions = self.place.project(starts.get(self.start)(positions_key, shape, self.scale))
        if not self.learn_charges:
            return Electrons(positions)
        if self.electron_charges is not None:
            return Electrons(positions, self.electron_charges)
        return Electrons(positions, jax.random.normal(charges_key, shape[:1]) / self.electrons**0.5)

    @property
    def place(self) -> Manifold:
        """Where each electron lives: `Euclidean()` or `Sphere()`."""
        assert isinstance(self.manifold, Product)
        return self.manifold.factors.positions

    def canonicalise(self, params: Electrons) -> Electrons:
        """The representative of `params` up to exchanges of electrons of one charge and the sign symmetry of σ."""
        fixed = self.electron_charges if params.charges is None else None
        return canonical(params, self.parity, fixed)

    def minimisers(self) -> tuple[Electrons, ...]:
        """The electrons on top of the protons, with opposite charges; empty when that is not known to be minimal.

        It needs k = K, no regularisation of learned charges, and, for the form "interaction", fixed charges and a
        self-energy that is the same at every point.
        """
        if self.electrons != self.protons.shape[0]:
            return ()
        if self.learn_charges:
            if self.form == "interaction" or self.regularisation > 0:
                return ()
            return (self.canonicalise(Electrons(self.protons, -self.charges)),)
        assert self.electron_charges is not None
        if self.form == "interaction" and not self._self_energy_is_constant():
            return ()
        slots, partners = jnp.argsort(self.electron_charges), jnp.argsort(-self.charges)
        if not bool(jnp.all(self.electron_charges[slots] == -self.charges[partners])):
            return ()
        positions = jnp.zeros_like(self.protons).at[slots].set(self.protons[partners])
        return (self.canonicalise(Electrons(positions)),)

    def _self_energy_is_constant(self) -> bool:
        probes = self.protons
        if isinstance(self.place, Euclidean):
            probes = jnp.concatenate([probes, 2 * probes + 1, jnp.zeros_like(probes[:1])])
        energies = self.potential.self_energy(probes)
        return bool(jnp.allclose(energies, energies[0], rtol=1e-9))

    def adapt(self, params_batch: Electrons) -> "Particles":
        """The same landscape with a potential that is accurate for the largest norm in the batch, if it is a series."""
        potential = self.potential.accurate_at(params_batch.positions, self.protons)
        if potential is self.potential:
            return self
        constant = self.constant
        if self.form == "full":
            constant = constant + self._energy_of_protons(potential) - self._energy_of_protons(self.potential)
        return eqx.tree_at(lambda p: (p.potential, p.constant), self, (potential, constant))
