"""Kernels of infinite width against networks of finite width, which are written from the definitions alone."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import finite
from earnshaw.kernels import ConvResNet, Dense, ResNet, c_sigma, kernel, layers

NETS = {
    "dense": Dense("softplus", 3),
    "dense-ntk": Dense("tanh", 2, "ntk", 1.4, 0.3),
    "resnet": ResNet("softplus", 3, c_res=0.9),
    "resnet-ntk": ResNet("relu", 3, "ntk", 1.2, 0.2, c_res=0.9),
    "conv": ConvResNet("softplus", 3, c_res=0.9),
    "conv-ntk": ConvResNet("softplus", 2, "ntk", 1.3, 0.2, c_res=0.9, patch=2),
    "conv-stride": ConvResNet("tanh", 3, c_res=0.9, patch=(3, 2), stride=2),
}


def images(name):
    rng = np.random.default_rng(0)
    if name == "conv-stride":
        x = rng.normal(size=(3, 2, 4, 3))
    elif name.startswith("conv"):
        x = rng.normal(size=(3, 2, 5))
    else:
        x = rng.normal(size=(3, 4))
    return (
        x
        / np.sqrt(np.sum(x**2, axis=tuple(range(1, x.ndim)), keepdims=True))
        * np.array([1.0, 1.3, 0.8]).reshape(-1, *[1] * (x.ndim - 1))
    )


#: Each network compiles for seconds.
FAST = ("resnet", "conv")


@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in NETS]
)
def test_every_layers_kernel_is_the_limit_of_the_gram_matrices(name):
    net, x, width, draws = NETS[name], images(name), 128, 64
    factor = c_sigma(net.activation)
    sample = jax.jit(lambda keys: jax.lax.map(lambda key: finite.gram_matrices(net, key, x, width, factor), keys))
    seen = np.asarray(sample(jax.random.split(jax.random.key(1), draws)))
    limit = layers(x, net).tangents
    error = seen.std(axis=0, ddof=1) / np.sqrt(draws)
    # at a finite width the mean is off by O(1/m)
    assert np.all(np.abs(seen.mean(axis=0) - limit) < 4.5 * error + 3 / width * np.abs(limit))


@pytest.mark.parametrize("name", ["dense-ntk", "conv-stride"])
def test_kernels_are_sums_of_the_shares_of_layers(name):
    net, x = NETS[name], images(name)
    shares = layers(x, net).tangents
    np.testing.assert_allclose(kernel(x, net).values, shares.sum(axis=0), rtol=1e-12)
    for which, h in (("nngp", net.depth), ("last-layer", net.depth - 1), (1, 0)):
        np.testing.assert_allclose(kernel(x, net, which=which).values, shares[h], rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resnet", "conv", "conv-stride"])
def test_covariances_and_means_are_the_limits_of_those_of_the_features(name):
    net, x, width, draws = NETS[name], images(name), 512, 24
    factor = c_sigma(net.activation)

    def one(key):
        params = finite.draw(key, net, x, width)
        return jnp.stack(jax.vmap(lambda row: finite.features(net, params, row, width, factor))(jnp.asarray(x)))

    seen = np.asarray(jax.jit(lambda keys: jax.lax.map(one, keys))(jax.random.split(jax.random.key(2), draws)))
    found = layers(x, net)
    means = seen.mean(axis=3)
    for h, b in enumerate(found.means):
        near(means[:, h].reshape(draws, *b.shape), b, width)
    shape = finite.sizes(net, x)
    for h in range(1, net.depth):
        # K^(h): the covariance of what layer h + 1 sees
        patches = [[finite.seen(net, one, shape) for one in draw] for draw in seen[:, h - 1]]
        products = np.einsum("kiap,kjaq->kijpq", np.array(patches), np.array(patches)) / width
        limit = found.covariances[h]
        near(products.reshape(draws, *limit.shape), limit, width)


def near(draws, limit, width):
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    assert np.all(np.abs(draws.mean(axis=0) - limit) < 4.5 * error + 3 / width * np.abs(limit))
