"""The direction in which a loss curves down most, computed only for the starts that ask."""

from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, PyTree

from earnshaw.landscapes.landscape import Landscape
from earnshaw.numerics.lanczos import Eigenpair, smallest_eigenpair

#: Up to so many parameters the whole Hessian is decomposed, which is faster there than iterating.
DENSE = 64

T = TypeVar("T")


def least_curvature(landscape: Landscape, params: PyTree) -> Eigenpair:
    """The smallest eigenvalue of the Riemannian Hessian at `params`, and its unit vector in the ambient coordinates.

    The vector is flat, in the order of `ravel_pytree`, and its largest entry in absolute value is positive.

    >>> from earnshaw.landscapes import DoubleWell
    >>> pair = least_curvature(DoubleWell(2), jnp.zeros(2))
    >>> pair.value.item(), pair.vector.tolist()
    (-1.0, [1.0, 0.0])
    """
    flat, unravel = ravel_pytree(params)
    if flat.size <= DENSE:
        matrix = landscape.hessian(params)
        values, vectors = jnp.linalg.eigh(matrix)
        residual = jnp.linalg.norm(matrix @ vectors[:, 0] - values[0] * vectors[:, 0])
        pair = Eigenpair(values[0], landscape.manifold.tangent_basis(params) @ vectors[:, 0], residual)
    else:
        tangent = landscape.manifold.to_tangent

        def matvec(v: Float[Array, " n"]) -> Float[Array, " n"]:
            # Projected after the product too, or rounding would slowly leave the tangent space.
            return ravel_pytree(tangent(params, landscape.hvp(params, unravel(v))))[0]

        random = jax.random.normal(jax.random.key(0), flat.shape)
        pair = smallest_eigenpair(matvec, ravel_pytree(tangent(params, unravel(random)))[0])
    largest = pair.vector[jnp.argmax(jnp.abs(pair.vector))]
    return pair._replace(vector=jnp.where(largest < 0, -pair.vector, pair.vector))


def only_if(needed: bool | Bool[Array, ""], compute: Callable[[], T]) -> T:
    """`compute()` where it is needed, and zeros elsewhere.

    In a batch nothing is computed unless some member needs it, whereas `lax.cond` would become a selection between
    two computed branches.

    >>> only_if(False, lambda: jnp.ones(2)).tolist()
    [0.0, 0.0]
    """
    nothing: Any = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), jax.eval_shape(compute))
    first = (nothing, jnp.asarray(needed, bool))
    return jax.lax.while_loop(lambda carry: carry[1], lambda carry: (compute(), jnp.zeros_like(carry[1])), first)[0]
