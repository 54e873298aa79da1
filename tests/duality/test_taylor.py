import math

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import eval_chebyt, eval_gegenbauer, eval_legendre

from earnshaw.duality import potentials
from earnshaw.duality.taylor import gegenbauer_coefficients, remaining_mass, taylor_coefficients
from earnshaw.duality.zonal import PowerSeries
from earnshaw.errors import EarnshawError


def arcsine(n):
    """Taylor coefficients of (2/π) arcsin."""
    odd = np.zeros(n)
    for m in range((n + 1) // 2):
        if 2 * m + 1 < n:
            odd[2 * m + 1] = 2 / math.pi * math.comb(2 * m, m) / 4**m / (2 * m + 1)
    return odd


@pytest.mark.parametrize(
    ("profile", "exact"),
    [
        (lambda t: jnp.exp(t - 1), [math.exp(-1) / math.factorial(n) for n in range(40)]),
        (lambda t: 1 / (1.25 - t), [0.8 ** (n + 1) for n in range(40)]),
        (lambda t: 1 - 2 / jnp.pi * jnp.arccos(t), arcsine(40)),
        (lambda t: t**3, np.eye(40)[3]),
        (lambda t: jnp.cos(3 * t), [0 if n % 2 else (-1) ** (n // 2) * 3**n / math.factorial(n) for n in range(40)]),
    ],
)
def test_on_a_circle(profile, exact):
    values, errors = taylor_coefficients(profile, 40)
    assert len(values) == 40
    assert np.all(np.abs(values - exact) <= errors + 1e-15)
    assert np.max(errors) < 1e-9


def test_a_power_series_knows_its_coefficients():
    values, errors = taylor_coefficients(PowerSeries((0.5, 0.0, 0.25)))
    assert values.tolist() == [0.5, 0.0, 0.25]
    assert not errors.any()


@pytest.mark.parametrize("name", ["sign", "relu"])
def test_a_real_function_yields_its_first_coefficients_with_honest_errors(name):
    values, errors = taylor_coefficients(potentials.get(name).profile)
    exact = arcsine(40)
    if name == "relu":
        # The derivative of the ReLU's dual is ½ + arcsin/π: half of one plus the sign's.
        exact = np.concatenate([[1 / math.pi], (np.eye(40)[0] + arcsine(40)) / 2 / np.arange(1, 41)])
    assert len(values) >= 8
    assert np.all(np.abs(values - exact[: len(values)]) <= errors)


@pytest.mark.parametrize("profile", [jnp.abs, lambda t: jnp.maximum(t, 0.0), lambda t: jnp.sqrt(jnp.abs(t))])
def test_a_kink_at_the_origin_is_refused(profile):
    with pytest.raises(EarnshawError, match="too rough"):
        taylor_coefficients(profile)


@pytest.mark.parametrize("d", [2, 3, 4, 8])
def test_gegenbauer_polynomials_are_their_own_coefficients(d):
    for n in (0, 1, 3, 6):
        if d == 2:
            polynomial = lambda t, n=n: eval_chebyt(n, t)  # noqa: E731
        else:
            alpha = (d - 2) / 2
            polynomial = lambda t, n=n, a=alpha: eval_gegenbauer(n, a, t) / eval_gegenbauer(n, a, 1.0)  # noqa: E731
        values, errors = gegenbauer_coefficients(polynomial, d, 8)
        assert np.all(np.abs(values - np.eye(8)[n]) <= errors + 1e-13)


def test_gegenbauer_series_adds_up_to_the_function():
    values, _ = gegenbauer_coefficients(lambda t: jnp.exp(2 * t), 3, 30)
    t = np.linspace(-1, 1, 7)
    np.testing.assert_allclose(sum(a * eval_legendre(n, t) for n, a in enumerate(values)), np.exp(2 * t), atol=1e-12)


def test_remaining_mass():
    assert remaining_mass(jnp.exp, np.array([1.0, 1.0])) == pytest.approx(math.e - 2)


def test_bad_input_is_refused():
    with pytest.raises(EarnshawError, match="at least 1"):
        taylor_coefficients(jnp.exp, 0)
    with pytest.raises(EarnshawError, match="d ≥ 2"):
        gegenbauer_coefficients(jnp.exp, 1)
