"""The families and the catalogue: pair functions, self-energies, derivatives and Laplacians."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import Dual, Potential, PowerSeries, Radial, Separable, Zonal, potentials
from earnshaw.errors import EarnshawError

SETTINGS = {
    "almost_harmonic": {"d": 3, "eps": 0.1},
    "almost_one_harmonic": {"d": 3, "degree": 10},
    "matern": {"nu": 2.5},
    "polynomial": None,
}
NAMES = sorted(name for name in potentials.CATALOGUE if SETTINGS.get(name, {}) is not None)
RNG = np.random.default_rng(3)


def make(name) -> Potential:
    return potentials.get(name, **(SETTINGS.get(name) or {}))


def sample(potential, n):
    points = RNG.normal(size=(n, 3))
    if potential.space == "sphere":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    return jnp.array(points)


@pytest.mark.parametrize("name", NAMES)
def test_matrix_surroundings_and_single_pairs_agree_and_are_symmetric(name):
    potential = make(name)
    x, y = sample(potential, 4), sample(potential, 3)
    pairs = np.array([[float(potential(a, b)) for b in y] for a in x])
    assert np.allclose(potential.matrix(x, y), pairs, rtol=1e-13)
    assert np.allclose(potential.matrix(y, x), pairs.T, rtol=1e-12)
    around = np.asarray(potential.surroundings(x, y))
    assert np.allclose(around[:, 4:], pairs, rtol=1e-12)
    assert np.all(np.diag(around[:, :4]) == 0)
    off = ~np.eye(4, dtype=bool)
    assert np.allclose(around[:, :4][off], np.asarray(potential.matrix(x, x))[off], rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_of_the_surroundings_are_those_of_the_pairs(name):
    potential = make(name)
    x, y = sample(potential, 3), sample(potential, 2)

    first, second = np.nonzero(np.eye(3, 5) == 0)

    def by_pairs(z):
        # one pair after the other, the points' pairs with themselves left out
        return jnp.sum(jax.vmap(lambda i, j: potential(z[i], z[j]))(first, second) * weights[first, second])

    weights = np.array([[(i + 2 * j) * (i != j) for j in range(3)] + [i - j + 0.5 for j in range(2)] for i in range(3)])

    def by_surroundings(z):
        return jnp.sum(potential.surroundings(z[:3], z[3:]) * weights)

    z = jnp.concatenate([x, y])
    assert np.allclose(jax.jit(jax.grad(by_surroundings))(z), jax.jit(jax.grad(by_pairs))(z), rtol=1e-9, atol=1e-11)
    direction = jnp.array(RNG.normal(size=z.shape))

    def hvp(f):
        return jax.jit(lambda z: jax.jvp(jax.grad(f), (z,), (direction,))[1])(z)

    assert np.allclose(hvp(by_surroundings), hvp(by_pairs), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_self_energies_are_the_value_of_a_point_with_itself(name):
    potential = make(name)
    x = sample(potential, 2)
    with np.errstate(divide="ignore"):
        assert np.allclose(potential.self_energy(x), [potential(a, a) for a in x], rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_laplacian_is_the_trace_of_the_hessian_on_the_potentials_own_space(name):
    potential = make(name)
    x, y = sample(potential, 2)
    if potential.space == "sphere":
        # Laplace-Beltrami: the Laplacian of the extension that is constant along rays
        def extended(z):
            return potential(z / jnp.linalg.norm(z), y)
    else:

        def extended(z):
            return potential(z, y)

    expected = float(jnp.trace(jax.jit(jax.hessian(extended))(x)))
    assert float(potential.laplacian(x, y)) == pytest.approx(expected, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(
    "potential",
    [make("gaussian"), make("coulomb"), make("matern"), make("bessel"), make("sign"), Dual("relu"), Dual("tanh")],
    ids=lambda p: p.name,
)
def test_the_laplacian_of_the_sphere_is_that_of_the_extension_along_rays(potential):
    x, y = jnp.array([0.48, 0.6, 0.64]), jnp.array([-0.6, 0.0, 0.8])
    expected = jnp.trace(jax.jit(jax.hessian(lambda z: potential(z / jnp.linalg.norm(z), y)))(x))
    assert float(potential.laplace_beltrami(x, y)) == pytest.approx(float(expected), rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(
    "potential", [potentials.gaussian(), potentials.matern(2.5), Dual("erf")], ids=lambda p: p.name
)
def test_the_laplacian_of_the_sphere_at_coincident_points_is_a_limit(potential):
    x = jnp.array([0.48, 0.6, 0.64])
    near = (x + 1e-4 * jnp.array([0.64, 0.0, -0.48])) / jnp.sqrt(1 + 0.64e-8)
    assert float(potential.laplace_beltrami(x, x)) == pytest.approx(
        float(potential.laplace_beltrami(near, x)), rel=1e-6
    )


@pytest.mark.parametrize("name", ["gaussian", "inverse_multiquadric", "matern"])
def test_smooth_radial_potentials_have_their_hessian_at_coincident_points(name):
    potential = make(name)
    x = jnp.array([0.3, -0.2, 0.7])
    curvature = float(jax.grad(jax.grad(potential.profile))(jnp.array(0.0)))
    assert np.allclose(jax.grad(potential)(x, x), 0)
    assert np.allclose(jax.hessian(potential)(x, x), curvature * np.eye(3), atol=1e-12)
    assert np.allclose(jax.hessian(potential)(x + 1e-5, x), curvature * np.eye(3), atol=1e-3)
    assert float(potential.laplacian(x, x)) == pytest.approx(3 * curvature)


@pytest.mark.parametrize("name", ["coulomb", "yukawa", "logarithmic", "distance", "almost_harmonic"])
def test_cusps_and_poles_have_gradient_zero_between_coincident_electrons(name):
    potential = make(name)
    x = jnp.array([[0.3, -0.2, 0.7], [0.1, 0.0, 1.0]])
    gradient = jax.jit(jax.grad(lambda x: jnp.sum(potential.interactions(x))))(x)
    assert np.all(np.isfinite(gradient))
    assert np.allclose(jax.grad(potential)(x[0], x[0]), 0)


@pytest.mark.parametrize("d", [1, 3, 5, 8])
def test_coulomb_is_harmonic_in_its_dimension_and_in_no_other(d):
    x, y = jnp.arange(1.0, d + 1), jnp.zeros(d)
    potential = potentials.coulomb(d)
    scale = abs(float(potential(x, y))) / float(x @ x)
    assert abs(float(potential.laplacian(x, y))) < 1e-12 * scale
    x, y = jnp.arange(1.0, d + 3), jnp.zeros(d + 2)
    scale = abs(float(potential(x, y))) / float(x @ x)
    assert abs(float(potential.laplacian(x, y))) > 0.1 * scale


def test_the_matern_family_interpolates_between_exponential_and_gaussian():
    r = jnp.linspace(0.1, 2.0, 7)
    assert np.allclose(potentials.matern(0.5).profile(r), jnp.exp(-r))
    assert np.allclose(potentials.matern(1.5).profile(r), (1 + jnp.sqrt(3.0) * r) * jnp.exp(-jnp.sqrt(3.0) * r))
    assert np.allclose(potentials.matern(60.5).profile(r), jnp.exp(-(r**2) / 2), atol=1e-2)


def test_power_series_agree_with_numpy_in_value_and_derivatives():
    coefficients = (0.5, 0.0, 1.5, -2.0, 0.0, 0.25)
    series = PowerSeries(coefficients)
    rho = jnp.linspace(-1, 1, 9)
    exact = np.polynomial.Polynomial(coefficients)
    assert np.allclose(series(rho), exact(np.asarray(rho)))
    assert np.allclose(jax.vmap(jax.grad(series))(rho), exact.deriv()(np.asarray(rho)))
    assert np.allclose(jax.vmap(jax.grad(jax.grad(series)))(rho), exact.deriv(2)(np.asarray(rho)))
    assert np.allclose(series.derivative()(rho), exact.deriv()(np.asarray(rho)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: potentials.get("colomb"), "did you mean 'coulomb'"),
        (lambda: potentials.get("gaussian", d=3), "unknown setting of the potential 'gaussian' 'd'"),
        (lambda: potentials.get("almost_harmonic"), "needs a value for d and eps"),
        (lambda: potentials.get("almost_harmonic", d=5, eps=0.1), "3 or 7|7 or 3|d = 3"),
        (lambda: potentials.gaussian(-1.0), "positive finite number"),
        (lambda: potentials.coulomb(0), "whole number of at least 1"),
        (lambda: potentials.matern(1.2), "½, 3/2, 5/2"),
        (lambda: potentials.monomial(-1), "whole number from 0 to 100000"),
        (lambda: potentials.polynomial(), "at least one coefficient"),
        (lambda: potentials.polynomial(float("nan")), "finite"),
        (lambda: Radial(3.0), "needs a function"),
        (lambda: Radial(lambda r: jnp.stack([r, r])), "must return one number"),
        (lambda: Zonal(lambda r: jnp.stack([r, r])), "must return one number"),
        (lambda: Separable(lambda r: jnp.stack([r, r])), "must return one number"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
