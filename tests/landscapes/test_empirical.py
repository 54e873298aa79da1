"""The training loss on finite data: its value, its blocks, and its limit."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Empirical, Particles, truncated_gaussian

RNG = np.random.default_rng(0)
INPUTS, TARGETS = RNG.normal(size=(11, 3)), RNG.normal(size=11)


def network(params, x):
    return params["outputs"] @ jnp.tanh(params["weights"] @ x)


def start(key):
    outputs, weights = jax.random.split(key)
    return {"outputs": jax.random.normal(outputs, (4,)), "weights": jax.random.normal(weights, (4, 3))}


def by_hand(params, weights):
    predictions = np.tanh(INPUTS @ np.asarray(params["weights"]).T) @ np.asarray(params["outputs"])
    return np.sum(weights * (predictions - TARGETS) ** 2)


def test_loss_is_the_mean_squared_error():
    params = start(jax.random.key(0))
    uniform = by_hand(params, 1 / 11)
    np.testing.assert_allclose(Empirical(network, INPUTS, TARGETS, init=start).loss(params), uniform, rtol=1e-13)
    halved = Empirical(network, INPUTS, TARGETS, init=start, half=True)
    np.testing.assert_allclose(halved.loss(params), uniform / 2, rtol=1e-13)
    weights = np.arange(11.0)
    weighted = Empirical(network, INPUTS, TARGETS, init=start, weights=weights)
    np.testing.assert_allclose(weighted.loss(params), by_hand(params, weights / weights.sum()), rtol=1e-13)


@pytest.mark.parametrize("batch_size", [1, 4, 11, 100])
def test_blocks_change_nothing(batch_size):
    params = start(jax.random.key(1))
    whole = Empirical(network, INPUTS, TARGETS, init=start)
    blocks = Empirical(network, INPUTS, TARGETS, init=start, batch_size=batch_size)
    direction = start(jax.random.key(2))
    both = [
        eqx.filter_jit(lambda p, v, e=e: (*e.value_and_gradient(p), e.hvp(p, v), e.predictions(p)))(params, direction)
        for e in (whole, blocks)
    ]
    np.testing.assert_allclose(ravel_pytree(both[1])[0], ravel_pytree(both[0])[0], rtol=1e-11, atol=1e-13)


def test_memory_of_a_gradient_is_bounded_by_the_block():
    inputs = np.ones((4096, 3))

    def temporary_bytes(batch_size):
        landscape = Empirical(network, inputs, np.ones(4096), init=start, batch_size=batch_size)
        compiled = jax.jit(lambda p: landscape.value_and_gradient(p)).lower(start(jax.random.key(0))).compile()
        return compiled.memory_analysis().temp_size_in_bytes

    assert temporary_bytes(64) < temporary_bytes(None) / 2


def test_vector_outputs_add_up():
    def pair(w, x):
        return jnp.stack([w @ x, 2 * w @ x])

    targets = RNG.normal(size=(11, 2))
    w = jnp.array([0.3, -1.0, 0.5])
    for batch_size in (None, 3):
        landscape = Empirical(pair, INPUTS, targets, init=lambda key: w, batch_size=batch_size)
        expected = np.sum((INPUTS @ np.outer(w, [1, 2]) - targets) ** 2) / 11
        np.testing.assert_allclose(landscape.loss(w), expected, rtol=1e-13)
        assert landscape.predictions(w).shape == (11, 2)


def test_teacher_is_a_minimiser_without_noise_only():
    teacher = start(jax.random.key(3))
    exact = Empirical.from_teacher(network, teacher, INPUTS, init=start, half=True, batch_size=4)
    (minimiser,) = exact.minimisers()
    assert exact.loss(minimiser) == 0
    noisy = Empirical.from_teacher(network, teacher, INPUTS, init=start, noise=0.5, key=jax.random.key(0))
    assert noisy.minimisers() == ()
    assert Empirical(network, INPUTS, TARGETS, init=start).minimisers() == ()
    np.testing.assert_allclose(noisy.loss(teacher), 0.25, rtol=0.8)


def test_empirical_loss_tends_to_the_population_loss():
    """Within 5 standard errors, on truncated inputs whose ball holds all but 1e-9 of the mass."""
    w, theta = np.eye(2), jnp.array([[0.5, 0.1], [0.2, -0.9]])
    population = Particles.teacher_student("relu", w)
    inputs = truncated_gaussian(jax.random.key(0), 100_000, 2, 6.5)

    def relus(weights, x):
        return jnp.sum(jnp.maximum(weights @ x, 0))

    landscape = Empirical.from_teacher(relus, jnp.asarray(w), inputs, init=lambda key: theta)
    errors = np.asarray(landscape.predictions(theta) - landscape.targets) ** 2
    expected = population.loss(population.init(jax.random.key(0))._replace(positions=theta))
    assert abs(landscape.loss(theta) - expected) < 5 * errors.std() / np.sqrt(errors.size)


def test_starts_are_projected_on_the_manifold_and_a_module_may_be_the_function():
    class Line(eqx.Module):
        offset: jax.Array

        def __call__(self, w, x):
            return w @ x + self.offset

    landscape = Empirical(Line(jnp.array(1.0)), INPUTS, TARGETS, init=lambda key: jnp.ones(3), manifold=Sphere())
    w = landscape.init(jax.random.key(0))
    np.testing.assert_allclose(w, np.ones(3) / np.sqrt(3))
    assert abs(landscape.gradient(w) @ w) < 1e-14
    value = eqx.filter_jit(lambda landscape, w: landscape.loss(w))(landscape, w)
    np.testing.assert_allclose(value, np.mean((INPUTS @ np.asarray(w) + 1 - TARGETS) ** 2), rtol=1e-13)


def test_landscapes_pass_through_plain_jit_as_arguments():
    landscape = Empirical(network, INPUTS, TARGETS, init=start, batch_size=4)
    params = start(jax.random.key(0))
    np.testing.assert_allclose(jax.jit(lambda e, p: e.loss(p))(landscape, params), landscape.loss(params), rtol=1e-13)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Empirical(None, INPUTS, TARGETS, init=start), "fn must be a function"),
        (lambda: Empirical(network, INPUTS, TARGETS, init=3), "init must be a function"),
        (lambda: Empirical(network, INPUTS, TARGETS[:5], init=start), "11 inputs but 5 targets"),
        (lambda: Empirical(network, INPUTS * np.nan, TARGETS, init=start), "inputs must be finite"),
        (lambda: Empirical(network, 1.0, TARGETS, init=start), "inputs must be an array"),
        (lambda: Empirical(network, INPUTS[:0], TARGETS[:0], init=start), "must not be empty"),
        (lambda: Empirical(network, INPUTS, TARGETS[:, None], init=start), "must return an array of shape"),
        (lambda: Empirical(network, INPUTS, TARGETS, init=start, weights=[1.0]), "weights of 11 examples"),
        (lambda: Empirical(network, INPUTS, TARGETS, init=start, weights=-np.ones(11)), "must not be negative"),
        (lambda: Empirical(network, INPUTS, TARGETS, init=start, weights=np.zeros(11)), "not all zero"),
        (lambda: Empirical(network, INPUTS, TARGETS, init=start, batch_size=0), "positive integer"),
        (lambda: Empirical.from_teacher(network, start(jax.random.key(0)), INPUTS, init=start, noise=1.0), "a key"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(make, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        make()
