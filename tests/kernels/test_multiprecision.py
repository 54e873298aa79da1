"""Single entries against the recursion in 22 digits."""

import mpmath as mp
import numpy as np
import pytest

import oracle
from earnshaw.kernels import Dense, ResNet, c_sigma, h_infinity, kernel, on_sphere

ANALYTIC = [
    (Dense("softplus", 2), True),
    pytest.param(Dense("softplus", 3), True, marks=pytest.mark.slow),
    pytest.param(Dense("tanh", 2, "ntk", 1.3, 0.3), False, marks=pytest.mark.slow),
    (ResNet("softplus", 2, c_res=0.9), False),
]
CLOSED = [Dense("relu", 3), Dense("erf", 3), ResNet("relu", 4, c_res=0.9), Dense("relu", 2, "ntk", 1.4, 0.4)]


def two_inputs(equal):
    x = np.random.default_rng(1).normal(size=(2, 4))
    return x / np.linalg.norm(x, axis=1)[:, None] * np.array([[1.0], [1.0 if equal else 1.2]])


@pytest.mark.parametrize(("net", "equal"), ANALYTIC, ids=lambda v: type(v).__name__)
def test_an_entry_agrees_with_multiprecision(net, equal):
    x = two_inputs(equal)
    if net.parameterization == "ntk":
        x = 2 * x  # the first layer divides by √4
    exact = oracle.pair_kernels(net, *x)
    for which in ("ntk", "nngp") if equal else ("ntk",):
        for method in ("composed", "layers") if equal and which == "ntk" else ("auto",):
            found = kernel(x, net, which=which, method=method)
            assert abs(found.values[0, 1] - exact[which]) < 1e-12 * abs(exact[which])
            assert found.truncation_error < 2e-11


@pytest.mark.parametrize("net", CLOSED, ids=lambda net: f"{type(net).__name__}-{net.activation.name}")
@pytest.mark.parametrize("equal", [True, False])
def test_closed_forms_agree_with_multiprecision(net, equal):
    x = two_inputs(equal)
    exact = oracle.pair_kernels(net, *x)
    found = kernel(x, net)
    assert abs(found.values[0, 1] - exact["ntk"]) < 1e-12 * abs(exact["ntk"])
    assert abs(found.values[1, 1] - oracle.pair_kernels(net, x[1], x[1] * (1 + 1e-15))["ntk"]) < 1e-7


@pytest.mark.parametrize("tilt", [1e-3, 1e-6, 1e-8])
@pytest.mark.parametrize("method", ["composed", "layers"])
def test_small_angles_keep_their_digits_through_the_layers(tilt, method):
    # E σ′σ′ loses the angle α itself, while 1 − cos α is α²/2 ≈ 5e-17
    net = Dense("relu", 3)
    x = np.array([[1.0, 0.0], [np.cos(tilt), np.sin(tilt)]])
    exact = oracle.pair_kernels(net, *[[mp.mpf(float(v)) for v in row] for row in x])
    assert abs(kernel(x, net, which="ntk", method=method).values[0, 1] - exact["ntk"]) < 2e-13 * 4


def test_the_scalar_function_is_the_kernel():
    net = Dense("softplus", 2)
    kappa = on_sphere(net)
    for rho in (-0.9, 0.99):
        exact = oracle.pair_kernels(net, [1, 0], [rho, np.sqrt(1 - rho**2)])["ntk"]
        assert abs(float(kappa(rho)) - exact) < 1e-12 * exact


def test_c_sigma_and_h_infinity():
    assert abs(1 / c_sigma("softplus") - oracle.rule("softplus").squares(mp.mpf(1))[0]) < 1e-14
    x = two_inputs(equal=False)
    alpha = mp.acos(mp.fdot(*x) / mp.sqrt(mp.fdot(x[0], x[0]) * mp.fdot(x[1], x[1])))
    expected = mp.fdot(*x) * (mp.pi - alpha) / (2 * mp.pi)
    assert abs(h_infinity(x)[0, 1] - expected) < 1e-14
