"""The loss of electrons among protons, against loops over scalars that follow the papers' equations one by one."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.duality.dual import Dual
from earnshaw.duality.radial import Radial
from earnshaw.duality.zonal import Zonal
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Electrons, Particles

GAUSSIAN = Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian")
COULOMB = Radial(lambda r: 1 / r, label="coulomb")
CUBIC = Zonal(lambda rho: rho**3, label="cubic")
POTENTIALS = {"gaussian": GAUSSIAN, "zonal": CUBIC, "relu": Dual("relu"), "erf": Dual("erf")}
K, D = 3, 4

# compiled once for each kind of landscape, instead of operation by operation
VALUE_AND_GRADIENT = eqx.filter_jit(lambda landscape, params: landscape.value_and_gradient(params))


def zps17_4(phi, theta, a, w, b):
    """The full loss; also prsz18 (1)."""
    total = 0.0
    for i in range(len(a)):
        for j in range(len(a)):
            total += a[i] * a[j] * phi(theta[i], theta[j])
        for j in range(len(b)):
            total += 2 * a[i] * b[j] * phi(theta[i], w[j])
    for i in range(len(b)):
        for j in range(len(b)):
            total += b[i] * b[j] * phi(w[i], w[j])
    return total


def zps17_5(phi, theta, a, w, b):
    """Without the constant."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] ** 2 * phi(theta[i], theta[i])
    return total + zps17_6(phi, theta, a, w, b)


def zps17_6(phi, theta, a, w, b):
    """Interactions only; also prsz18 (2)."""
    total = 0.0
    for j in range(len(a)):
        for i in range(j):
            total += 2 * a[i] * a[j] * phi(theta[i], theta[j])
    for i in range(len(a)):
        for j in range(len(b)):
            total += 2 * a[i] * b[j] * phi(theta[i], w[j])
    return total


def zps17_9(phi, theta, w):
    """Interactions of charges −1 among charges 1; also prsz18 (3)."""
    total = 0.0
    for j in range(len(theta)):
        for i in range(j):
            total += 2 * phi(theta[i], theta[j])
    for i in range(len(theta)):
        for j in range(len(w)):
            total -= 2 * phi(theta[i], w[j])
    return total


def zps17_11(phi, theta_1, a_1, w, b):
    """The first electron alone; also prsz18 (4)."""
    total = a_1**2 * phi(theta_1, theta_1)
    for j in range(len(b)):
        total += 2 * a_1 * b[j] * phi(theta_1, w[j])
    return total


def draw(seed, k=K, sphere=False):
    rng = np.random.default_rng(seed)
    theta, w = rng.normal(size=(k, D)), rng.normal(size=(K, D))
    if sphere:
        theta, w = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (theta, w))
    return theta, rng.normal(size=k), w, rng.normal(size=K)


def electrons(theta, a=None):
    return Electrons(jnp.asarray(theta), None if a is None else jnp.asarray(a))


@pytest.fixture(params=POTENTIALS, scope="module")
def potential(request):
    return POTENTIALS[request.param]


@pytest.fixture(scope="module")
def phi(potential):
    # one compilation for all pairs; the oracle's sums are still Python's
    pair = eqx.filter_jit(lambda x, y: potential(x, y))
    return lambda x, y: float(pair(jnp.asarray(x), jnp.asarray(y)))


# --- the equations -----------------------------------------------------------------------------------------------


def test_full_loss_is_zps17_4_and_prsz18_1(potential, phi):
    theta, a, w, b = draw(0, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, learn_charges=True)
    np.testing.assert_allclose(landscape.loss(electrons(theta, a)), zps17_4(phi, theta, a, w, b), rtol=1e-12)


def test_loss_without_constant_is_zps17_5(potential, phi):
    theta, a, w, b = draw(1, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, learn_charges=True, form="without-constant")
    np.testing.assert_allclose(landscape.loss(electrons(theta, a)), zps17_5(phi, theta, a, w, b), rtol=1e-12)


def test_interaction_is_zps17_6_and_prsz18_2(potential, phi):
    theta, a, w, b = draw(2, k=5, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, electrons=5, electron_charges=a, form="interaction")
    np.testing.assert_allclose(landscape.loss(electrons(theta)), zps17_6(phi, theta, a, w, b), rtol=1e-12)


