"""zps17, Lemma B.1: the bias of a truncated Gaussian, against samples, mpmath and closed forms."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammainc, gammaincc

from earnshaw import theorems
from earnshaw.duality import activations
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import truncated_gaussian
from earnshaw.theorems import truncation

EXACT = settings(deadline=None, derandomize=True, max_examples=30)


def exact_bias(d, p, radius):
    with mpmath.workdps(60):
        r = mpmath.mpf(radius)

        def integral(power, a, b):
            return mpmath.quad(lambda s: s ** (power + d - 1) * mpmath.exp(-(s**2) / 2), [a, b])

        far = r + 30
        whole = integral(p, 0, r) + integral(p, r, far)
        return whole / (integral(0, 0, r) + integral(0, r, far)) - integral(p, 0, r) / integral(0, 0, r)


@pytest.mark.parametrize(("d", "p", "radius"), [(1, 1.0, 0.3), (3, 2.0, 7.0), (4, 0.5, 9.0), (6, 5.0, 1.0)])
def test_the_bias_of_a_power_against_multiprecision(d, p, radius):
    assert truncation.power_bias(d, p, radius) == pytest.approx(float(exact_bias(d, p, radius)), rel=1e-11)


@EXACT
@given(d=st.integers(1, 60), p=st.floats(0, 12), digits=st.floats(-1, 12))
def test_the_radius_of_the_proof_suffices_and_the_smallest_one_is_smaller(d, p, digits):
    ratio = 10.0**digits
    proof, smallest = truncation.sufficient_radius(d, p, ratio), truncation.smallest_radius(d, p, ratio)
    assert truncation.power_bias(d, p, proof) <= 1 / ratio
    assert truncation.power_bias(d, p, smallest) <= 1 / ratio
    assert smallest <= proof
    if smallest > truncation.SMALLEST:
        assert truncation.power_bias(d, p, smallest * (1 - 1e-6)) > 1 / ratio


@EXACT
@given(d=st.integers(1, 100), p=st.floats(0, 12), beyond=st.floats(0, 100))
def test_the_bounds_of_the_proof_hold_outside_the_bulk(d, p, beyond):
    radius = np.sqrt(max(p + d - 1, 1.0) + beyond)
    tail = truncation.tail_moment(d, p, radius)
    sharp = truncation.sharp_tail_bound(d, p, radius)
    assert tail <= sharp * (1 + 1e-12)
    assert sharp <= truncation.printed_tail_bound(d, p, radius)
    assert truncation.mass_term(d, p, radius) <= truncation.printed_mass_bound(d, p, radius)


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("radius", [0.5, 2.0, 6.0])
def test_products_of_homogeneous_units_split_into_angle_and_length(d, radius):
    # E (uᵀx)²(vᵀx)² = 1 + 2(uᵀv)², and the length is independent of the angle.
    inside, outside = (f(np.array([d / 2 + 2, d / 2]), radius**2 / 2) for f in (gammainc, gammaincc))
    factor = (outside[0] - outside[1]) / inside[1] if inside[1] > 0.5 else 1 - inside[0] / inside[1]
    bias = truncation.two_units_bias(activations.quadratic(), 0.5, d, radius)
    assert bias == pytest.approx(1.5 * factor, rel=1e-10)


@pytest.mark.parametrize(("name", "d", "radius"), [("tanh", 3, 1.5), ("softplus", 5, 2.0), ("relu", 2, 1.0)])
def test_products_of_units_against_samples(name, d, radius):
    unit, cosine, n = activations.get(name), -0.3, 100_000
    u, v = jnp.eye(d)[0], cosine * jnp.eye(d)[0] + np.sqrt(1 - cosine**2) * jnp.eye(d)[1]

    def mean(x):
        products = unit(x @ u) * unit(x @ v)
        return float(jnp.mean(products)), float(jnp.std(products)) / np.sqrt(n)

    whole, error = mean(jax.random.normal(jax.random.key(0), (n, d)))
    inside, error_inside = mean(truncated_gaussian(jax.random.key(1), n, d, radius))
    bias = truncation.two_units_bias(unit, cosine, d, radius)
    assert abs(bias) > 10 * (error + error_inside)
    assert abs(whole - inside - bias) < 5 * np.hypot(error, error_inside)


@pytest.mark.parametrize("function", ["power", "relu", "tanh", activations.linear()])
def test_the_lemma_holds(function):
    verdict = theorems.check("zps17-LB.1", f=function)
    assert verdict.verdict == "holds"
    assert verdict.measured["smallest B for c·‖x‖^p"] < verdict.measured["B"]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"radius": "smallest"}, "holds"),
        ({"radius": 3}, "refuted"),
        ({"radius": 3.0, "f": "relu"}, "refuted"),
        # A unit that does not vanish at 0 is not bounded by a power of ‖x‖ there, and an exponential by none far out.
        ({"f": "softplus"}, "not-applicable"),
        ({"f": "softplus", "p": 0.0}, "not-applicable"),
        ({"f": "exponential", "p": 5.0}, "not-applicable"),
        ({"f": "sign", "p": 0.0}, "holds"),
    ],
)
def test_verdicts(given, word):
    assert theorems.check("zps17-LB.1", **given).verdict == word


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"p": -1.0}, "exponent p must be between 0 and 100"),
        ({"d": 0}, "dimension d must be between 1 and 1000"),
        ({"epsilon": 0.0}, "epsilon must be between"),
        ({"c": float("nan")}, "c must be between"),
        ({"radius": "big"}, "radius must be proof, smallest or a number"),
        ({"radius": -1}, "radius must be proof, smallest or a number"),
        ({"radius": 0.01, "d": 1000}, "no probability"),
        ({"f": "rellu"}, "did you mean 'relu'"),
        ({"f": "relu", "d": 1}, "at least 2, not 1"),
        ({"f": "relu", "cosine": 2.0}, "cosine must be between"),
    ],
)
def test_bad_settings_are_one_sentence(given, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-LB.1", **given)
