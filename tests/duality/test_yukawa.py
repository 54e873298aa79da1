import math

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy.special import jv

from earnshaw.duality.ball_overlap import ball_overlap, overlap_potential
from earnshaw.duality.yukawa import AlmostHarmonic, Yukawa, almost_harmonic, harmonic_polynomials, harmonic_yukawa
from earnshaw.errors import EarnshawError

CASES = [(d, eps, lam) for d in (3, 7, 11) for eps in (0.5, 0.1, 0.01) for lam in (0.5, 1.0, 4.0)]


@pytest.mark.parametrize("d", [3, 5, 7, 9, 11, 15])
@pytest.mark.parametrize("lam", [0.5, 4.0])
def test_yukawa_is_an_eigenfunction_of_the_laplacian(d, lam):
    profile = Yukawa(d, lam)
    r = jnp.geomspace(0.05, 20.0, 25)
    first, second = jax.grad(profile), jax.grad(jax.grad(profile))
    laplacian = jax.vmap(second)(r) + (d - 1) / r * jax.vmap(first)(r)
    np.testing.assert_allclose(
        laplacian, lam * jax.vmap(profile)(r), rtol=0, atol=1e-10 * np.abs(jax.vmap(second)(r)).max()
    )
    scale = jnp.abs(jax.vmap(second)(r)) + (d - 1) / r * jnp.abs(jax.vmap(first)(r))
    assert jnp.all(jnp.abs(laplacian - lam * jax.vmap(profile)(r)) <= 1e-13 * scale)


@pytest.mark.parametrize("d", [3, 5, 7, 11])
def test_yukawa_is_the_modified_bessel_function(d):
    nu = mp.mpf(d - 2) / 2
    for r in (0.3, 2.0):
        # r^{−ν} K_ν(r), scaled to be r^{2−d} near zero.
        exact = 2 ** (1 - nu) / mp.gamma(nu) * mp.mpf(r) ** (-nu) * mp.besselk(nu, r)
        assert float(Yukawa(d, 1.0)(r)) == pytest.approx(float(exact), rel=1e-14)


def test_the_derivative_polynomials_follow_from_the_first():
    # The first derivative of e^{−r}/r is −(1 + r)e^{−r}/r²; with d − 2 + k in place of d − 3 + k it would be −(2 +
    # r)e^{−r}/r².
    assert harmonic_polynomials(3, 1)[1] == (1.0, 1.0)
    assert float(Yukawa(3, 1.0).derivative(1.0, 1)) == pytest.approx(-2 / math.e)
    profile = Yukawa(7, 2.0)
    for order in range(1, 5):
        derivative = jax.grad(lambda r, below=order - 1: profile.derivative(r, below))(0.7)
        assert float(derivative) == pytest.approx(float(profile.derivative(0.7, order)), rel=1e-12)


@pytest.mark.parametrize(("d", "eps", "lam"), [*CASES, (15, 1e-3, 1.0), (7, 2.5, 1.0), (3, 0.5, 1e4)])
def test_the_pieces_meet_in_every_derivative_up_to_d_minus_one(d, eps, lam):
    profile = AlmostHarmonic(d, eps, lam)
    assert float(profile(0.0)) == pytest.approx(1.0, abs=1e-15)
    for order in range(d):
        inside, outside = profile.derivative(eps * (1 - 1e-14), order), profile.derivative(eps, order)
        assert float(inside) == pytest.approx(float(outside), rel=1e-10)
    # The next derivative jumps, so the test above can fail.
    assert float(profile.derivative(eps * (1 - 1e-14), d)) != pytest.approx(float(profile.derivative(eps, d)), rel=1e-3)
    share = profile.derivative(jnp.array([0.0, 0.25, 0.5]) * eps, d - 1) / profile.derivative(eps, d - 1)
    np.testing.assert_allclose(share, [0.0, 0.25, 0.5], atol=1e-10)


def test_the_inner_polynomial_against_exact_arithmetic():
    d, eps, lam = 11, 1e-3, 1.0
    with mp.workdps(80):
        at = mp.mpf(eps)

        def outer(r):
            return (
                sum(mp.factorial(8 - i) / mp.factorial(4 - i) / mp.factorial(i) * (2 * r) ** i for i in range(5))
                * mp.exp(-r)
                / r**9
            )

        derivatives = mp.taylor(outer, at, d - 1)
        slope = derivatives[-1] * mp.factorial(d - 1) / at

        def inner(r):
            taylor = sum(c * (r - at) ** k for k, c in enumerate(derivatives))
            return taylor + slope * (r - at) ** d / mp.factorial(d)

        for share in ("0.1", "0.5", "0.9"):
            exact = inner(at * mp.mpf(share)) / inner(mp.mpf(0))
            assert float(AlmostHarmonic(d, eps, lam)(eps * float(share))) == pytest.approx(float(exact), rel=1e-12)
        assert float(AlmostHarmonic(d, eps, lam)(0.3)) == pytest.approx(
            float(outer(mp.mpf(0.3)) / inner(mp.mpf(0))), rel=1e-12
        )


