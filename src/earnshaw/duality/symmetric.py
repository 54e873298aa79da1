"""A symmetric pair function on one set of points, differentiated at half the cost."""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

PairFunction = Callable[[Float[Array, "n d"], Float[Array, "n d"]], Float[Array, "n n"]]


def symmetric_interactions(pairs: PairFunction, x: Float[Array, "n d"]) -> Float[Array, "n n"]:
    """`pairs(x, x)` without its diagonal, for a symmetric `pairs`.

    The differential of the matrix M(x, x) is T + Tᵀ with T the differential in the first argument alone, so autodiff
    needs to go through one argument only.

    >>> import jax, jax.numpy as jnp
    >>> x = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    >>> f = lambda x: symmetric_interactions(lambda a, b: a @ b.T, x).sum()
    >>> float(f(x)), jax.grad(f)(x).tolist()
    (22.0, [[6.0, 8.0], [2.0, 4.0]])
    """
    return _interactions(pairs, x)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _interactions(pairs, x):
    return _without_diagonal(pairs(x, x))


@_interactions.defjvp
def _interactions_jvp(pairs, primals, tangents):
    (x,), (dx,) = primals, tangents
    matrix, half = jax.jvp(lambda first: pairs(first, x), (x,), (dx,))
    return _without_diagonal(matrix), _without_diagonal(half + half.T)


def _without_diagonal(matrix: Float[Array, "n n"]) -> Float[Array, "n n"]:
    return jnp.where(jnp.eye(matrix.shape[0], dtype=bool), 0.0, matrix)