def test_interaction_of_unit_charges_is_zps17_9_and_prsz18_3(potential, phi):
    theta, _, w, _ = draw(3, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, form="interaction")
    np.testing.assert_allclose(landscape.loss(electrons(theta)), zps17_9(phi, theta, w), rtol=1e-12)


def test_one_electron_is_zps17_11_and_prsz18_4(potential, phi):
    theta, a, w, b = draw(4, k=1, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, electrons=1, learn_charges=True, form="without-constant")
    expected = zps17_11(phi, theta[0], a[0], w, b)
    np.testing.assert_allclose(landscape.loss(electrons(theta, a)), expected, rtol=1e-12)
    # and it is (5) with the other electrons inactive
    full = Particles(potential, w, b, learn_charges=True, form="without-constant")
    positions = np.concatenate([theta, draw(5, sphere=potential.space == "sphere")[0][1:]])
    np.testing.assert_allclose(full.loss(electrons(positions, [a[0], 0, 0])), expected, rtol=1e-12)


def test_regularisation_adds_the_squared_charges():
    theta, a, w, b = draw(6)
    plain = Particles(GAUSSIAN, w, b, learn_charges=True)
    regularised = Particles(GAUSSIAN, w, b, learn_charges=True, regularisation=1.0)
    difference = regularised.loss(electrons(theta, a)) - plain.loss(electrons(theta, a))
    np.testing.assert_allclose(difference, np.sum(a**2), rtol=1e-13)


def test_forms_of_a_potential_with_constant_self_energy_differ_by_constants_in_the_positions():
    _, a, w, b = draw(7)
    forms = [Particles(GAUSSIAN, w, b, electron_charges=a, form=f) for f in ("full", "without-constant", "interaction")]
    for seed in range(3):
        params = electrons(draw(seed)[0])
        full, bare, interaction = (f.loss(params) for f in forms)
        gram = np.exp(-np.sum((w[:, None] - w[None]) ** 2, axis=-1) / 2)
        np.testing.assert_allclose(full - bare, b @ gram @ b, rtol=1e-12)
        np.testing.assert_allclose(bare - interaction, np.sum(a**2), rtol=1e-12)


def test_full_loss_is_the_squared_distance_of_two_networks():
    """E(Σ aᵢσ(θᵢᵀx) + Σ bⱼσ(wⱼᵀx))² for quadratic units, by Gauss-Hermite quadrature that is exact for them."""
    theta, a, w, b = draw(8)
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    grid = np.stack(np.meshgrid(*[nodes] * D, indexing="ij"), axis=-1).reshape(-1, D)
    mass = np.prod(np.stack(np.meshgrid(*[weights] * D, indexing="ij"), axis=-1).reshape(-1, D), axis=1)
    network = (grid @ theta.T) ** 2 @ a + (grid @ w.T) ** 2 @ b
    expected = (mass @ network**2) / mass.sum()
    landscape = Particles(Dual("quadratic"), w, b, learn_charges=True)
    np.testing.assert_allclose(landscape.loss(electrons(theta, a)), expected, rtol=1e-11)


def test_coulomb_electrons_feel_the_inverse_square_law():
    """zps17 (7): the force is Σ aᵢq (θᵢ − x)/‖θᵢ − x‖³ over all other charges, twice."""
    theta, a, w, b = draw(9)
    landscape = Particles(COULOMB, w, b, electron_charges=a, form="interaction")
    gradient = VALUE_AND_GRADIENT(landscape, electrons(theta))[1].positions
    for i in range(K):
        others = [(theta[j], a[j]) for j in range(K) if j != i] + list(zip(w, b, strict=True))
        force = sum(2 * a[i] * q * (theta[i] - x) / np.linalg.norm(theta[i] - x) ** 3 for x, q in others)
        np.testing.assert_allclose(-gradient[i], force, rtol=1e-10)


# --- derivatives -------------------------------------------------------------------------------------------------


