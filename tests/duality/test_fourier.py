import math

import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gamma, jv, k1, kv

from earnshaw.duality.fourier import bessel_kernel, inverse_radial_fourier, on_arrays, radial_fourier, wynn
from earnshaw.errors import EarnshawError

DIMENSIONS = [1, 2, 3, 4, 7, 11]
K = np.concatenate([[0.0], np.geomspace(1e-3, 60.0, 9)])


def poisson(k, d):
    """The transform of e^{−r}."""
    return 2 ** (d / 2) * gamma((d + 1) / 2) / math.sqrt(math.pi) / (1 + k**2) ** ((d + 1) / 2)


def agrees(result, exact):
    values, errors = result
    size = np.max(np.abs(exact))
    assert np.all(np.abs(values - exact) <= errors + 3e-15 * size)
    assert np.all(errors <= 1e-12 * size)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_gaussian(d):
    agrees(radial_fourier(lambda r: jnp.exp(-(r**2) / 2), d, K), np.exp(-(K**2) / 2))


@pytest.mark.parametrize("d", DIMENSIONS)
def test_exponential(d):
    agrees(radial_fourier(lambda r: np.exp(-r), d, K), poisson(K, d))


@pytest.mark.parametrize("d", DIMENSIONS)
def test_ball(d):
    exact = np.array([float(mp.besselj(d / 2, q) / mp.mpf(q) ** (d / 2)) for q in np.maximum(K, 1e-30)])
    agrees(radial_fourier(lambda r: 1.0, d, K, support=1.0), exact)
    agrees(radial_fourier(lambda r: np.where(r < 1, 1.0, 0.0), d, K, breakpoints=[1.0]), exact)


def test_a_jump_that_is_not_announced_is_found_by_bisection_or_refused():
    try:
        values, errors = radial_fourier(lambda r: np.where(r < 1.3, 1.0, 0.0), 3, [2.0], tolerance=1e-3)
    except EarnshawError:
        return
    exact = 1.3**3 * jv(1.5, 2.6) / 2.6**1.5
    assert abs(values[0] - exact) <= 10 * errors[0] + 1e-12


@pytest.mark.parametrize("d", DIMENSIONS)
def test_inverse_multiquadric(d):
    # (1 + r²)^{−b} decays algebraically: the panels never end and are extrapolated.
    b = (d + 1) / 2
    k = np.maximum(K, 1e-12)
    exact = 2 ** (1 - b) / gamma(b) * k ** (b - d / 2) * kv(b - d / 2, k)
    exact[0] = 2 ** (1 - b) / gamma(b) * math.sqrt(math.pi / 2)
    agrees(radial_fourier(lambda r: (1 + r**2) ** -b, d, K), exact)


def test_singular_at_coincidence():
    agrees(radial_fourier(lambda r: jnp.exp(-r) / r, 3, K), math.sqrt(2 / math.pi) / (1 + K**2))
    agrees(radial_fourier(lambda r: k1(r) / r, 3, K), math.sqrt(math.pi / 2) / np.sqrt(1 + K**2))
    agrees(radial_fourier(lambda r: kv(0, r), 1, K), math.sqrt(math.pi / 2) / np.sqrt(1 + K**2))


def test_a_kink_at_a_small_radius():
    eps = 1e-3

    def capped(r):
        return jnp.exp(-jnp.maximum(r, eps)) / jnp.maximum(r, eps)

    k = np.array([0.0, 1.0, 30.0])
    values, _ = radial_fourier(capped, 3, k, breakpoints=[eps])
    mp.mp.dps = 20
    for q, value in zip(k[1:], values[1:], strict=True):
        inner = mp.quad(lambda r, q=q: math.exp(-eps) / eps * r * mp.sin(q * r), [0, eps])
        outer = mp.re(mp.exp(-(1 - 1j * q) * eps) / (1 - 1j * q) * 1j * -1)
        assert value == pytest.approx(float(mp.sqrt(2 / mp.pi) / q * (inner + outer)), rel=1e-10)


def test_coulomb_in_the_sense_of_generalised_functions():
    k = np.array([0.1, 1.0, 10.0])
    values, errors = radial_fourier(lambda r: 1 / r, 3, k)
    assert np.all(np.abs(values - math.sqrt(2 / math.pi) / k**2) <= errors)
    with pytest.raises(EarnshawError, match="diverges"):
        radial_fourier(lambda r: 1 / r, 3, [0.0])


