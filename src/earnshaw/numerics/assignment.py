"""The cheapest way to pair two sets, inside jit."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


def cheapest_assignment(cost: Float[Array, "n m"]) -> Int[Array, " n"]:
    """For each of n rows a column of its own (n ≤ m), with the least sum of costs.

    Shortest augmenting paths with potentials (the Hungarian method), n·m² operations in all. Costs that are not
    finite count as larger than all others, so a result is always an injection.

    >>> cheapest_assignment(jnp.array([[1.0, 2.0], [0.0, 9.0]])).tolist()
    [1, 0]
    """
    n, m = cost.shape
    if n > m:
        raise ValueError(f"there are more rows ({n}) than columns ({m})")
    finite = jnp.isfinite(cost)
    largest = jnp.max(jnp.where(finite, jnp.abs(cost), 0.0))
    cost = jnp.where(finite, cost, (2 * n + 1) * (largest + 1))
    # Column m is a waiting room for the row that is being placed; owner n means that a column is free.
    padded = jnp.concatenate([cost, jnp.zeros((n, 1))], axis=1)

    def place(row: Array, carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        owner, of_row, of_column = carry
        owner = owner.at[m].set(row)

        def reach_on(search: tuple[Array, ...]) -> tuple[Array, ...]:
            column, used, distance, previous, of_row, of_column = search
            used = used.at[column].set(True)
            here = owner[column]
            reduced = padded[here] - of_row[here] - of_column
            nearer = ~used & (reduced < distance)
            distance = jnp.where(nearer, reduced, distance)
            previous = jnp.where(nearer, column, previous)
            following = jnp.argmin(jnp.where(used, jnp.inf, distance))
            step = distance[following]
            # Rows already in the tree are the owners of used columns.
            of_row = of_row.at[jnp.where(used, owner, n)].add(jnp.where(used, step, 0.0))
            of_column = jnp.where(used, of_column - step, of_column)
            return following, used, jnp.where(used, distance, distance - step), previous, of_row, of_column

        searched = jax.lax.while_loop(
            lambda search: owner[search[0]] != n,
            reach_on,
            (
                jnp.asarray(m),
                jnp.zeros(m + 1, bool),
                jnp.full(m + 1, jnp.inf).at[m].set(jnp.inf),
                jnp.full(m + 1, m),
                of_row,
                of_column,
            ),
        )
        column, _, _, previous, of_row, of_column = searched
        _, owner = jax.lax.while_loop(
            lambda path: path[0] != m,
            lambda path: (previous[path[0]], path[1].at[path[0]].set(path[1][previous[path[0]]])),
            (column, owner),
        )
        return owner, of_row, of_column

    start = (jnp.full(m + 1, n), jnp.zeros(n + 1), jnp.zeros(m + 1))
    owner, _, _ = jax.lax.fori_loop(0, n, place, start)
    return jnp.zeros(n + 1, owner.dtype).at[owner[:m]].set(jnp.arange(m))[:n]
