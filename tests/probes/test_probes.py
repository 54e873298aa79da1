import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from earnshaw import probes
from earnshaw.descent import GradientDescent, State, Stop, descend
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Particles, Quadratic, RayleighQuotient
from earnshaw.landscapes.electrons import Electrons

SHORT = Stop(steps=20, gradient_norm=None)


def gaussian_particles():
    protons = np.random.default_rng(0).normal(size=(4, 2)) * 2
    return Particles(Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian"), protons)


@pytest.mark.parametrize(
    "landscape",
    [
        DoubleWell(5),
        Quadratic(np.diag([-2.0, 0, 0, 5])),
        RayleighQuotient(np.diag([1.0, 2, 3, 4])),
        gaussian_particles(),
    ],
    ids=lambda landscape: type(landscape).__name__,
)
def test_hessian_eigenvalues_are_those_of_the_dense_hessian_in_the_tangent_space(landscape):
    smallest, largest = probes.get("smallest_hessian_eigenvalue"), probes.get("largest_hessian_eigenvalue")

    def both(key):
        params = landscape.init(key)
        state = State.at(landscape, params, key)
        return smallest(landscape, state, params) | largest(landscape, state, params), landscape.hessian(params)

    found, hessians = jax.jit(jax.vmap(both))(jax.random.split(jax.random.key(0), 3))
    spectra = jnp.linalg.eigvalsh(hessians)
    np.testing.assert_allclose(found["smallest_hessian_eigenvalue"], spectra[:, 0], atol=1e-9)
    np.testing.assert_allclose(found["largest_hessian_eigenvalue"], spectra[:, -1], atol=1e-9)
    assert (found["smallest_hessian_eigenvalue_residual"] < 1e-6).all()
    assert (found["largest_hessian_eigenvalue_residual"] < 1e-6).all()


def test_a_saddle_shows():
    trajectory = descend(
        DoubleWell(3), GradientDescent(0.1), np.zeros((1, 3)), probes=[probes.smallest_hessian_eigenvalue()]
    )
    assert trajectory.outcome.item() == "converged"
    assert trajectory.smallest_hessian_eigenvalue_residual.max() < 1e-10
    np.testing.assert_allclose(trajectory.smallest_hessian_eigenvalue, -1, rtol=1e-12)


def test_distance_from_start():
    x = np.array([[3.0, 4.0]])
    trajectory = descend(
        Quadratic(jnp.eye(2)), GradientDescent(0.1), x, stop=SHORT, probes=[probes.get("distance_from_start")]
    )
    np.testing.assert_allclose(trajectory.distance_from_start[0], 5 * (1 - 0.9**trajectory.step), atol=1e-13)


def test_loss_and_gradient_norm_may_be_asked_for_by_name():
    both = [probes.get("loss"), probes.get("gradient_norm")]
    trajectory = descend(Quadratic(jnp.eye(2)), GradientDescent(0.1), 2, stop=SHORT, probes=both)
    np.testing.assert_allclose(trajectory.gradient_norm**2 / 2, trajectory.loss, rtol=1e-12)


@pytest.mark.parametrize(("k", "protons"), [(4, 4), (3, 5), (6, 2)])
@pytest.mark.parametrize("up_to_sign", [False, True])
def test_matching_is_the_optimal_assignment(k, protons, up_to_sign):
    rng = np.random.default_rng(k)
    for _ in range(5):
        x, w = rng.normal(size=(k, 3)), rng.normal(size=(protons, 3))
        squares = ((x[:, None] - w) ** 2).sum(-1)
        if up_to_sign:
            squares = np.minimum(squares, ((x[:, None] + w) ** 2).sum(-1))
        distances, _ = probes.match(jnp.asarray(x), jnp.asarray(w), up_to_sign=up_to_sign)
        assert distances.shape == (min(k, protons),)
        assert (distances**2).sum() == pytest.approx(squares[linear_sum_assignment(squares)].sum())


def test_matching_knows_permutations_and_signs():
    w = np.random.default_rng(0).normal(size=(5, 3))
    order, signs = np.array([3, 1, 4, 0, 2]), np.array([1, -1, -1, 1, -1])[:, None]
    distances, partner = probes.match(jnp.asarray(signs * w[order]), jnp.asarray(w), up_to_sign=True)
    assert partner.tolist() == order.tolist()
    np.testing.assert_allclose(distances, 0, atol=1e-15)
    assert (probes.match(jnp.asarray(signs * w[order]), jnp.asarray(w))[0] > 0.1).any()


def test_matching_along_a_descent_and_when_a_start_is_lost():
    landscape = gaussian_particles()
    near = landscape.protons[::-1] + 0.05
    starts = Electrons(jnp.stack([near, jnp.full((4, 2), 1e200)]))
    trajectory = descend(
        landscape, GradientDescent(0.1), starts, stop=Stop(steps=3000), probes=[probes.get("matching")]
    )
    np.testing.assert_allclose(trajectory.matching[0, 0], 0.05 * np.sqrt(2), rtol=1e-12)
    assert trajectory.matching[0, -1] < 1e-6
    assert trajectory.matching_partner[0, -1].values.tolist() == [3, 2, 1, 0]
    assert (trajectory.matching_worst >= trajectory.matching).all()


def test_matching_survives_electrons_that_are_not_numbers():
    x = jnp.array([[jnp.nan, 0.0], [1.0, 0.0]])
    distances, partner = probes.match(x, jnp.eye(2))
    assert distances.tolist() == [float("inf"), 0.0]
    assert partner.tolist() == [1, 0]


def test_matching_needs_electrons():
    with pytest.raises(EarnshawError, match="Particles"):
        descend(Quadratic(jnp.eye(2)), GradientDescent(0.1), 1, probes=[probes.get("matching")])


def test_equal_probes_compile_once():
    assert probes.get("matching").fn == probes.get("matching").fn
    assert hash(probes.get("matching").fn) == hash(probes.get("matching").fn)
    assert probes.get("smallest_hessian_eigenvalue").fn == probes.smallest_hessian_eigenvalue().fn
    assert probes.smallest_hessian_eigenvalue().fn != probes.smallest_hessian_eigenvalue(subspace=10).fn


def test_unknown_names_and_settings_get_a_sentence():
    with pytest.raises(EarnshawError, match="did you mean 'matching'"):
        probes.get("maching")
    with pytest.raises(EarnshawError, match="no settings"):
        probes.get("loss", size=3)
    with pytest.raises(EarnshawError, match="settings"):
        probes.get("matching", size=3)
    for settings in ({"tolerance": -1.0}, {"restarts": 0}, {"subspace": 0}):
        with pytest.raises(EarnshawError):
            probes.get("largest_hessian_eigenvalue", **settings)


def test_every_name_gives_a_probe():
    for name in probes.names():
        assert probes.get(name).name == name