def test_derivatives_match_finite_differences_along_the_manifold(potential):
    theta, a, w, b = draw(10, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, learn_charges=True, regularisation=0.3)
    params = electrons(theta, a)
    landscape = landscape.adapt(jax.tree.map(lambda leaf: 1.1 * leaf[None], params))
    value, gradient, hessian = eqx.filter_jit(lambda p: (*landscape.value_and_gradient(p), landscape.hessian(p)))(
        params
    )
    basis = landscape.manifold.tangent_basis(params)
    flat, unravel = jax.flatten_util.ravel_pytree(params)
    along = eqx.filter_jit(lambda step: landscape.loss(landscape.manifold.retract(params, unravel(basis @ step))))
    flat_gradient = jax.flatten_util.ravel_pytree(gradient)[0]
    h, rng = 1e-4, np.random.default_rng(0)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-10)
    assert basis.shape == (flat.size, flat.size - (K if potential.space == "sphere" else 0))
    for direction in rng.normal(size=(2, basis.shape[1])):
        up, down = along(h * direction), along(-h * direction)
        np.testing.assert_allclose((up - down) / (2 * h), flat_gradient @ basis @ direction, rtol=1e-5)
        np.testing.assert_allclose((up - 2 * value + down) / h**2, direction @ hessian @ direction, rtol=1e-4)


def test_gradients_outside_of_jit_are_right_beyond_the_first_range_of_a_series():
    theta, a, w, b = draw(11)
    landscape = Particles(Dual("tanh", tolerance=1e-8), w / 5, b, learn_charges=True)
    theta, step = jnp.asarray(theta), 1e-5 * jnp.asarray(draw(12)[0])
    gradient = landscape.gradient(electrons(theta, a)).positions
    up, down = (landscape.loss(electrons(theta + sign * step, a)) for sign in (1, -1))
    np.testing.assert_allclose((up - down) / 2, jnp.sum(gradient * step), rtol=1e-6)


def test_adapting_keeps_the_loss_and_reaches_larger_norms_under_jit():
    theta, a, w, b = draw(12)
    landscape = Particles(Dual("softplus", tolerance=1e-8), w, b, learn_charges=True)
    near, far = electrons(theta, a), electrons(2 * theta, a)
    adapted = landscape.adapt(jax.tree.map(lambda *leaves: jnp.stack(leaves), near, far))
    losses = eqx.filter_jit(lambda p: adapted.loss(p))
    np.testing.assert_allclose(losses(near), landscape.loss(near), rtol=1e-6)
    np.testing.assert_allclose(losses(far), landscape.loss(far), rtol=1e-6)
    assert adapted.adapt(jax.tree.map(lambda leaf: leaf[None], far)) is adapted
    assert Particles(GAUSSIAN, w).adapt(electrons(theta[None])).potential is GAUSSIAN


def test_coincident_electrons_have_finite_derivatives():
    w = np.eye(3)
    for potential in (GAUSSIAN, COULOMB, Dual("relu").on_sphere()):
        landscape = Particles(potential, w, form="interaction")
        params = electrons(np.array([[0.6, 0.8, 0.0], [0.6, 0.8, 0.0], [0.0, -0.6, 0.8]]))
        _, gradient, hessian = eqx.filter_jit(
            lambda p, landscape=landscape: (*landscape.value_and_gradient(p), landscape.hessian(p))
        )(params)
        if potential is not COULOMB:
            assert np.all(np.isfinite(hessian))
        assert np.all(np.isfinite(gradient.positions))


# --- charges -----------------------------------------------------------------------------------------------------


@settings(deadline=None, derandomize=True, max_examples=10)
@given(seed=st.integers(0, 10**6), regularisation=st.sampled_from([0.0, 1.0]), k=st.sampled_from([2, 4]))
@pytest.mark.parametrize("sphere", [False, True])
def test_optimal_charges_minimise_the_loss(sphere, seed, regularisation, k):
    theta, a, w, b = draw(seed, k=k, sphere=sphere)
    settings = {"electrons": k, "learn_charges": True, "regularisation": regularisation}
    landscape = Particles(CUBIC if sphere else GAUSSIAN, w, b, **settings)
    best = landscape.optimal_charges(jnp.asarray(theta))
    gradient = VALUE_AND_GRADIENT(landscape, electrons(theta, best))[1].charges
    np.testing.assert_allclose(gradient, 0, atol=1e-10)
    least = landscape.loss(electrons(theta, best))
    for other in (best + a, best - 0.01 * a, 0 * a):
        assert landscape.loss(electrons(theta, other)) >= least - 1e-12


def test_optimal_charges_of_coincident_electrons_are_shared():
    """The Gram matrix is singular there; the least norm splits the charge evenly."""
    _, _, w, b = draw(13)
    landscape = Particles(GAUSSIAN, w, b, electrons=4, learn_charges=True)
    best = landscape.optimal_charges(jnp.asarray(np.concatenate([w, w[:1]])))
    np.testing.assert_allclose(best, [-b[0] / 2, -b[1], -b[2], -b[0] / 2], rtol=1e-10)


