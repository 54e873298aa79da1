"""One kernel, however it is computed: by layers or by one polynomial, in any blocks, on any number of threads."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.duality import Activation
from earnshaw.kernels import ConvResNet, Dense, ResNet, kernel, layers, on_sphere
from earnshaw.kernels.blocks import Progress
from earnshaw.kernels.engine import LayeredEngine, engine_for


def inputs(n, d=6, norms=None, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x / np.linalg.norm(x, axis=1)[:, None] * (1.0 if norms is None else rng.uniform(*norms, size=(n, 1)))


NETS = [
    Dense("relu", 3),
    Dense("softplus", 2, "ntk", 1.5, 0.2),
    ResNet("softplus", 3),
    Dense(Activation(lambda z: jnp.exp(-(z**2) / 2), "bump"), 2),
    ResNet("leaky_relu", 2, c_res=0.8),
]


@pytest.mark.parametrize("net", NETS, ids=lambda net: f"{type(net).__name__}-{net.activation.name}")
def test_one_polynomial_says_what_the_layers_say(net):
    x = inputs(12)
    one, other = kernel(x, net, method="composed"), kernel(x, net, method="layers")
    np.testing.assert_allclose(one.values, other.values, rtol=0, atol=4e-12 * one.values.max())
    kappa = on_sphere(net, inputs=6)
    off = ~np.eye(12, dtype=bool)  # the cosine of an input with itself has lost its angle
    np.testing.assert_allclose(kappa((x @ x.T)[off]), one.values[off], rtol=0, atol=1e-12 * one.values.max())
    np.testing.assert_allclose(kappa(1.0), np.diag(one.values), rtol=1e-11)


@pytest.mark.parametrize("norms", [None, (0.7, 1.3)], ids=["one-norm", "norms"])
def test_bits_do_not_depend_on_threads_or_blocks(norms):
    x = inputs(300, norms=norms)
    net = Dense("softplus", 2)
    whole = kernel(x, net, threads=1).values
    engine = engine_for(net, "ntk", x, 1e-12)
    assert isinstance(engine, LayeredEngine) == (norms is not None)
    assert np.array_equal(whole, whole.T)
    for threads in (2, 5):
        assert np.array_equal(kernel(x, net, threads=threads).values, whole)


def test_blocks_bound_the_memory_and_change_no_bit():
    x, net = inputs(600, norms=(0.7, 1.3)), Dense("softplus", 1)
    engine = engine_for(net, "nngp", x, 1e-12)
    seen = []
    little = 4 * engine.bytes_per_input * engine.size
    blockwise = kernel(x, net, which="nngp", memory=little, progress=seen.append).values
    assert np.array_equal(blockwise, kernel(x, net, which="nngp").values)
    sizes = [256, 256, 88]
    assert seen[-1] == Progress(*[sum(a * b for i, a in enumerate(sizes) for b in sizes[i:])] * 2)
    assert len(seen) == 6


def test_two_sets_of_inputs():
    x, y = inputs(5, norms=(0.5, 1.5)), inputs(4, norms=(0.5, 1.5), seed=1)
    net = ResNet("softplus", 2)
    both = kernel(np.concatenate([x, y]), net).values
    np.testing.assert_allclose(kernel(x, net, y).values, both[:5, 5:], rtol=1e-13)
    np.testing.assert_allclose(kernel(x, net, x).values, both[:5, :5], rtol=1e-11)


def test_a_convolution_of_one_pixel_is_the_residual_network():
    x = inputs(5, d=4, norms=(0.5, 1.5))
    conv = ConvResNet("softplus", 2, patch=1)
    for which in ("ntk", "nngp"):
        np.testing.assert_allclose(
            kernel(x[:, :, None], conv, which=which).values,
            kernel(x, ResNet("softplus", 2), which=which).values,
            rtol=1e-11,
        )


def test_one_image_of_one_row_is_an_image_of_one_axis():
    x = inputs(3, d=5)[:, None, :]
    one, two = ConvResNet("relu", 2, patch=3), ConvResNet("relu", 2, patch=(1, 3))
    np.testing.assert_allclose(kernel(x, one).values, kernel(x[:, :, None, :], two).values, rtol=1e-13)


def test_a_deeper_fully_connected_network_adds_its_layers():
    x = inputs(6)
    deep = layers(x, Dense("softplus", 3))
    shallow = layers(x, Dense("softplus", 2))
    np.testing.assert_allclose(deep.covariances[1], shallow.covariances[1], rtol=1e-14)
    np.testing.assert_allclose(deep.means[1], shallow.means[1], rtol=1e-14)
    # unit inputs stay of unit length, which is what c_σ is for
    np.testing.assert_allclose(np.diag(deep.covariances[2]), 1.0, rtol=1e-13)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    st.sampled_from([Dense("relu", 2), Dense("softplus", 2), ResNet("softplus", 2), Dense("erf", 2, "ntk", 1.2, 0.3)]),
    st.sampled_from(["ntk", "nngp", "last-layer"]),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_kernels_are_symmetric_and_positive(net, which, equal, seed):
    x = inputs(8, d=3, norms=None if equal else (0.8, 1.4), seed=seed)
    found = kernel(x, net, which=which)
    assert np.array_equal(found.values, found.values.T)
    eigenvalues = np.linalg.eigvalsh(found.values)
    assert eigenvalues[0] > -1e-12 * eigenvalues[-1] - 8 * found.truncation_error
    assert np.all(np.abs(found.values) <= np.sqrt(np.outer(*[np.diag(found.values)] * 2)) * (1 + 1e-12))


def test_a_tolerance_is_kept_and_reported():
    x, net = inputs(6, norms=(0.7, 1.3)), Dense("softplus", 3)
    exact = kernel(x, net, tolerance=1e-13)
    rough = kernel(x, net, tolerance=1e-6)
    off = ~np.eye(6, dtype=bool)
    error = np.abs(rough.values - exact.values)[off].max()
    assert 1e-13 < error < rough.truncation_error < 1e-4
    assert exact.truncation_error < 1e-11
