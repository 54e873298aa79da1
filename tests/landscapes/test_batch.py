"""Gradients of many parameters at once: the same as one by one, whatever the threads."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles, gradients, values_and_gradients


@pytest.fixture(scope="module")
def landscape():
    return Particles.teacher_student("relu", jnp.eye(3), width=4, learn_outputs=True)


@pytest.mark.parametrize("count", [1, 5, 37])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_agrees_with_its_members(landscape, count, threads):
    batch = jax.vmap(landscape.init)(jax.random.split(jax.random.key(0), count))
    values, slopes = values_and_gradients(landscape, batch, threads=threads)
    one = jax.jit(lambda params: landscape.value_and_gradient(params))
    for i in range(count):
        value, slope = one(jax.tree.map(lambda x, i=i: x[i], batch))
        assert float(values[i]) == pytest.approx(float(value), rel=1e-13)
        assert np.allclose(slopes.positions[i], slope.positions, rtol=1e-12, atol=1e-14)
        assert np.allclose(slopes.charges[i], slope.charges, rtol=1e-12, atol=1e-14)
    alone = gradients(landscape, batch, threads=threads)
    assert np.allclose(alone.positions, slopes.positions, rtol=1e-12, atol=1e-14)


def test_the_number_of_threads_changes_no_bit(landscape):
    batch = jax.vmap(landscape.init)(jax.random.split(jax.random.key(1), 50))
    first, second = (gradients(landscape, batch, threads=n).positions for n in (1, 2))
    assert np.array_equal(first, second)


def test_a_series_is_made_accurate_for_the_batch():
    landscape = Particles.teacher_student("softplus", 0.5 * jnp.eye(2))
    far = Electrons(3.0 * jnp.ones((2, 2, 2)))
    assert np.all(np.isfinite(gradients(landscape, far).positions))


def test_ragged_and_empty_batches_are_refused(landscape):
    for batch in (
        Electrons(jnp.zeros((0, 4, 3)), jnp.zeros((0, 4))),
        Electrons(jnp.zeros((2, 4, 3)), jnp.zeros((3, 4))),
    ):
        with pytest.raises(EarnshawError, match="leading axis"):
            gradients(landscape, batch)
