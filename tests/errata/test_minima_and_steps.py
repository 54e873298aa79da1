"""Where prsz18 slips about minima and about what a step gains: the printed form fails and the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

from earnshaw import theorems
from earnshaw.descent import HessianDescent
from earnshaw.duality import potentials
from earnshaw.duality.potentials import Power
from earnshaw.duality.radial import Radial
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.descent_lemmas import Cubic
from earnshaw.theorems.joint_strictness import joint_curvature
from earnshaw.theorems.orthonormal_monomial import lone_electron
from earnshaw.theorems.search import classify


def test_35_the_printed_sign_of_the_curvature_step_climbs():
    cubic, alpha = Cubic(), 0.1
    x = jnp.array([0.1, 0.0, 0.0])
    value, vectors = jnp.linalg.eigh(jax.jit(lambda p: cubic.hessian(p))(x))
    v, slope = vectors[:, 0], cubic.gradient(x) @ vectors[:, 0]
    printed = x - alpha * value[0] * jnp.sign(slope) * v
    corrected = x + alpha * value[0] * jnp.sign(slope) * v
    assert float(cubic.loss(x)) == pytest.approx(-0.00517, abs=5e-6)
    assert float(cubic.loss(printed)) == pytest.approx(-0.00005, abs=5e-6)
    assert float(cubic.loss(corrected)) == pytest.approx(-0.02359, abs=5e-6)
    algorithm = HessianDescent(alpha)
    after = jax.jit(lambda p: algorithm.step(cubic, algorithm.init(cubic, p, jax.random.key(0))))(x)
    np.testing.assert_allclose(after.params, corrected, atol=1e-14)


@pytest.mark.parametrize(("share", "is_right"), [(1 / 3, True), (1 / 2, False)])
def test_36_a_curvature_step_gains_a_third(share, is_right):
    # γ = 1, B₃ = 1, α = 1/B₃, from 0 to −1
    gained = -float(Cubic().loss(jnp.array([-1.0, 0.0, 0.0])))
    assert gained == pytest.approx(0.3333, abs=1e-4)
    assert (gained >= share - 1e-12) == is_right


def test_37_a_strict_minimum_may_have_a_hessian_of_trace_zero_but_no_harmonic_function_has_one():
    quartic = jax.grad(jax.grad(lambda x: x**4))
    assert float(quartic(0.0)) == 0.0
    # The average of the Coulomb energy over a sphere is its value in the middle, so it cannot be larger all round.
    landscape = Particles(
        potentials.coulomb(3), np.array([[1.0, 0.2, 0.0], [-0.5, 1.0, 0.3]]), electrons=1, form="interaction"
    )
    nodes, weights = np.polynomial.legendre.leggauss(24)
    turns = 2 * np.pi * np.arange(48) / 48
    ring = np.sqrt(1 - nodes**2)
    sphere = np.stack(
        [ring[:, None] * np.cos(turns), ring[:, None] * np.sin(turns), nodes[:, None] + 0 * turns], axis=-1
    )
    loss = jax.jit(jax.vmap(lambda x: landscape.loss(Electrons(x[None]))))
    values = np.asarray(loss(jnp.asarray(0.4 * sphere.reshape(-1, 3)))).reshape(24, 48)
    assert weights @ values.mean(axis=1) / 2 == pytest.approx(float(loss(jnp.zeros((1, 3)))[0]), rel=1e-12)


@pytest.mark.parametrize(("profile", "is_right"), [(Power(0.5), False), (lambda r: jnp.exp(-r), True)])
def test_38_finite_and_strictly_subharmonic_on_the_line(profile, is_right):
    phi = Radial(profile)
    laplacian = float(phi.laplacian(jnp.array([1.0]), jnp.array([0.0])))
    assert (laplacian > 0) == is_right
    if not is_right:
        assert laplacian == pytest.approx(-0.25)


@pytest.mark.parametrize(("factor", "is_right"), [(4.0, True), (1.0, False)])
def test_39_the_laplacian_of_a_gaussian_has_a_factor_c(factor, is_right):
    d, c, r = 3, 4.0, 1.0
    exact = float(potentials.gaussian(c).laplacian(jnp.array([r, 0.0, 0.0]), jnp.zeros(3)))
    formula = factor * (c * r**2 - d) * math.exp(-c * r**2 / 2)
    assert exact == pytest.approx(0.5413, abs=1e-4)
    assert math.isclose(exact, formula, rel_tol=1e-12) == is_right
    if not is_right:
        assert formula == pytest.approx(0.1353, abs=1e-4)


@pytest.mark.parametrize(("c", "is_right"), [(3.3, True), (1.5, False)])
def test_40_the_gaussian_has_to_be_narrow(c, is_right):
    # ε = 1, d = 3, an electron at r² = 1.5 ε
    place = np.array([[[math.sqrt(1.5), 0.0, 0.0]]])
    curvature = float(joint_curvature(potentials.gaussian(c), np.zeros((1, 3)), place)[0])
    assert (curvature < 0) == is_right
    if not is_right:
        assert curvature == pytest.approx(-2 / 3 * c * (c * 1.5 - 3) * math.exp(-c * 0.75), rel=1e-12)
        assert curvature == pytest.approx(0.2435, abs=1e-4)


def test_41_adding_a_vector_to_spherical_coordinates_is_no_rotation():
    def point(polar, azimuth):
        return np.array([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)])

    before = point(np.pi / 2, 0.0) @ point(np.pi / 2, 1.0)
    after = point(np.pi / 4, 0.0) @ point(np.pi / 4, 1.0)
    assert before == pytest.approx(0.540, abs=1e-3)
    assert after == pytest.approx(0.770, abs=1e-3)


def test_42_the_corollary_is_about_potentials_that_its_theorem_excludes():
    """Printed, the corollary asks for all that the theorem asks for, so Φ(θ, θ) would be infinite and finite."""
    printed = theorems.check("prsz18-F.2", potential="exponential", d=1, starts=1)
    assert [hypothesis.text for hypothesis in printed.hypotheses if not hypothesis.met] == ["Φ(θ, θ) = ∞"]
    corrected = theorems.check("prsz18-CF.3", potential="exponential", d=1, starts=8)
    assert corrected.verdict == "holds"
    assert all(hypothesis.met for hypothesis in corrected.hypotheses)


@pytest.mark.parametrize(("power", "is_right"), [(1.0, False), (2.0, True)])
def test_43_alternating_derivatives_do_not_make_a_potential_square_integrable(power, is_right):
    def integral(radius):
        return quad(lambda r: r ** (2 - 2 * power), 1.0, radius)[0]

    growth = (integral(2e4) - 1e-9) / integral(1e4)
    assert (growth < 1.5) == is_right
    if not is_right:
        assert growth == pytest.approx(2.0, abs=1e-3)


def test_44_the_opposite_of_a_proton_is_a_minimum_too():
    landscape = lone_electron(potentials.monomial(3), np.eye(3), np.array([1.0, 0.7, 1.3]), None)
    found = classify(landscape, Electrons(-jnp.eye(3)[None, :1], jnp.array([[1.0]])))
    assert found.label.tolist() == ["minimum"]
    assert found.smallest[0] == pytest.approx(2.0, rel=1e-12)
    # One sign unit: 1 + a² − 2a(1 − (2/π)·arccos θ₁) in the teacher's sign
    theta, a = -1.0, -1.0
    assert 1 + a**2 - 2 * a * (1 - 2 / math.pi * math.acos(theta)) == 0.0


def test_45_what_the_average_over_the_other_coordinates_leaves_out():
    rest = math.sqrt(2 / math.pi) * 0.1 - float(erf(0.1 / math.sqrt(2)))
    assert rest == pytest.approx(0.000133, abs=1e-6)
    # Of third order: an eighth at half the size. So no charge of 10⁴ may be neglected.
    half = math.sqrt(2 / math.pi) * 0.05 - float(erf(0.05 / math.sqrt(2)))
    assert rest / half == pytest.approx(8.0, rel=0.01)
    assert 1e4 * rest > 1