def test_autodiff_gives_the_stated_derivatives_and_nothing_is_infinite():
    profile = AlmostHarmonic(7, 0.1, 1.0)
    r = jnp.array([0.0, 0.03, 0.1, 0.2, 700.0, 5000.0])
    first, second = jax.jit(jax.vmap(jax.grad(profile)))(r), jax.jit(jax.vmap(jax.grad(jax.grad(profile))))(r)
    np.testing.assert_allclose(first, profile.derivative(r, 1), rtol=1e-12)
    np.testing.assert_allclose(second, profile.derivative(r, 2), rtol=1e-12)
    assert bool(jnp.all(jnp.isfinite(first)) & jnp.all(jnp.isfinite(second)))
    assert float(first[0]) < 0


@pytest.mark.parametrize(("d", "eps", "lam"), CASES)
def test_signs_alternate_and_every_stated_bound_holds(d, eps, lam):
    profile = AlmostHarmonic(d, eps, lam)
    everywhere = jnp.concatenate([jnp.linspace(1e-3, 1.0, 40) * eps, jnp.geomspace(eps, 40.0, 40)])
    for order in range(d):
        values = profile.derivative(everywhere, order)
        assert bool(jnp.all((-1) ** order * values >= 0)), order
        assert float(
            jnp.max(jnp.abs(profile.derivative(jnp.append(everywhere, 0.0), order)))
        ) <= profile.derivative_bound(order)
    outside = jnp.geomspace(eps, 40.0, 60)
    value, slope = profile(outside), jnp.abs(profile.derivative(outside, 1))
    assert bool(jnp.all(profile.lower_bound(outside) <= value))
    assert bool(jnp.all(value <= profile.upper_bound(outside)))
    assert bool(jnp.all(profile.slope_lower_bound(outside) <= slope))
    assert bool(jnp.all(slope <= profile.slope_upper_bound(outside)))


def test_the_derivative_of_order_d_does_not_alternate_inside():
    # The claim stops at d − 1: inside, Φ^{(d−1)} = C·r increases.
    assert float(AlmostHarmonic(7, 0.1).derivative(0.05, 7)) > 0


@pytest.mark.parametrize(("d", "eps", "lam"), CASES)
def test_the_fourier_transform_is_nonnegative(d, eps, lam):
    k = np.concatenate([[0.0], np.geomspace(1e-2, 300.0, 40) / eps])
    values, errors = AlmostHarmonic(d, eps, lam).fourier(k)
    assert np.all(values > errors)
    # The cusp at coincidence sets the decay: k^{d+1} F tends to a constant.
    tail = values[-3:] * k[-3:] ** (d + 1)
    assert np.ptp(tail) < 0.2 * tail.mean()


@pytest.mark.parametrize("d", [3, 7])
def test_the_fourier_transform_against_quadrature(d):
    profile = AlmostHarmonic(d, 0.5, 1.0)
    panels = np.concatenate([np.linspace(0, 0.5, 5), 0.5 + np.arange(1, 61) * 0.7])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    half = np.diff(panels)[:, None] / 2
    r = (panels[:-1, None] + half * (nodes + 1)).ravel()
    w = (half * weights).ravel()
    for k in (0.3, 2.0, 9.0):
        exact = k ** (1 - d / 2) * np.sum(w * np.asarray(profile(r)) * r ** (d / 2) * jv(d / 2 - 1, k * r))
        value, error = profile.fourier(np.array([k]))
        assert value[0] == pytest.approx(exact, rel=1e-9)
        assert error[0] < 1e-12 * value[0]


def test_a_wrong_interior_has_negative_fourier_mass():
    # Capping e^{−r}/r at its value at ε keeps it bounded but not realizable: the corner at ε oscillates without a
    # cusp to outweigh it.
    eps, k = 0.5, np.linspace(1.0, 60.0, 120)
    r = np.linspace(0.0, 40.0, 40_001)[1:]
    capped = np.exp(-np.maximum(r, eps)) / np.maximum(r, eps)
    transform = np.array([np.sum(capped * r * np.sin(q * r)) / q for q in k])
    assert transform.min() < -1e-5 * abs(transform).max()


