"""Values and derivatives of duals where vectors coincide, oppose each other, are parallel or vanish."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import Dual, activations

NAMES = sorted(activations.CATALOGUE)
X = jnp.array([0.6, 0.3, -0.2])
SPECIAL = {"coincident": X, "opposite": -X, "parallel": 2 * X, "zero": 0 * X}


@cache
def derivatives(name):
    """Value, gradient and full Hessian in both arguments, compiled once for all tests."""
    phi = Dual(name, max_norm=2.0)

    def joint(z):
        return phi(z[:3], z[3:])

    def compute(x, y):
        z = jnp.concatenate([x, y])
        return joint(z), jax.grad(joint)(z), jax.hessian(joint)(z)

    return jax.jit(compute)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_finite_at_special_positions(name):
    compute = derivatives(name)
    for y in SPECIAL.values():
        assert all(np.all(np.isfinite(part)) for part in compute(X, y))
        assert all(np.all(np.isfinite(part)) for part in compute(y, X))
    assert all(np.all(np.isfinite(part)) for part in compute(0 * X, 0 * X))


@pytest.mark.parametrize("y", [jnp.array([-0.2, 0.5, 0.9]), X + jnp.array([1e-3, 0.0, 2e-3]), -1.7 * X + 1e-2])
def test_the_hessian_of_the_sign_is_that_of_the_plain_arccosine(y):
    def plain(z):
        x, y = z[:3], z[3:]
        return 1 - 2 / jnp.pi * jnp.arccos(x @ y / jnp.linalg.norm(x) / jnp.linalg.norm(y))

    z = jnp.concatenate([X, y])
    _, gradient, hessian = derivatives("sign")(X, y)
    assert np.allclose(gradient, jax.grad(plain)(z), rtol=1e-8)
    expected = jax.hessian(plain)(z)
    assert np.max(np.abs(expected)) > 0.5
    assert np.allclose(hessian, expected, rtol=1e-6, atol=1e-7 * np.max(np.abs(expected)))


SMOOTH_AT = {
    # sign and step have no derivative where vectors are parallel, and no limit at zero
    name: [] if name in ("sign", "step") else ["coincident", "opposite", "parallel"]
    for name in NAMES
}
for smooth in set(NAMES) - {"sign", "step", "relu", "leaky_relu"}:
    SMOOTH_AT[smooth] = [*SMOOTH_AT[smooth], "zero"]


@pytest.mark.parametrize("name", NAMES)
def test_gradients_and_hessians_are_the_limits_of_those_nearby(name):
    compute = derivatives(name)
    direction = jnp.array([0.3, -0.8, 0.5])
    for place in SMOOTH_AT[name]:
        at = compute(X, SPECIAL[place])
        for distance, tolerance in ((1e-4, 3e-3), (1e-7, 3e-6), (1e-9, 1e-7)):
            near = compute(X, SPECIAL[place] + distance * direction)
            for here, there in zip(at, near, strict=True):
                assert np.max(np.abs(here - there)) < tolerance * max(1.0, float(np.max(np.abs(here))))


def test_the_relu_hessian_at_coincident_points_is_that_of_half_the_squared_norm():
    # Φ(θ, θ) = ‖θ‖²/2, so the four blocks of the Hessian add up to the identity
    _, gradient, hessian = derivatives("relu")(X, X)
    blocks = hessian.reshape(2, 3, 2, 3)
    assert np.allclose(gradient[:3] + gradient[3:], X, atol=1e-14)
    assert np.allclose(jnp.sum(blocks, axis=(0, 2)), np.eye(3), atol=1e-11)


def test_the_relu_gradient_near_a_proton_has_no_noise_of_the_arccosine():
    gradient = jax.jit(jax.grad(Dual("relu")))
    direction = jnp.array([0.3, 0.2, 1.2])  # orthogonal to X
    errors = []
    for distance in (1e-6, 1e-8, 1e-10):
        exact = (X * 0 + (jnp.pi - distance * jnp.linalg.norm(direction) / jnp.linalg.norm(X)) * X) / (2 * jnp.pi)
        exact = exact + distance * jnp.linalg.norm(direction) / jnp.linalg.norm(X) * X / (2 * jnp.pi)
        errors.append(float(jnp.max(jnp.abs(gradient(X + distance * direction, X) - exact))))
    # the first order in the angle cancels; what is left is of second order, far below the 1e-8 of an arccosine
    assert errors[1] < 1e-11
    assert errors[2] < 1e-11


@pytest.mark.parametrize("name", ["relu", "step"])
def test_biased_units_have_their_limits_too(name):
    phi = Dual(name, bias=True)
    compute = jax.jit(lambda x, y: (phi(x, y), jax.grad(phi)(x, y), jax.hessian(phi)(x, y)))
    for bias in (0.4, -0.4, 0.0):
        x = jnp.append(X, bias)
        for y in (x, -x, x.at[:3].multiply(-1.0), x.at[:3].set(0.0), 2 * x):
            assert all(np.all(np.isfinite(part)) for part in (*compute(x, y), *compute(y, x)))


def test_the_biased_relu_hessian_is_the_derivative_of_its_gradient():
    phi = Dual("relu", bias=True)
    gradient, hessian = jax.jit(jax.grad(phi)), jax.jit(jax.hessian(phi))
    x, y, h = jnp.append(X, 0.3), jnp.array([0.4, -1.0, 0.9, -0.7]), 1e-5
    differences = np.array([(gradient(x + h * e, y) - gradient(x - h * e, y)) / (2 * h) for e in np.eye(4)])
    assert np.allclose(hessian(x, y), differences, atol=1e-8)
    # with both biases zero it is the Hessian of the dual without biases, also at coincident points
    zero = jnp.append(X, 0.0)
    assert np.allclose(hessian(zero, zero)[:3, :3], jax.hessian(Dual("relu"))(X, X), atol=1e-12)


def test_a_weightless_unit_is_a_constant_and_opposite_relu_units_never_fire_together():
    x, constant = jnp.append(X, 0.3), jnp.array([0.0, 0.0, 0.0, 0.7])
    phi = Dual("relu", bias=True)
    assert float(phi(x, constant)) == pytest.approx(0.7 * float(phi.mean(x[None])[0]), abs=1e-14)
    assert float(phi(x, -x)) == pytest.approx(0.0, abs=1e-14)


def test_the_laplacian_of_the_relu_dual_is_its_closed_form():
    # Δ = d·t·sin α/(2πs)
    y = jnp.array([0.4, -1.0, 0.9])
    s, t = jnp.linalg.norm(X), jnp.linalg.norm(y)
    sine = jnp.sqrt(1 - (X @ y / (s * t)) ** 2)
    assert float(Dual("relu").laplacian(X, y)) == pytest.approx(float(3 * t * sine / (2 * jnp.pi * s)), rel=1e-12)
