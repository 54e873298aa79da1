r"""Local minima of a loss with kinks: the potential falls like Φ(0) − m·s at a small distance s from coincidence.

An electron on a proton sits in a kink, where no Hessian decides. What does, for the electrons i on proton j with
charges of one sign, is the slope of L when electron i moves off by s: 2|aᵢ|·cᵢ·s + o(s), with

    cᵢ = m·|aᵢ| − m·sgn(aᵢ)·nⱼ − ‖gⱼ‖,   nⱼ = bⱼ + Σ aᵢ over the electrons on j,

and gⱼ the gradient at wⱼ of the field of all other particles. If every cᵢ > 0, and L is at a minimum in everything else
(free electrons, and charges up to exchanges of charge on one proton, which change nothing) with a positive Hessian, the
point is a local minimum: two electrons on one proton may move off together, but for charges of one sign that costs more
than the sum of what each costs.
"""

from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Float, Int

from earnshaw.geometry import Sphere
from earnshaw.landscapes import Electrons, Particles

#: The labels: at the global minimum; local minima with several electrons on one proton, or with all places different;
#: and what is none of them as far as one can see.
GLOBAL, SHARED, SEPARATE, UNDECIDED = LABELS = ("global", "shared", "separate", "undecided")
NEWTON_STEPS = 12
#: A gradient below this is 0, a curvature or slope above this positive, a charge above this not 0.
AT_REST, POSITIVE, CHARGED = 1e-9, 1e-6, 1e-3


@dataclass(frozen=True)
class Kinked:
    """A point and the evidence that it is a local minimum or not."""

    label: str
    reason: str
    positions: Float[np.ndarray, "k d"]
    charges: Float[np.ndarray, " k"]
    site: Int[np.ndarray, " k"]
    """The proton on which each electron sits, −1 for free ones."""
    loss: float
    gradient_norm: float
    smallest: float
    """The smallest eigenvalue of the Hessian in all smooth directions; infinite where there is none."""
    slope: float
    """The least cᵢ; infinite where no electron is on a proton."""

    @property
    def spurious(self) -> bool:
        """Whether it is a local minimum that is not global."""
        return self.label in (SHARED, SEPARATE)

    def evidence(self) -> dict[str, Any]:
        """What a counterexample stores."""
        return {
            "electrons": self.positions,
            "electron charges": self.charges,
            "proton of each electron": self.site,
            "loss": self.loss,
            "gradient norm": self.gradient_norm,
            "smallest eigenvalue in smooth directions": self.smallest,
            "least slope out of a kink": self.slope,
            "kind": self.label,
        }


def settle(landscape: Particles, ends: Electrons, *, slope: float, snap: float = 0.02) -> list[Kinked]:
    """Put electrons within `snap` of a proton on it, let the rest converge by Newton's method, and judge each point.

    `slope` is the m of the potential. `ends` is a batch, with charges if those are learned.

    >>> from earnshaw.duality.radial import Radial
    >>> landscape = Particles(Radial(lambda r: -r, label="attraction"), [[0.0], [3.0]], form="interaction")
    >>> [one.label for one in settle(landscape, Electrons(jnp.array([[[3.01], [0.0]], [[0.0], [0.0]]])), slope=1.0)]
    ['global', 'undecided']
    """
    positions = np.array(ends.positions)
    learned = ends.charges is not None
    fixed = np.asarray(landscape.electron_charges) if not learned else np.zeros(landscape.electrons)
    charges = np.array(ends.charges) if ends.charges is not None else np.tile(fixed, (len(positions), 1))
    protons = np.asarray(landscape.protons)
    site = np.full(charges.shape, -1)
    for n in range(len(positions)):
        site[n] = _put_on_protons(positions[n], charges[n], protons, snap, landscape.parity == "odd" and learned)
    start = positions.copy()
    for _ in range(NEWTON_STEPS):
        gradient, hessian = _derivatives(landscape, positions, charges if learned else None)
        for n in range(len(positions)):
            _newton(positions[n], charges[n], site[n], gradient[n], hessian[n], landscape, learned)
    gradient, hessian = _derivatives(landscape, positions, charges if learned else None)
    losses = np.asarray(_losses(landscape, jnp.asarray(positions), jnp.asarray(charges)))
    return [
        _judge(landscape, positions[n], charges[n], site[n], gradient[n], hessian[n], float(losses[n]), slope,
               float(np.max(np.linalg.norm(positions[n] - start[n], axis=1))), snap, learned)
        for n in range(len(positions))
    ]  # fmt: skip


def _put_on_protons(positions: Any, charges: Any, protons: Any, snap: float, odd: bool) -> Int[np.ndarray, " k"]:
    """Move electrons that are near a proton onto it, in place; for an odd unit −w is w with the opposite charge."""
    site = np.full(len(positions), -1)
    for i in range(len(positions)):
        for sign in (1.0, -1.0) if odd else (1.0,):
            distances = np.linalg.norm(sign * positions[i] - protons, axis=1)
            nearest = int(np.argmin(distances))
            if distances[nearest] <= snap:
                positions[i], charges[i], site[i] = protons[nearest], sign * charges[i], nearest
                break
    return site


