"""All the forces on one set of points, its own and those of fixed points, differentiated at half the cost."""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero
from jaxtyping import Array, Float

PairFunction = Callable[[Float[Array, "n d"], Float[Array, "m d"]], Float[Array, "n m"]]


def surroundings(pairs: PairFunction, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
    """`pairs(x, [x, y])` for a symmetric `pairs`, with 0 where a point meets itself.

    The differential of M(x, x) is T + Tᵀ with T the differential in the first argument alone, so autodiff goes through
    one argument of one product, where [M(x, x), M(x, y)] written out would take three. The diagonal of `pairs` must be
    finite and smooth, but is not used.

    >>> import jax, jax.numpy as jnp
    >>> x = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    >>> f = lambda x: surroundings(lambda a, b: a @ b.T, x, x[:0]).sum()
    >>> float(f(x)), jax.grad(f)(x).tolist()
    (22.0, [[6.0, 8.0], [2.0, 4.0]])
    """
    return _surroundings(pairs, x, y)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _surroundings(pairs, x, y):
    return _without_diagonal(pairs(x, jnp.concatenate([x, y])))


@partial(_surroundings.defjvp, symbolic_zeros=True)
def _surroundings_jvp(pairs, primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    n = x.shape[0]
    matrix, tangent = pairs(x, jnp.concatenate([x, y])), jnp.zeros((n, n + y.shape[0]), x.dtype)
    if not isinstance(dx, SymbolicZero):
        others = jnp.concatenate([x, y])
        matrix, half = jax.jvp(lambda first: pairs(first, others), (x,), (dx,))
        tangent = half + jnp.concatenate([half[:, :n].T, jnp.zeros_like(half[:, n:])], axis=1)
    if not isinstance(dy, SymbolicZero):
        _, from_y = jax.jvp(lambda second: pairs(x, jnp.concatenate([x, second])), (y,), (dy,))
        tangent = tangent + from_y
    return _without_diagonal(matrix), _without_diagonal(tangent)


def _without_diagonal(matrix: Float[Array, "n m"]) -> Float[Array, "n m"]:
    return jnp.where(jnp.eye(*matrix.shape, dtype=bool), 0.0, matrix)