def test_optimal_charges_do_not_depend_on_the_constant():
    theta, _, w, b = draw(14)
    full, bare = (Particles(GAUSSIAN, w, b, learn_charges=True, form=f) for f in ("full", "without-constant"))
    theta = jnp.asarray(theta)
    np.testing.assert_allclose(full.optimal_charges(theta), bare.optimal_charges(theta))


# --- freezing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("potential", "form", "learned"),
    [
        (GAUSSIAN, "full", True),
        (GAUSSIAN, "without-constant", False),
        (GAUSSIAN, "interaction", True),
        (CUBIC, "full", False),
        (Dual("relu"), "full", True),
    ],
)
def test_freezing_keeps_the_loss_and_the_gradient_of_the_rest(potential, form, learned):
    theta, a, w, b = draw(15, k=4, sphere=potential.space == "sphere")
    charges = {"learn_charges": True} if learned else {"electron_charges": a}
    landscape = Particles(potential, w, b, electrons=4, form=form, regularisation=0.7, **charges)
    params = electrons(theta, a if learned else None)
    smaller, rest = landscape.freeze(params, [0, -2])
    assert (smaller.electrons, smaller.protons.shape[0]) == (2, K + 2)
    np.testing.assert_array_equal(rest.positions, theta[[1, 3]])
    np.testing.assert_allclose(smaller.loss(rest), landscape.loss(params), rtol=1e-10)
    before, after = VALUE_AND_GRADIENT(landscape, params)[1], VALUE_AND_GRADIENT(smaller, rest)[1]
    np.testing.assert_allclose(after.positions, before.positions[jnp.array([1, 3])], rtol=1e-9, atol=1e-12)
    if learned:
        np.testing.assert_allclose(after.charges, before.charges[jnp.array([1, 3])], rtol=1e-9, atol=1e-12)


def test_freezing_one_after_another_is_freezing_both():
    theta, a, w, b = draw(16)
    landscape = Particles(GAUSSIAN, w, b, learn_charges=True)
    once, rest = landscape.freeze(electrons(theta, a), [0, 1])
    twice, last = landscape.freeze(electrons(theta, a), 0)
    twice, last = twice.freeze(last, 0)
    moved = Electrons(rest.positions + 1, rest.charges)
    np.testing.assert_allclose(twice.loss(moved), once.loss(moved), rtol=1e-12)
    np.testing.assert_array_equal(last.positions, rest.positions)


# --- symmetries and minimisers -----------------------------------------------------------------------------------


def test_loss_is_invariant_under_permutations_and_rotations(potential):
    theta, a, w, b = draw(17, sphere=potential.space == "sphere")
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(D, D)))[0]
    value = Particles(potential, w, b, learn_charges=True).loss(electrons(theta, a))
    order = [2, 0, 1]
    permuted = Particles(potential, w[order], b[order], learn_charges=True)
    np.testing.assert_allclose(permuted.loss(electrons(theta[::-1], a[::-1])), value, rtol=1e-12)
    rotated = Particles(potential, w @ rotation, b, learn_charges=True)
    np.testing.assert_allclose(rotated.loss(electrons(theta @ rotation, a)), value, rtol=1e-11)


def test_known_minimisers_have_no_loss_and_no_gradient(potential):
    _, _, w, b = draw(18, sphere=potential.space == "sphere")
    for learned in (False, True):
        landscape = Particles(potential, w, b, learn_charges=learned)
        (minimiser,) = landscape.minimisers()
        value, gradient = VALUE_AND_GRADIENT(landscape, minimiser)
        np.testing.assert_allclose(value, 0, atol=1e-12)
        for leaf in jax.tree.leaves(gradient):
            np.testing.assert_allclose(leaf, 0, atol=1e-10)


def test_fixed_charges_are_matched_to_their_protons():
    _, _, w, _ = draw(19)
    landscape = Particles(GAUSSIAN, w, [1.0, 2.0, 3.0], electron_charges=[-3.0, -1.0, -2.0])
    (minimiser,) = landscape.minimisers()
    np.testing.assert_allclose(minimiser.positions, w[[2, 0, 1]])
    np.testing.assert_allclose(landscape.loss(minimiser), 0, atol=1e-12)


