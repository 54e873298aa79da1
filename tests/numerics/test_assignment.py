from itertools import permutations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from earnshaw.numerics.assignment import cheapest_assignment

solve = jax.jit(cheapest_assignment)


@settings(deadline=None, derandomize=True)
@given(arrays(float, (4, 4), elements=st.floats(-100, 100) | st.integers(-2, 2).map(float)))
def test_no_permutation_is_cheaper(cost):
    chosen = np.asarray(solve(cost))
    assert sorted(chosen) == [0, 1, 2, 3]
    least = min(sum(cost[i, p[i]] for i in range(4)) for p in permutations(range(4)))
    assert cost[np.arange(4), chosen].sum() <= least + 1e-9


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (7, 11), (30, 30)])
def test_it_agrees_with_scipy(shape):
    costs = np.random.default_rng(0).normal(size=(10, *shape))
    chosen = np.asarray(jax.jit(jax.vmap(cheapest_assignment))(costs))
    for cost, columns in zip(costs, chosen, strict=True):
        assert len(set(columns)) == shape[0]
        assert cost[np.arange(shape[0]), columns].sum() == pytest.approx(cost[linear_sum_assignment(cost)].sum())


def test_what_is_not_finite_is_taken_only_where_it_must_be():
    cost = jnp.array([[jnp.nan, 1.0, 5.0], [jnp.inf, jnp.inf, jnp.inf], [0.0, 2.0, -jnp.inf]])
    assert solve(cost).tolist() == [1, 2, 0]


def test_more_rows_than_columns_are_refused():
    with pytest.raises(ValueError, match="more rows"):
        cheapest_assignment(jnp.ones((3, 2)))
