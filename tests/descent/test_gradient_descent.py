import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import Constant, Decaying, GradientDescent, Stop, descend, endpoints
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Quadratic, RayleighQuotient

EIGENVALUES = np.array([2.0, 0.5, -0.1])
FOREVER = {"gradient_norm": None, "divergence": None}


@pytest.fixture(scope="module")
def rotated():
    q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))
    return q, Quadratic(q @ np.diag(EIGENVALUES) @ q.T)


def test_on_a_quadratic_every_eigendirection_is_a_power(rotated):
    q, landscape = rotated
    x = np.random.default_rng(1).normal(size=(5, 3))
    trajectory = descend(landscape, GradientDescent(0.3), x, stop=Stop(steps=70, **FOREVER))
    expected = ((x @ q) * (1 - 0.3 * EIGENVALUES) ** 70) @ q.T
    np.testing.assert_allclose(endpoints(trajectory, landscape), expected, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(trajectory.final_time, 0.3 * 70, rtol=1e-13)


@pytest.mark.parametrize(
    ("algorithm", "size"),
    [
        (GradientDescent(Decaying(0.4, rate=0.5, power=0.75)), lambda t: 0.4 * (1 + 0.5 * t) ** -0.75),
        (GradientDescent(lambda t: 0.2 * 0.9**t), lambda t: 0.2 * 0.9**t),
        (GradientDescent(Constant(0.0)), lambda t: 0.0),
    ],
)
def test_on_a_quadratic_varying_steps_give_a_product(rotated, algorithm, size):
    q, landscape = rotated
    x = np.random.default_rng(1).normal(size=(4, 3))
    steps = [size(t) for t in range(50)]
    trajectory = descend(landscape, algorithm, x, stop=Stop(steps=50, **FOREVER))
    factors = np.prod([1 - s * EIGENVALUES for s in steps], axis=0)
    np.testing.assert_allclose(endpoints(trajectory, landscape), ((x @ q) * factors) @ q.T, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(trajectory.final_time, sum(steps), rtol=1e-12)


def test_on_the_sphere_it_is_a_projected_step_and_finds_the_least_eigenvector():
    landscape = RayleighQuotient(np.diag([1.0, 2.0, 4.0]))
    algorithm = GradientDescent(0.1)
    x = landscape.init(jax.random.key(1))
    once = algorithm.step(landscape, algorithm.init(landscape, x, jax.random.key(0))).params
    ahead = x - 0.1 * landscape.gradient(x)
    np.testing.assert_allclose(once, ahead / jnp.linalg.norm(ahead), rtol=1e-14)
    trajectory = descend(landscape, algorithm, 6, stop=Stop(steps=3000, gradient_norm=1e-10))
    assert set(trajectory.outcome.values) == {"converged"}
    ends = endpoints(trajectory, landscape)
    assert bool(jax.vmap(Sphere().contains)(ends).all())
    np.testing.assert_allclose(jnp.abs(ends[:, 0]), 1, rtol=1e-12)


@pytest.mark.parametrize("bad", [-0.1, float("nan"), float("inf")])
def test_bad_step_sizes_are_refused_in_a_sentence(bad):
    for build in (
        GradientDescent,
        Constant,
        Decaying,
        lambda a: Decaying(0.1, rate=a),
        lambda a: Decaying(0.1, power=a),
    ):
        with pytest.raises(EarnshawError, match="finite number that is not negative"):
            build(bad)
    with pytest.raises(EarnshawError, match="finite number that is not negative"):
        GradientDescent(lambda t: bad + 0 * t)


def test_a_step_size_must_be_one_number():
    with pytest.raises(EarnshawError, match="one number"):
        GradientDescent(lambda t: jnp.ones(2) * t)
    with pytest.raises(EarnshawError, match="must map the number of a step"):
        GradientDescent(lambda t: undefined * t)
