"""Newton's steps with positive curvatures: exact on quadratics, away from saddles, and short of every particle."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import SaddleFreeDescent, Stop, descend, endpoints
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import DoubleWell, Electrons, Particles, Quadratic, RayleighQuotient, Rosenbrock
from earnshaw.landscapes.encounters import encounters

KEY = jax.random.key(0)


def test_a_step_on_a_quadratic_divides_by_absolute_curvatures():
    q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))
    landscape = Quadratic(q @ np.diag([4.0, 0.25, -2.0]) @ q.T)
    x = q @ np.array([1.0, -2.0, 0.5])
    algorithm = SaddleFreeDescent(radius=100.0)
    after = algorithm.step(landscape, algorithm.init(landscape, jnp.asarray(x), KEY)).params
    # Positive curvatures are jumped to the bottom of, and along the negative one the coordinate doubles.
    np.testing.assert_allclose(q.T @ after, [0.0, 0.0, 1.0], atol=1e-12)


def test_no_step_is_longer_than_the_radius_and_the_radius_adapts():
    landscape = Quadratic(jnp.eye(2))
    algorithm = SaddleFreeDescent(radius=0.5)
    first = algorithm.step(landscape, algorithm.init(landscape, jnp.array([4.0, 0.0]), KEY))
    np.testing.assert_allclose(first.params, [3.5, 0.0], atol=1e-14)
    second = algorithm.step(landscape, first)
    np.testing.assert_allclose(second.params, [2.5, 0.0], atol=1e-14)


def test_the_loss_never_rises_and_the_minimum_is_found_to_rounding():
    landscape = Rosenbrock(2)
    algorithm = SaddleFreeDescent()
    state = algorithm.init(landscape, jnp.array([-1.2, 1.0]), KEY)
    step = jax.jit(lambda s: algorithm.step(landscape, s))
    losses = [float(state.loss)]
    for _ in range(60):
        state = step(state)
        losses.append(float(state.loss))
    assert np.all(np.diff(losses) <= 1e-15)
    np.testing.assert_allclose(state.params, [1.0, 1.0], atol=1e-9)


def test_saddles_push_away():
    trajectory = descend(
        DoubleWell(2), SaddleFreeDescent(), jnp.array([[1e-7, 0.3], [-1e-7, 0.3]]), stop=Stop(steps=80)
    )
    ends = endpoints(trajectory, DoubleWell(2))
    np.testing.assert_allclose(ends, [[1.0, 0.0], [-1.0, 0.0]], atol=1e-9)


@pytest.mark.slow
def test_it_stays_on_the_sphere():
    landscape = RayleighQuotient(np.diag([1.0, 2.0, 4.0]))
    ends = endpoints(descend(landscape, SaddleFreeDescent(), 4, stop=Stop(steps=60)), landscape)
    assert bool(jax.vmap(Sphere().contains)(ends).all())
    np.testing.assert_allclose(jnp.abs(ends[:, 0]), 1, rtol=1e-10)


def test_no_electron_covers_more_than_its_share_of_the_way_to_a_proton():
    landscape = Particles(potentials.coulomb(3), [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], form="interaction")
    algorithm = SaddleFreeDescent(radius=10.0, collision=1e-6, fraction=0.5)
    state = algorithm.init(landscape, Electrons(jnp.array([[0.3, 0.4, 0.0], [2.5, 0.1, -0.2]])), KEY)
    step = jax.jit(lambda s: algorithm.step(landscape, s))
    near = jax.jit(lambda s: encounters(landscape, s.params).nearest)
    for _ in range(60):
        before, after = near(state), step(state)
        moved = jnp.linalg.norm(after.params.positions - state.params.positions, axis=1)
        assert np.all(moved <= 0.5 * before * (1 + 1e-12))
        state = after
        if float(jnp.min(near(state))) <= 1e-6:
            break
    assert float(jnp.min(near(state))) <= 1e-6
    assert int(state.outcome) == 14  # collapsed


def test_a_start_on_top_of_a_proton_has_collapsed_already():
    landscape = Particles(potentials.coulomb(3), [[0.0, 0.0, 0.0]], form="interaction")
    trajectory = descend(
        landscape, SaddleFreeDescent(collision=1e-6), Electrons(jnp.array([[[0.0, 0.0, 1e-7]], [[0.0, 0.0, 1.0]]])),
        stop=Stop(steps=100),
    )  # fmt: skip
    assert trajectory.outcome.values.tolist() == ["collapsed", "collapsed"]
    # The electron at distance 1 had to halve it twenty times.
    steps = trajectory.steps.values.tolist()
    assert steps[0] == 0
    assert 20 <= steps[1] <= 60


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"radius": 0.0}, "radius must be positive"),
        ({"collision": -1.0}, "collision must not be negative"),
        ({"fraction": 1.0}, "between 0 and 1"),
        ({"radius": float("nan")}, "radius must be positive"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(EarnshawError, match=message):
        SaddleFreeDescent(**settings)