@pytest.mark.parametrize("d", [3, 5, 7])
def test_overlap_of_two_balls_by_monte_carlo(d):
    rng = np.random.default_rng(d)
    t, r, n = 1.6, 0.5, 400_000
    points = rng.normal(size=(n, d))
    points *= (t / 2) * (rng.uniform(size=(n, 1)) ** (1 / d)) / np.linalg.norm(points, axis=1, keepdims=True)
    points[:, 0] -= r
    share = np.mean(np.sum(points**2, axis=1) < (t / 2) ** 2)
    error = math.sqrt(share * (1 - share) / n)
    assert float(ball_overlap(d, t, r)) / float(ball_overlap(d, t, 0.0)) == pytest.approx(share, abs=4 * error)
    ball = math.pi ** (d / 2) / math.gamma(d / 2 + 1) * (t / 2) ** d
    assert float(ball_overlap(d, t, 0.0)) == pytest.approx(ball, rel=1e-13)
    assert float(ball_overlap(d, t, 1.7)) == 0.0


@pytest.mark.parametrize("d", [3, 7])
def test_the_scaled_overlap_has_derivative_r(d):
    # The potential is a polynomial of degree d on [0, t]: interpolate it and differentiate the interpolant.
    nodes = np.cos(np.pi * (np.arange(d + 1) + 0.5) / (d + 1)) + 1.0
    fitted = np.polynomial.Polynomial.fit(nodes, np.asarray(overlap_potential(d, 2.0, nodes)), d)
    for r in (0.3, 1.1, 1.9):
        assert fitted.deriv(d - 1)(r) == pytest.approx(r, rel=1e-7)
    assert float(jax.grad(lambda r: overlap_potential(d, 2.0, r))(0.7)) == pytest.approx(
        -((4 - 0.49) ** ((d - 1) // 2)) / math.factorial(d - 1), rel=1e-12
    )
    assert float(overlap_potential(d, 2.0, 2.0)) == 0.0


def test_averaging_overlaps_gives_a_tent_only_in_three_dimensions():
    # ∫_r^t x^{−2} Φ_x(r) dx: its derivative of order d − 1 is 1 − r/t for d = 3. In d = 7 the derivative of each Φ_x
    # has derivatives of a point mass at r = x, which the average sees: it is 8/15 − r/t there.
    def slope(d, r, t):
        half = (d - 1) // 2
        return -mp.quad(lambda x: (x**2 - r**2) ** half / x**2, [r, t]) / mp.factorial(d - 1)

    with mp.workdps(40):
        t = mp.mpf(2)
        three = mp.diff(lambda r: slope(3, r, t), 1, 1)
        seven = mp.diff(lambda r: slope(7, r, t), 1, 5)
    assert float(three) == pytest.approx(1 - 0.5, abs=1e-9)
    assert float(seven) == pytest.approx(8 / 15 - 0.5, abs=1e-9)


def test_the_potentials_know_their_names_and_eigenvalue():
    potential = almost_harmonic(3, 0.2, 2.0)
    x, y = jnp.array([0.3, 0.1, -0.2]), jnp.array([-0.4, 0.2, 0.5])
    assert float(potential.laplacian(x, y)) == pytest.approx(2.0 * float(potential(x, y)), rel=1e-12)
    assert "harmonic" in potential.name
    assert bool(jnp.isinf(harmonic_yukawa(3).profile(0.0)))


@pytest.mark.parametrize("d", [2, 4, 5, 6, 9, 0, -1])
def test_a_dimension_without_the_construction_is_refused(d):
    with pytest.raises(EarnshawError, match="3"):
        AlmostHarmonic(d, 0.1)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_radius_and_eigenvalue_are_refused(bad):
    with pytest.raises(EarnshawError, match="eps must be"):
        AlmostHarmonic(3, bad)
    with pytest.raises(EarnshawError, match="lam must be"):
        Yukawa(3, bad)


def test_bounds_are_refused_where_they_are_not_claimed():
    with pytest.raises(EarnshawError, match="eps < 1"):
        AlmostHarmonic(3, 1.5).lower_bound(2.0)
    with pytest.raises(EarnshawError, match="order"):
        AlmostHarmonic(3, 0.5).derivative_bound(3)