def test_minimisers_are_not_claimed_where_they_are_not_known():
    _, _, w, b = draw(20)
    assert Particles(GAUSSIAN, w, b, learn_charges=True, regularisation=1.0).minimisers() == ()
    assert Particles(GAUSSIAN, w, b, learn_charges=True, form="interaction").minimisers() == ()
    assert Particles(GAUSSIAN, w, electrons=5).minimisers() == ()
    assert Particles(GAUSSIAN, w, b, electron_charges=[1.0, 1.0, 1.0]).minimisers() == ()
    assert Particles(Dual("relu"), w, form="interaction").minimisers() == ()
    assert len(Particles(GAUSSIAN, w, form="interaction").minimisers()) == 1
    assert len(Particles(COULOMB, w, form="interaction").minimisers()) == 1


# --- starts and trees --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["gaussian", "xavier", "sphere", "ball"])
def test_start_laws_have_their_second_moment(law):
    k, d, scale = 400, 20, 1.5
    landscape = Particles(GAUSSIAN, np.zeros((1, d)), electrons=k, start=law, scale=scale)
    squares = np.sum(np.asarray(landscape.init(jax.random.key(0)).positions) ** 2, axis=1) / scale**2
    expected = {"gaussian": d, "xavier": 2 * d / (d + k), "sphere": 1.0, "ball": d / (d + 2)}[law]
    np.testing.assert_allclose(squares.mean(), expected, rtol=0.05)
    if law in ("sphere", "ball"):
        assert np.all(squares <= 1 + 1e-12)


def test_starts_on_the_sphere_and_of_charges():
    _, _, w, b = draw(21, sphere=True)
    landscape = Particles(CUBIC, w, b, learn_charges=True)
    params = landscape.init(jax.random.key(0))
    assert landscape.manifold.contains(params)
    assert params.charges.shape == (K,)
    given_charges = Particles(CUBIC, w, b, learn_charges=True, electron_charges=[1.0, 2.0, 3.0])
    np.testing.assert_array_equal(given_charges.init(jax.random.key(0)).charges, [1.0, 2.0, 3.0])
    assert Particles(CUBIC, w, b).init(jax.random.key(0)).charges is None
    custom = Particles(GAUSSIAN, w, start=lambda key, shape, scale: scale * jnp.ones(shape), scale=2.0)
    np.testing.assert_array_equal(custom.init(jax.random.key(0)).positions, 2 * np.ones((K, D)))


def test_landscapes_pass_through_jit_and_vmap_as_arguments(potential):
    theta, a, w, b = draw(22, sphere=potential.space == "sphere")
    landscape = Particles(potential, w, b, learn_charges=True)
    batch = jax.tree.map(lambda leaf: jnp.stack([leaf, 0.5 * leaf if leaf.ndim == 1 else leaf]), electrons(theta, a))
    landscape = landscape.adapt(batch)
    losses = eqx.filter_jit(lambda landscape, batch: jax.vmap(landscape.loss)(batch))(landscape, batch)
    np.testing.assert_allclose(losses[0], landscape.loss(electrons(theta, a)), rtol=1e-12)
    np.testing.assert_allclose(losses[1], landscape.loss(electrons(theta, a / 2)), rtol=1e-12)


def test_landscapes_can_be_made_under_vmap():
    theta, a, w, b = draw(23)
    protons = jnp.stack([jnp.asarray(w), jnp.asarray(2 * w)])
    losses = jax.vmap(lambda p: Particles(GAUSSIAN, p, b, learn_charges=True).loss(electrons(theta, a)))(protons)
    np.testing.assert_allclose(losses[1], Particles(GAUSSIAN, 2 * w, b, learn_charges=True).loss(electrons(theta, a)))


def test_a_dual_on_the_sphere_is_its_zonal_form():
    theta, a, w, b = draw(24, sphere=True)
    dual = Particles(Dual("erf"), w, b, learn_charges=True, manifold=Sphere())
    zonal = Particles(Dual("erf").on_sphere(), w, b, learn_charges=True)
    params = electrons(theta, a)
    np.testing.assert_allclose(dual.loss(params), zonal.loss(params), rtol=1e-11)
    gradients = [VALUE_AND_GRADIENT(landscape, params)[1].positions for landscape in (dual, zonal)]
    np.testing.assert_allclose(*gradients, atol=1e-11)
