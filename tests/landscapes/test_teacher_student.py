"""Particles seen as two-layer networks: signs, biases, the sphere, and the expectation itself."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import activations
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Network, Particles

WEIGHTS = np.array([[1.0, 0.5], [-0.3, 0.8], [0.2, -0.9]])
OUTPUTS = np.array([1.0, -0.7, 0.4])
STUDENT = Network(
    jnp.array([[0.4, 0.4], [-1.0, 0.2]]),
    jnp.array([0.6, -1.1]),
)


def squared_error(activation, student, teacher):
    """E(student − teacher)² over a Gaussian plane, by polar quadrature that is accurate for kinks through 0 too."""
    # radial moments with generalised Laguerre nodes would assume a homogeneous σ; a fine grid assumes nothing
    t, mass = np.polynomial.legendre.leggauss(300)
    r, radial = 5 * (t + 1), 5 * mass
    phi = (np.arange(2000) + 0.5) * 2 * np.pi / 2000
    grid = np.stack([np.outer(r, np.cos(phi)), np.outer(r, np.sin(phi))], axis=-1).reshape(-1, 2)
    weight = np.repeat(radial * r * np.exp(-(r**2) / 2), 2000) / 2000
    gap = student.evaluate(activation, jnp.asarray(grid)) - teacher.evaluate(activation, jnp.asarray(grid))
    return float(weight @ np.asarray(gap) ** 2)


@pytest.mark.parametrize("name", ["relu", "erf", "tanh", "softplus"])
def test_loss_is_the_expected_squared_error(name):
    landscape = Particles.teacher_student(name, WEIGHTS, OUTPUTS, width=2, learn_outputs=True)
    expected = squared_error(activations.get(name), STUDENT, landscape.teacher())
    np.testing.assert_allclose(landscape.loss(landscape.parameters(STUDENT)), expected, rtol=1e-5)


def test_loss_with_biases_is_the_expected_squared_error():
    biases = np.array([0.3, -0.5, 0.1])
    landscape = Particles.teacher_student("tanh", WEIGHTS, OUTPUTS, biases=biases, width=2, learn_outputs=True)
    student = STUDENT._replace(biases=jnp.array([0.2, 0.7]))
    expected = squared_error(activations.get("tanh"), student, landscape.teacher())
    np.testing.assert_allclose(landscape.loss(landscape.parameters(student)), expected, rtol=1e-8)
    assert landscape.init(jax.random.key(0)).positions.shape == (2, 3)


def test_a_users_own_activation_works_and_needs_no_name():
    landscape = Particles.teacher_student(lambda z: jnp.sin(z) + z, WEIGHTS, width=2, student_outputs=[1.0, 2.0])
    student = STUDENT._replace(outputs=jnp.array([1.0, 2.0]))
    expected = squared_error(lambda z: jnp.sin(z) + z, student, landscape.teacher())
    np.testing.assert_allclose(landscape.loss(landscape.parameters(student)), expected, rtol=1e-8)


@pytest.mark.parametrize("biases", [None, np.array([0.3, -0.5, 0.1])])
def test_networks_and_parameters_are_inverse_to_each_other(biases):
    landscape = Particles.teacher_student("erf", WEIGHTS, OUTPUTS, biases=biases, learn_outputs=True)
    params = landscape.init(jax.random.key(1))
    back = landscape.parameters(landscape.network(params))
    np.testing.assert_array_equal(back.positions, params.positions)
    np.testing.assert_array_equal(back.charges, params.charges)
    teacher = landscape.teacher()
    np.testing.assert_array_equal(teacher.weights, WEIGHTS)
    np.testing.assert_array_equal(teacher.outputs, OUTPUTS)
    np.testing.assert_allclose(landscape.loss(landscape.parameters(teacher)), 0, atol=1e-12)


def test_fixed_outputs_are_the_teachers():
    landscape = Particles.teacher_student("relu", WEIGHTS, OUTPUTS)
    np.testing.assert_array_equal(landscape.network(landscape.init(jax.random.key(0))).outputs, OUTPUTS)
    np.testing.assert_allclose(landscape.loss(landscape.minimisers()[0]), 0, atol=1e-12)


def test_on_the_sphere_the_loss_is_the_same_function_of_unit_weights():
    unit = WEIGHTS / np.linalg.norm(WEIGHTS, axis=1, keepdims=True)
    for name in ("relu", "tanh"):
        flat = Particles.teacher_student(name, unit, OUTPUTS)
        round_ = Particles.teacher_student(name, unit, OUTPUTS, manifold=Sphere())
        params = round_.init(jax.random.key(2))
        assert round_.manifold.contains(params)
        np.testing.assert_allclose(round_.loss(params), flat.loss(params), rtol=1e-10)
        gradient, ambient = (eqx.filter_jit(lambda p, e=e: e.gradient(p))(params).positions for e in (round_, flat))
        np.testing.assert_allclose(gradient, Sphere().to_tangent(params.positions, ambient), atol=1e-10)


def test_hessian_on_the_sphere_is_the_second_derivative_along_great_circles():
    unit = WEIGHTS / np.linalg.norm(WEIGHTS, axis=1, keepdims=True)
    landscape = Particles.teacher_student("erf", unit, OUTPUTS, manifold=Sphere())
    params = landscape.init(jax.random.key(3))
    v = Sphere().to_tangent(params.positions, jax.random.normal(jax.random.key(4), params.positions.shape))
    speed = jnp.linalg.norm(v, axis=1, keepdims=True)

    def along(t):
        positions = jnp.cos(t * speed) * params.positions + jnp.sin(t * speed) * v / speed
        return landscape.loss(params._replace(positions=positions))

    action = eqx.filter_jit(lambda p, v: landscape.hvp(p, v))(params, params._replace(positions=v))
    np.testing.assert_allclose(jnp.sum(action.positions * v), jax.jit(jax.grad(jax.grad(along)))(0.0), rtol=1e-9)


@pytest.mark.parametrize(("name", "learned"), [("erf", True), ("quadratic", False), ("relu", True)])
def test_the_canonical_network_is_the_same_function(name, learned):
    landscape = Particles.teacher_student(name, WEIGHTS, OUTPUTS, learn_outputs=learned)
    params = landscape.init(jax.random.key(5))
    np.testing.assert_allclose(landscape.loss(landscape.canonicalise(params)), landscape.loss(params), rtol=1e-10)


def test_sign_symmetric_networks_have_one_representative():
    odd = Particles.teacher_student("erf", WEIGHTS, OUTPUTS, learn_outputs=True)
    even = Particles.teacher_student("quadratic", WEIGHTS)
    neither = Particles.teacher_student("relu", WEIGHTS, OUTPUTS, learn_outputs=True)
    flip, order = jnp.array([1.0, -1.0, -1.0]), jnp.array([2, 0, 1])
    for landscape, same in ((odd, True), (even, True), (neither, False)):
        params = landscape.init(jax.random.key(6))
        charges = None if params.charges is None else (params.charges * flip)[order]
        flipped = type(params)((params.positions * flip[:, None])[order], charges)
        one, other = landscape.canonicalise(params), landscape.canonicalise(flipped)
        assert bool(jnp.allclose(one.positions, other.positions)) == same
        assert bool(jnp.allclose(landscape.loss(params), landscape.loss(flipped))) == same


def test_canonical_order_keeps_fixed_charges_in_their_slots():
    landscape = Particles.teacher_student("relu", WEIGHTS, [1.0, 2.0, 1.0])
    params = landscape.init(jax.random.key(7))
    swapped = params._replace(positions=params.positions[jnp.array([2, 1, 0])])
    one, other = landscape.canonicalise(params), landscape.canonicalise(swapped)
    np.testing.assert_array_equal(one.positions, other.positions)
    np.testing.assert_array_equal(one.positions[1], params.positions[1])
    np.testing.assert_allclose(landscape.loss(one), landscape.loss(params), rtol=1e-12)
