"""The textbook surfaces, and through them every default of `Landscape`."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Quadratic, RayleighQuotient, Rosenbrock

MATRIX = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 3.0]])
SURFACES = {
    "quadratic": Quadratic(MATRIX),
    "double well": DoubleWell(3),
    "rosenbrock": Rosenbrock(3),
    "rayleigh": RayleighQuotient(MATRIX),
}


@pytest.fixture(params=SURFACES, scope="module")
def surface(request):
    return SURFACES[request.param]


@pytest.fixture(scope="module")
def derivatives(surface):
    return eqx.filter_jit(lambda x: (*surface.value_and_gradient(x), surface.hessian(x)))


def test_derivatives_match_finite_differences_along_retractions(surface, derivatives):
    """Second differences along a retraction of second order see the Riemannian Hessian."""
    x = surface.init(jax.random.key(1))
    value, gradient, hessian = derivatives(x)
    basis = surface.manifold.tangent_basis(x)
    loss = eqx.filter_jit(lambda step: surface.loss(surface.manifold.retract(x, basis @ step)))
    h, rng = 1e-4, np.random.default_rng(0)
    for direction in rng.normal(size=(3, basis.shape[1])):
        up, down = loss(h * direction), loss(-h * direction)
        np.testing.assert_allclose((up - down) / (2 * h), gradient @ basis @ direction, rtol=1e-5)
        np.testing.assert_allclose((up - 2 * value + down) / h**2, direction @ hessian @ direction, rtol=1e-4)


def test_hessian_is_symmetric_and_agrees_with_its_action(surface, derivatives):
    x = surface.init(jax.random.key(2))
    hessian = derivatives(x)[2]
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-12, atol=1e-12)
    basis = surface.manifold.tangent_basis(x)
    v = jnp.arange(1.0, 4.0)
    np.testing.assert_allclose(
        surface.hvp(x, v), basis @ hessian @ basis.T @ v, rtol=1e-10, atol=1e-10, err_msg="hvp projects its argument"
    )


def test_known_minimisers_are_critical_with_positive_hessian(surface, derivatives):
    (minimiser,) = surface.minimisers()
    _, gradient, hessian = derivatives(minimiser)
    np.testing.assert_allclose(gradient, 0, atol=1e-12)
    assert np.linalg.eigvalsh(hessian)[0] > 0
    np.testing.assert_allclose(surface.canonicalise(minimiser), minimiser)


def test_starts_are_on_the_manifold_and_depend_on_the_key(surface):
    x, y = surface.init(jax.random.key(0)), surface.init(jax.random.key(1))
    assert surface.manifold.contains(x)
    assert not jnp.allclose(x, y)


def test_canonical_representatives_keep_the_loss(surface):
    x = surface.init(jax.random.key(3))
    np.testing.assert_allclose(surface.loss(surface.canonicalise(x)), surface.loss(x), rtol=1e-14)


def test_a_landscape_that_is_accurate_everywhere_adapts_to_itself(surface):
    assert surface.adapt(jnp.zeros((2, 3))) is surface


def test_mirror_images_have_one_representative():
    for landscape in (SURFACES["double well"], SURFACES["rayleigh"]):
        x = landscape.init(jax.random.key(5))
        mirrored = -x if isinstance(landscape, RayleighQuotient) else x.at[0].multiply(-1)
        assert jnp.array_equal(landscape.canonicalise(x), landscape.canonicalise(mirrored))


def test_eigenvalues_of_the_rayleigh_quotient_at_each_critical_point():
    eigenvalues, vectors = np.linalg.eigh(MATRIX)
    surface = SURFACES["rayleigh"]
    hessian = eqx.filter_jit(surface.hessian)
    for i in range(3):
        expected = np.sort(2 * (np.delete(eigenvalues, i) - eigenvalues[i]))
        np.testing.assert_allclose(np.linalg.eigvalsh(hessian(jnp.asarray(vectors[:, i]))), expected, atol=1e-12)


def test_saddle_of_the_double_well():
    np.testing.assert_allclose(DoubleWell(3).hessian(jnp.zeros(3)), np.diag([-1.0, 1.0, 1.0]))


def test_an_indefinite_quadratic_has_no_minimiser():
    assert Quadratic(np.diag([1.0, -1.0])).minimisers() == ()


def test_landscapes_pass_through_jit_and_vmap_as_arguments():
    stacked = jax.vmap(lambda s: Quadratic(s * jnp.eye(2)))(jnp.array([1.0, 3.0]))
    losses = eqx.filter_jit(eqx.filter_vmap(lambda surface, x: surface.loss(x), in_axes=(eqx.if_array(0), None)))
    np.testing.assert_allclose(losses(stacked, jnp.ones(2)), [1.0, 3.0])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Quadratic([[1.0, 2.0], [0.0, 1.0]]), "square and symmetric"),
        (lambda: Quadratic([[1.0, np.nan], [np.nan, 1.0]]), "must be finite"),
        (lambda: Quadratic([1.0]), "must have 2 axes"),
        (lambda: RayleighQuotient([["a"]]), "real numbers"),
        (lambda: RayleighQuotient([[1.0], [2.0, 3.0]]), "equally long"),
        (lambda: RayleighQuotient(np.zeros((0, 0))), "must not be empty"),
        (lambda: DoubleWell(0), "positive integer"),
        (lambda: DoubleWell(1.5), "positive integer"),
        (lambda: DoubleWell(2, scale=-1.0), "must be positive"),
        (lambda: Rosenbrock(1), "dimension 2 or more"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(make, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        make()