def test_against_multiprecision_where_no_closed_form_is_known():
    mp.mp.dps = 20
    d, k = 5, 1.7
    nu = mp.mpf(d) / 2 - 1
    exact = mp.quad(
        lambda r: mp.exp(-(r**4)) * r ** (d - 1) * (k * r) ** (-nu) * mp.besselj(nu, k * r),
        np.linspace(0, 4, 9).tolist(),
    )
    values, errors = radial_fourier(lambda r: np.exp(-(r**4)), d, [k])
    assert abs(values[0] - float(exact)) <= errors[0]


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_transform_is_its_own_inverse(d):
    r = np.array([0.3, 1.0, 2.5])
    values, errors = inverse_radial_fourier(lambda k: poisson(k, d), d, r)
    assert np.all(np.abs(values - np.exp(-r)) <= errors + 1e-15)
    assert np.max(errors) < 1e-10


def test_forward_then_inverse_numerically():
    def profile(r):
        return np.exp(-(r**2)) * (1 + r**2)

    def forward(k):
        flat, inverse = np.unique(np.asarray(k).ravel(), return_inverse=True)
        keep = flat < 14.0
        values = np.zeros(flat.shape)
        values[keep] = radial_fourier(profile, 3, flat[keep])[0]
        return values[inverse].reshape(np.shape(k))

    nodes, weights = np.polynomial.legendre.leggauss(60)
    k, w = 7.0 * (nodes + 1), 7.0 * weights
    for r in (0.0, 0.8, 2.0):
        back = np.sum(w * forward(k) * k**2 * bessel_kernel(3, k * r))
        assert back == pytest.approx(profile(r), abs=1e-13)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_parseval(d):
    nodes, weights = np.polynomial.legendre.leggauss(80)
    k, w = 20.0 * (nodes + 1) ** 2 / 2, weights * 20.0 * (nodes + 1)
    values, _ = radial_fourier(lambda r: np.exp(-(r**2) / 2) * np.cos(r), d, k)
    r, v = 6.0 * (nodes + 1), 6.0 * weights
    assert np.sum(w * values**2 * k ** (d - 1)) == pytest.approx(
        np.sum(v * (np.exp(-(r**2) / 2) * np.cos(r)) ** 2 * r ** (d - 1)), rel=1e-11
    )


@settings(deadline=None, derandomize=True, max_examples=10)
@given(d=st.integers(1, 9), scale=st.floats(0.05, 20.0), k=st.floats(0.0, 10.0))
def test_scaling(d, scale, k):
    stretched, _ = radial_fourier(lambda r: np.exp(-((r / scale) ** 2)), d, [k])
    plain, _ = radial_fourier(lambda r: np.exp(-(r**2)), d, [k * scale])
    assert stretched[0] == pytest.approx(scale**d * plain[0], rel=1e-9, abs=1e-13 * scale**d)


@pytest.mark.parametrize("d", range(1, 12))
def test_the_kernel_is_the_bessel_function(d):
    for z in (1e-8, 0.5, 3.0, 40.0):
        exact = mp.mpf(z) ** (1 - mp.mpf(d) / 2) * mp.besselj(mp.mpf(d) / 2 - 1, z)
        assert bessel_kernel(d, np.array([z]))[0] == pytest.approx(float(exact), rel=1e-11, abs=1e-18)


def test_functions_of_every_kind():
    r = np.array([0.2, 2.0])
    for f in (math.exp, np.exp, jnp.exp, lambda x: math.exp(x) if x < 1 else float(np.exp(x))):
        np.testing.assert_allclose(on_arrays(f)(r), np.exp(r))
    with pytest.raises(EarnshawError, match="one number"):
        on_arrays(lambda r: jnp.stack([r, r]))
    with pytest.raises(EarnshawError, match="one number"):
        on_arrays(lambda r: np.array([math.exp(r), 1.0]))


def test_wynn_on_a_divergent_series():
    # 1 − 2 + 4 − 8 + … = 1/3 in Abel's sense.
    limit, _ = wynn(np.cumsum((-2.0) ** np.arange(12)))
    assert limit == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"d": 0}, "dimension"),
        ({"k": [-1.0]}, "k ≥ 0"),
        ({"k": [math.nan]}, "finite"),
        ({"breakpoints": [0.0]}, "breakpoints"),
        ({"support": -1.0}, "support"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"f": lambda r: r**2 * jnp.inf}, "diverges"),
    ],
)
def test_bad_input_is_refused(arguments, words):
    good = {"f": lambda r: jnp.exp(-r), "d": 3, "k": [1.0]}
    with pytest.raises(EarnshawError, match=words):
        radial_fourier(**{**good, **arguments})


def test_a_tolerance_that_cannot_be_reached_names_the_one_that_was():
    with pytest.raises(EarnshawError, match="reached a relative error"):
        radial_fourier(lambda r: np.sin(r**2), 3, [0.5], tolerance=1e-12)
