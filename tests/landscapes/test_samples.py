import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from earnshaw.duality import activations, potentials
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import DoubleWell, Electrons, Empirical, Particles
from earnshaw.landscapes.node import Node

RNG = np.random.default_rng(0)
W = RNG.normal(size=(3, 3)) / 2
UNIT = W / np.linalg.norm(W, axis=1, keepdims=True)


def node(mode):
    particles = Particles.teacher_student("relu", W, [1.0, -0.5, 2.0], learn_outputs=True)
    charge = jnp.array(0.7) if mode == "fixed" else None
    return Node(particles, particles.protons, particles.charges, mode, charge)


def empirical(weights):
    inputs, targets = RNG.normal(size=(7, 2)), RNG.normal(size=7)
    return Empirical(
        lambda w, x: jnp.tanh(w @ x), inputs, targets, weights=weights, half=weights is not None,
        init=lambda key: jax.random.normal(key, (2,)),
    )  # fmt: skip


LANDSCAPES = {
    "relu": Particles.teacher_student("relu", W, [1.0, -0.5, 2.0], learn_outputs=True),
    "biases": Particles.teacher_student("tanh", W, biases=[0.1, -0.3, 0.5], regularisation=0.1),
    "sphere": Particles.teacher_student("relu", UNIT, manifold=Sphere(), form="without-constant"),
    "interaction": Particles.teacher_student("tanh", W, form="interaction"),
    "hermite": Particles(potentials.monomial(3), UNIT, activation=activations.hermite(3), form="interaction"),
    "gaussian": Particles(potentials.gaussian(), W, activation=activations.gaussian(3)),
    "learned node": node("learned"),
    "fixed node": node("fixed"),
    "optimal node": node("optimal"),
    "examples": empirical(None),
    "weighted examples": empirical([1.0, 2.0, 0.0, 4.0, 0.5, 1.0, 1.0]),
}


#: One of each kind; the others take as long to compile and are left to the slow suite.
QUICK = ("biases", "hermite", "optimal node", "weighted examples")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in LANDSCAPES]
)
def test_sampled_losses_and_gradients_are_right_on_average(name):
    landscape, draws = LANDSCAPES[name], 4000
    params = landscape.init(jax.random.key(3))

    @jax.jit
    def estimates(keys):
        one = jax.vmap(lambda key: landscape.sampled_value_and_gradient(params, key, 5))(keys)
        return one[0], jax.vmap(lambda g: ravel_pytree(g)[0])(one[1])

    values, gradients = estimates(jax.random.split(jax.random.key(1), draws))
    value, gradient = landscape.value_and_gradient(params)
    for found, exact in ((values[:, None], value[None]), (gradients, ravel_pytree(gradient)[0])):
        error = np.std(found, axis=0, ddof=1) / np.sqrt(draws)
        assert np.all(np.abs(np.mean(found, axis=0) - exact) <= 4.5 * error + 1e-12), name
        assert np.all(error < 1.0)


def test_the_gradient_of_an_estimate_is_tangent_to_the_sphere():
    landscape = LANDSCAPES["sphere"]
    params = landscape.init(jax.random.key(0))
    _, gradient = landscape.sampled_value_and_gradient(params, jax.random.key(1), 3)
    np.testing.assert_allclose(jnp.sum(gradient.positions * params.positions, axis=1), 0, atol=1e-13)


def test_an_estimate_is_the_error_of_the_student_on_its_inputs():
    # Without constants that is (f + g)² − g² on the inputs of the key.
    landscape = LANDSCAPES["relu"]
    params, key = landscape.init(jax.random.key(0)), jax.random.key(7)
    inputs = np.asarray(jax.random.normal(key, (6, 3)))
    student = np.maximum(inputs @ np.asarray(params.positions).T, 0) @ np.asarray(params.charges)
    teacher = np.maximum(inputs @ W.T, 0) @ np.array([1.0, -0.5, 2.0])
    expected = np.mean((student + teacher) ** 2 - teacher**2) + landscape.constant
    assert float(landscape.sampled_loss(params, key, 6)) == pytest.approx(float(expected), rel=1e-12)


def test_the_activation_of_frozen_electrons_is_remembered():
    landscape = LANDSCAPES["hermite"]
    smaller, rest = landscape.freeze(landscape.init(jax.random.key(0)), 0)
    assert smaller.activation == landscape.activation
    assert np.isfinite(smaller.sampled_loss(rest, jax.random.key(0), 2))


def test_what_has_no_samples_says_so():
    with pytest.raises(EarnshawError, match="no expectation"):
        DoubleWell().sampled_loss(jnp.zeros(2), jax.random.key(0), 1)
    unknown = Particles(potentials.gaussian(), W)
    with pytest.raises(EarnshawError, match="give Particles an activation"):
        unknown.sampled_loss(Electrons(jnp.asarray(W)), jax.random.key(0), 1)


@pytest.mark.parametrize(
    ("potential", "points", "wrong"),
    [
        (potentials.monomial(3), UNIT, activations.hermite(2)),
        (potentials.gaussian(0.5), W, activations.gaussian(3)),
    ],
)
def test_an_activation_that_does_not_realize_the_potential_is_refused(potential, points, wrong):
    with pytest.raises(EarnshawError, match="does not realize"):
        Particles(potential, points, activation=wrong)
