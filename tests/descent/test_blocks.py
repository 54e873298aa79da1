import jax
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.descent.blocks import SIZES, Block, best_size, cut, gather, sizes


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 10**6))
def test_there_are_few_sizes_and_each_is_at_least_one(numbers):
    candidates = sizes(numbers)
    assert 1 <= len(candidates) <= SIZES
    assert all(size >= 1 for size in candidates)
    assert list(candidates) == sorted(candidates, reverse=True)


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 3000), st.integers(1, 5000))
def test_the_best_size_is_one_of_the_candidates_and_wastes_little(running, numbers):
    candidates = sizes(numbers)
    size = best_size(running, numbers, candidates)
    assert size in candidates
    lanes = -(-running // size) * size
    assert lanes - running < max(candidates)


@settings(deadline=None, derandomize=True, max_examples=20)
@given(st.integers(1, 40), st.sampled_from([1, 4, 16]))
def test_cutting_and_gathering_loses_nothing(count, size):
    batch = {"x": np.random.default_rng(count).normal(size=(count, 3)), "y": np.arange(count)}
    index = np.arange(count)[::-1]
    blocks = cut(index, batch, size)
    assert all(len(jax.tree.leaves(b.lanes)[0]) == size for b in blocks)
    back, again = gather(blocks)
    np.testing.assert_array_equal(back, index)
    jax.tree.map(np.testing.assert_array_equal, again, batch)


def test_random_keys_survive_the_host():
    keys = jax.random.split(jax.random.key(3), 5)
    index, host = gather([Block(np.arange(5), keys)])
    (block,) = cut(index, host, 8)
    assert jax.random.key_data(block.lanes)[:5].tolist() == jax.random.key_data(keys).tolist()
