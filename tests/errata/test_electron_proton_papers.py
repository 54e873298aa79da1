"""Where zps17 and prsz18 slip: each test sees the printed form fail and the corrected one hold.

The numbers in the names are those of docs/errata.md.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import activations, potentials
from earnshaw.duality.dual import Dual
from earnshaw.duality.radial_activation import RadialActivation
from earnshaw.duality.synthetic import almost_one_harmonic
from earnshaw.landscapes import Electrons, Particles

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
WEIGHTS = WEIGHTS / np.sqrt(2 * np.pi)
RHO = 0.37
THETA = jnp.array([1.0, 0.0])
W = jnp.array([RHO, np.sqrt(1 - RHO**2)])


def correlation(unit):
    """E σ(X)σ(Y) for standard normal X, Y with correlation ρ, by tensor quadrature."""
    x = NODES[:, None]
    y = RHO * x + np.sqrt(1 - RHO**2) * NODES[None, :]
    return float(np.sum(WEIGHTS[:, None] * WEIGHTS[None, :] * unit(x) * unit(y)))


@pytest.mark.parametrize(("shift", "is_right"), [(-1.0, True), (-2.0, False)])
def test_1_the_exponential_unit_is_shifted_by_one(shift, is_right):
    target = np.exp(RHO - 1)
    by_quadrature = correlation(lambda z: np.exp(z + shift))
    by_library = float(Dual(activations.exponential(shift))(THETA, W))
    assert by_library == pytest.approx(by_quadrature, rel=1e-12)
    assert (abs(by_library - target) < 1e-12) == is_right


@pytest.mark.parametrize(("factor", "is_right"), [(1.0, True), (np.sqrt(2), False)])
def test_2_the_sign_unit_has_no_factor(factor, is_right):
    target = 1 - 2 / np.pi * np.arccos(RHO)
    unit = Dual(activations.sign())
    draws = np.random.default_rng(0).normal(size=(200_000, 2))
    sampled = factor**2 * np.mean(np.sign(draws @ THETA) * np.sign(draws @ W))
    assert factor**2 * float(unit(THETA, W)) == pytest.approx(sampled, abs=5 * factor**2 / np.sqrt(len(draws)))
    assert (abs(factor**2 * float(unit(THETA, W)) - target) < 1e-12) == is_right


@pytest.mark.parametrize(("multiple", "is_right"), [(1.0, True), (2.0, False)])
def test_3_the_flow_on_half_the_loss_is_the_dynamics_under_the_potential_itself(multiple, is_right):
    potential = potentials.gaussian()
    a, b = jnp.array([-1.0, -0.5]), jnp.array([1.0, 2.0, -0.7])
    theta, w = jax.random.normal(jax.random.key(0), (2, 3)), jax.random.normal(jax.random.key(1), (3, 3))
    landscape = Particles(potential, w, b, electrons=2, electron_charges=a)
    velocity = -landscape.gradient(Electrons(theta)).positions / 2

    def force(i):
        push = jax.grad(lambda point, other: potential(point, other))
        from_electrons = sum(a[j] * push(theta[i], theta[j]) for j in range(2) if j != i)
        from_protons = sum(b[j] * push(theta[i], w[j]) for j in range(3))
        return -a[i] * (from_electrons + from_protons)

    forces = multiple * jnp.stack([force(i) for i in range(2)])
    assert bool(jnp.allclose(velocity, forces, rtol=1e-12, atol=1e-12)) == is_right


@pytest.mark.parametrize(("exponent", "is_right"), [(2 / 4, True), (1 / 4, False)])
def test_4_the_prefactor_grows_with_the_dimension(exponent, is_right):
    d = 2
    unit = RadialActivation(lambda r: (2 / jnp.pi) ** (d / 4) * jnp.exp(-(r**2)), d)
    axis = jnp.linspace(-7, 7, 281)
    x = jnp.stack(jnp.meshgrid(axis, axis), axis=-1)
    density = jnp.exp(-jnp.sum(x**2, axis=-1) / 2) / (2 * jnp.pi) * (axis[1] - axis[0]) ** 2
    as_printed_or_corrected = (2 * jnp.pi) ** (exponent - d / 4)
    product = as_printed_or_corrected**2 * unit(x, THETA) * unit(x, W)
    target = float(jnp.exp(-jnp.sum((THETA - W) ** 2) / 2))
    assert (abs(float(jnp.sum(density * product)) - target) < 1e-10) == is_right


def test_5_the_loss_is_not_jointly_convex():
    landscape = Particles.teacher_student("relu", jnp.eye(2), learn_outputs=True)
    one = landscape.minimisers()[0]
    other = jax.tree.map(lambda leaf: leaf[::-1], one)
    middle = jax.tree.map(lambda p, q: (p + q) / 2, one, other)
    assert float(landscape.loss(one)) == pytest.approx(0, abs=1e-12)
    assert float(landscape.loss(other)) == pytest.approx(0, abs=1e-12)
    assert float(landscape.loss(middle)) > 0.01
    # In the charges alone it is a convex quadratic.
    charges = jax.hessian(lambda a: landscape.loss(Electrons(one.positions, a)))(one.charges)
    assert float(jnp.linalg.eigvalsh(charges)[0]) >= 0


@pytest.mark.parametrize("is_right", [True, False])
def test_6_the_truncated_coefficient_is_what_remains_and_with_a_minus(is_right):
    d, degree = 5, 10
    potential = almost_one_harmonic(d, degree)
    theta, w = jnp.eye(d)[0], jnp.array([RHO, np.sqrt(1 - RHO**2), 0, 0, 0])

    def extended(point):
        return potential.profile(point @ w / jnp.sqrt(point @ point))

    # On the unit sphere the Laplacian of the extension that is constant along rays is Laplace and Beltrami's.
    residual = float(jnp.trace(jax.hessian(extended)(theta)) - extended(theta))
    k = degree**2 + (d - 2) * degree + 1
    c = potential.profile.coefficients[degree]
    form = -c * k * RHO**degree if is_right else k * RHO**degree
    assert (abs(residual - form) < 1e-10 * abs(residual)) == is_right
