import math

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy.special import kv

from earnshaw.duality.bessel_pair import BesselFactor, bessel_activation, bessel_k, yukawa_activation
from earnshaw.duality.radial_activation import RadialActivation
from earnshaw.errors import EarnshawError


def gaussian(d):
    return RadialActivation(lambda r: (2 / jnp.pi) ** (d / 4) * jnp.exp(-(r**2)), d, "gaussian")


@pytest.mark.parametrize("order", [0, 1, 2])
def test_modified_bessel_functions(order):
    r = np.array([1e-12, 1e-5, 0.1, 1.0, 10.0, 300.0])
    values = jax.jit(jax.vmap(lambda x: bessel_k(order, x)))(r)
    np.testing.assert_allclose(values, kv(order, r), rtol=1e-13)


def test_the_bessel_factor_is_the_same_in_jax_and_on_the_host():
    factor, r = BesselFactor(1, 0.3), np.array([0.01, 1.0, 20.0])
    np.testing.assert_allclose(jax.vmap(factor)(r), factor.on_arrays(r), rtol=1e-13)
    # K₀′ = −K₁
    assert float(jax.grad(BesselFactor(0, 1.0))(0.7)) == pytest.approx(-float(kv(1, 0.7)), rel=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7])
def test_gaussian_potential_from_its_activation(d):
    r = np.array([0.0, 0.01, 0.3, 1.0, 2.5, 8.0])
    np.testing.assert_allclose(gaussian(d).potential_at(r), np.exp(-(r**2) / 2), atol=1e-10)
    assert gaussian(d).check(lambda s: np.exp(-(s**2) / 2), r) < 1e-10
    assert gaussian(d).check(lambda s: np.exp(-(s**2)), r) > 0.1


def test_the_weight_makes_gaussian_inputs_into_lebesgue_measure():
    # E σ(x, θ)σ(x, w) in R² by a Gauss-Hermite rule, against e^{−‖θ−w‖²/2}; with (2π)^{1/4} in place of (2π)^{d/4} it
    # is off by √2π.
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    x = jnp.asarray(np.stack(np.meshgrid(nodes, nodes, indexing="ij"), -1).reshape(-1, 2))
    w = np.outer(weights, weights).ravel() / (2 * math.pi)
    theta, other = jnp.array([0.3, -0.2]), jnp.array([-0.1, 0.4])
    sigma = gaussian(2)
    moment = float(jnp.sum(w * sigma(x, theta) * sigma(x, other)))
    assert moment == pytest.approx(math.exp(-0.26), rel=1e-12)


def test_yukawa_in_three_dimensions_from_k1():
    r = np.array([0.01, 0.3, 1.0, 2.5, 8.0])
    np.testing.assert_allclose(yukawa_activation().potential_at(r), np.exp(-r) / r, rtol=1e-11)
    # Without a constant, h = K₁(r)/r gives π³ e^{−r}/r: 11.41 and not 0.37 at r = 1.
    bare = RadialActivation(BesselFactor(1, 1.0), 3)
    assert bare.potential_at(np.array([1.0]))[0] == pytest.approx(math.pi**3 / math.e, rel=1e-11)


def test_yukawa_by_another_quadrature():
    # In R³ the convolution is (2π/r) ∫ s h(s) ∫_{|r−s|}^{r+s} t h(t) dt ds, and ∫ K₁ = −K₀.
    mp.mp.dps = 20
    r = mp.mpf(1)
    integral = mp.quad(
        lambda s: mp.besselk(1, s) * (mp.besselk(0, abs(r - s)) - mp.besselk(0, r + s)), [0, r / 2, r, 2 * r, 6, 20]
    )
    assert float(2 * mp.pi / r * integral / mp.pi**3) == pytest.approx(math.exp(-1), rel=1e-9)


def test_the_activation_of_yukawa_has_infinite_second_moment():
    # ∫ h² diverges like ∫ dr/r²: cutting at r = δ gives (2/π²)/δ·2 and more with every smaller δ.
    for delta in (1e-2, 1e-3):
        tail = 4 * mp.pi * mp.quad(lambda s: (mp.pi**-1.5 * mp.besselk(1, s)) ** 2, [delta, 0.1, 1, 20])
        assert float(tail) == pytest.approx(4 / math.pi**2 / delta, rel=0.1)


@pytest.mark.parametrize("d", [1, 3])
def test_bessel_activation(d):
    r = np.array([0.0, 0.05, 1.0, 4.0])
    assert bessel_activation(d).check(lambda s: np.exp(-s), r) < 1e-11
    x, theta = jnp.full((5, d), 0.4), jnp.zeros(d)
    exact = (2 / math.pi) ** (3 * d / 4) * math.exp(d * 0.16 / 4) * kv(0, 0.4) ** d
    np.testing.assert_allclose(bessel_activation(d)(x, theta), exact, rtol=1e-12)


def test_points_of_another_dimension_are_refused():
    with pytest.raises(EarnshawError, match="R\\^3"):
        gaussian(3)(jnp.zeros(2), jnp.zeros(2))
    with pytest.raises(EarnshawError, match="R\\^2"):
        bessel_activation(2)(jnp.zeros(3), jnp.zeros(3))