def _basis(positions: Any, site: Any, on_sphere: bool, learned: bool) -> Float[np.ndarray, "n m"]:
    """Orthonormal directions in which L is smooth: free electrons, their charges, and the sum of those on a proton."""
    k, d = positions.shape
    columns = []
    for i in np.flatnonzero(site < 0):
        own = np.linalg.svd(positions[i][None])[2][1:] if on_sphere else np.eye(d)
        block = np.zeros((k * d + k * learned, len(own)))
        block[i * d : (i + 1) * d] = own.T
        columns.append(block)
    if learned:
        for members in [[i] for i in np.flatnonzero(site < 0)] + [
            np.flatnonzero(site == j) for j in np.unique(site[site >= 0])
        ]:
            block = np.zeros((k * d + k, 1))
            block[k * d + np.asarray(members)] = 1 / np.sqrt(len(members))
            columns.append(block)
    return np.concatenate(columns, axis=1) if columns else np.zeros((k * d + k * learned, 0))


def _newton(
    positions: Any, charges: Any, site: Any, gradient: Any, hessian: Any, landscape: Particles, learned: bool
) -> None:
    """One step of Newton's method in the smooth directions, no longer than 0.1, in place."""
    k, d = positions.shape
    on_sphere = isinstance(landscape.place, Sphere)
    basis = _basis(positions, site, on_sphere, learned)
    if not basis.shape[1] or not (np.all(np.isfinite(hessian)) and np.all(np.isfinite(gradient))):
        return
    values, vectors = np.linalg.eigh(basis.T @ hessian @ basis)
    along = vectors.T @ (basis.T @ gradient)
    step = basis @ (vectors @ np.where(np.abs(values) > 1e-10, -along / np.where(values == 0, 1.0, values), 0.0))
    step *= min(1.0, 0.1 / max(float(np.linalg.norm(step)), 1e-300))
    positions += step[: k * d].reshape(k, d)
    if on_sphere:
        positions /= np.linalg.norm(positions, axis=1, keepdims=True)
    if learned:
        charges += step[k * d :]


def _judge(
    landscape: Particles,
    positions: Any,
    charges: Any,
    site: Any,
    gradient: Any,
    hessian: Any,
    loss: float,
    slope: float,
    moved: float,
    snap: float,
    learned: bool,
) -> Kinked:
    k, d = positions.shape
    basis = _basis(positions, site, isinstance(landscape.place, Sphere), learned)
    rest = float(np.linalg.norm(basis.T @ gradient))
    smallest = float(np.linalg.eigvalsh(basis.T @ hessian @ basis)[0]) if basis.shape[1] else np.inf
    occupied = site[site >= 0]
    distinct = len(np.unique(occupied)) == len(occupied)
    least, opposed = np.inf, False
    for i in np.flatnonzero(site >= 0):
        here = site == site[i]
        net = float(landscape.charges[site[i]]) + float(np.sum(charges[here]))
        field = float(np.linalg.norm(gradient[i * d : (i + 1) * d])) / max(2 * abs(charges[i]), 1e-300)
        least = min(least, slope * abs(charges[i]) - slope * np.sign(charges[i]) * net - field)
        opposed |= bool(np.any(charges[here] * charges[i] < 0))
    is_global = len(occupied) == k == len(landscape.protons) and distinct
    is_global = is_global and float(np.max(np.abs(charges + np.asarray(landscape.charges)[site]))) < POSITIVE
    reasons = {
        "it is not at rest": not rest <= AT_REST * max(1.0, float(np.max(np.abs(charges)))),
        "it went away while it converged": moved > 5 * snap,
        "electrons meet off the protons": _meet(positions[site < 0], snap, landscape.parity == "odd"),
        "a charge is near 0": bool(np.any(np.abs(charges) < CHARGED)),
        "opposite electrons are on one proton": opposed,
        "a curvature is not positive": not smallest > POSITIVE,
        "an electron can leave its proton": not least > POSITIVE,
    }
    reason = "" if is_global else next((text for text, there in reasons.items() if there), "")
    label = GLOBAL if is_global else UNDECIDED if reason else SEPARATE if distinct else SHARED
    return Kinked(label, reason, positions, charges, site, loss, rest, smallest, float(least))


def _meet(free: Any, snap: float, odd: bool) -> bool:
    """Whether two free electrons are on one place, or opposite for an odd unit."""
    for i in range(len(free)):
        for other in free[:i]:
            apart = np.linalg.norm(free[i] - other)
            if min(apart, np.linalg.norm(free[i] + other) if odd else apart) <= snap:
                return True
    return False


def _derivatives(landscape: Particles, positions: Any, charges: Any) -> tuple[np.ndarray, np.ndarray]:
    own = None if charges is None else jnp.asarray(charges)
    gradient, hessian = _all_derivatives(landscape, Electrons(jnp.asarray(positions), own))
    return np.asarray(gradient), np.asarray(hessian)


@eqx.filter_jit
def _all_derivatives(landscape: Particles, points: Electrons) -> Any:
    """Riemannian gradients and Hessians in ambient coordinates, flat."""

    def one(params):
        flat, unravel = ravel_pytree(params)
        gradient = ravel_pytree(landscape.gradient(params))[0]
        columns = jax.vmap(lambda v: ravel_pytree(landscape.hvp(params, unravel(v)))[0])(jnp.eye(flat.size))
        return gradient, (columns + columns.T) / 2

    return jax.vmap(one)(points)


@eqx.filter_jit
def _losses(landscape: Particles, positions: Any, charges: Any) -> Any:
    return jax.vmap(landscape.energy)(positions, charges)
