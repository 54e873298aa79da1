"""Extreme eigenvalues of a symmetric operator that is only known by what it does to a vector."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

#: A new direction shorter than this, relative to the operator, is rounding: the subspace is invariant.
BREAKDOWN = 1e-13


class Eigenpair(NamedTuple):
    """An approximate eigenvalue λ with its unit vector v, and ‖Av − λv‖.

    Some eigenvalue of A lies within `residual` of `value`.
    """

    value: Float[Array, ""]
    vector: Float[Array, " n"]
    residual: Float[Array, ""]


class _Subspace(NamedTuple):
    """Orthonormal rows and the operator on their span; `size` rows are kept from the last restart."""

    basis: Float[Array, "m n"]
    projected: Float[Array, "m m"]
    alive: Float[Array, " m"]
    size: Int[Array, ""]
    next: Float[Array, " n"]
    pair: Eigenpair
    restarts: Int[Array, ""]


def smallest_eigenpair(
    matvec: Callable[[Float[Array, " n"]], Float[Array, " n"]],
    start: Float[Array, " n"],
    *,
    subspace: int = 40,
    restarts: int = 50,
    tolerance: float = 1e-10,
) -> Eigenpair:
    """The smallest eigenvalue of a symmetric operator by the Lanczos method, with full reorthogonalisation.

    `start` should be random. If it lies in an invariant subspace, such as the tangent space of a manifold, the search
    stays in it and the answer is that of the operator on the subspace. Every cycle makes at most `subspace` products;
    the best vectors are kept for the next (thick restart), until ‖Av − λv‖ ≤ tolerance·‖A‖ or `restarts` is exhausted.
    Either way the residual says how near to an eigenvalue the value is; that the eigenvalue is the smallest is as
    certain as that the start has a component along its vector. A zero `start` has no eigenvalue: all results are NaN.

    >>> pair = smallest_eigenpair(lambda v: jnp.array([3.0, -1.0, 2.0]) * v, jnp.ones(3))
    >>> pair.value.round(12).item(), bool(pair.residual < 1e-12)
    (-1.0, True)
    """
    n = start.size
    room = min(subspace, n)
    kept = max(room // 2, 1)

    def cycle(now: _Subspace) -> _Subspace:
        now = _fill(matvec, now, room)
        values, vectors = _ritz(now)
        best = vectors[:, 0] @ now.basis
        best = best / jnp.where(jnp.any(best != 0), jnp.linalg.norm(best), 1.0)
        image = matvec(best)
        value = best @ image
        pair = Eigenpair(value, best, jnp.linalg.norm(image - value * best))
        # The Ritz vectors of the smallest values, and the direction in which the subspace was about to grow.
        keep = (jnp.arange(room) < kept)[:, None]
        basis = jnp.where(keep, vectors.T @ now.basis, 0.0)
        projected = jnp.where(keep & keep.T, jnp.diag(values), 0.0)
        alive = jnp.where(keep[:, 0], _alive_first(now), 0.0)
        return _Subspace(basis, projected, alive, jnp.asarray(kept), now.next, pair, now.restarts + 1)

    def unfinished(now: _Subspace) -> Array:
        scale = jnp.max(jnp.abs(jnp.diag(now.projected)))
        exhausted = ~jnp.any(now.next != 0)
        small = now.pair.residual <= tolerance * scale
        return (now.restarts < restarts) & ~small & ~exhausted

    length = jnp.linalg.norm(start)
    unit = start / jnp.where(length > 0, length, 1.0)
    nothing = Eigenpair(jnp.asarray(jnp.nan), jnp.full(n, jnp.nan), jnp.asarray(jnp.nan))
    first = _Subspace(
        basis=jnp.zeros((room, n), unit.dtype),
        projected=jnp.zeros((room, room), unit.dtype),
        alive=jnp.zeros(room, unit.dtype),
        size=jnp.asarray(0),
        next=unit,
        pair=Eigenpair(jnp.zeros(()), jnp.zeros(n), jnp.asarray(jnp.inf)),
        restarts=jnp.asarray(0),
    )
    pair = jax.lax.while_loop(unfinished, cycle, cycle(first)).pair
    return jax.tree.map(lambda found, none: jnp.where(length > 0, found, none), pair, nothing)


def largest_eigenpair(
    matvec: Callable[[Float[Array, " n"]], Float[Array, " n"]],
    start: Float[Array, " n"],
    *,
    subspace: int = 40,
    restarts: int = 50,
    tolerance: float = 1e-10,
) -> Eigenpair:
    """The largest eigenvalue: minus the smallest of −A. See `smallest_eigenpair`.

    >>> largest_eigenpair(lambda v: jnp.array([3.0, -1.0, 2.0]) * v, jnp.ones(3)).value.round(12).item()
    3.0
    """
    pair = smallest_eigenpair(lambda v: -matvec(v), start, subspace=subspace, restarts=restarts, tolerance=tolerance)
    return Eigenpair(-pair.value, pair.vector, pair.residual)


def _fill(matvec: Callable[[Float[Array, " n"]], Float[Array, " n"]], now: _Subspace, room: int) -> _Subspace:
    """Let the subspace grow by products with the operator until all its rows are used."""

    def grow(j: Array, carry: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        basis, projected, alive, direction = carry
        basis = basis.at[j].set(direction)
        alive = alive.at[j].set(jnp.any(direction != 0).astype(alive.dtype))
        image = matvec(direction)
        coefficients = basis @ image
        projected = projected.at[:, j].set(coefficients).at[j, :].set(coefficients)
        remainder = image - coefficients @ basis
        # One pass of Gram-Schmidt leaves rounding errors that grow from step to step; two do not.
        remainder = remainder - (basis @ remainder) @ basis
        length = jnp.linalg.norm(remainder)
        scale = jnp.maximum(jnp.linalg.norm(image), jnp.max(jnp.abs(projected)))
        broken = length <= BREAKDOWN * scale
        direction = jnp.where(broken, 0.0, remainder / jnp.where(broken, 1.0, length))
        return basis, projected, alive, direction

    carry = (now.basis, now.projected, now.alive, now.next)
    basis, projected, alive, direction = jax.lax.fori_loop(now.size, room, grow, carry)
    return now._replace(basis=basis, projected=projected, alive=alive, next=direction)


def _ritz(now: _Subspace) -> tuple[Float[Array, " m"], Float[Array, "m m"]]:
    """Eigenvalues in rising order and eigenvectors of the projected operator; unused rows come last."""
    # Above all eigenvalues, by Gershgorin; unused rows are zero outside the diagonal.
    bound = 1 + 2 * jnp.max(jnp.sum(jnp.abs(now.projected), axis=1))
    return jnp.linalg.eigh(now.projected + jnp.diag((1 - now.alive) * bound))


def _alive_first(now: _Subspace) -> Float[Array, " m"]:
    # As many of the Ritz vectors are real as rows were used, and they come first.
    return (jnp.arange(now.alive.size) < jnp.sum(now.alive)).astype(now.alive.dtype)
