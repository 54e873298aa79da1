"""What a point is: by its gradient, its smallest eigenvalue with an error bound, and where it lies."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DoubleWell, Electrons, Particles, Quadratic, RayleighQuotient
from earnshaw.theorems.search import classify, joint_motion
from earnshaw.theorems.search.pairing import pairing

PROTONS = np.array([[0.0, 0.0], [3.0, 0.0]])


@pytest.fixture(scope="module")
def coulomb():
    return Particles(potentials.coulomb(3), np.c_[PROTONS, np.zeros(2)], [1.0, 1.0], form="interaction")


def electrons(*rows):
    return Electrons(jnp.asarray(rows, float))


def test_minima_saddles_and_slopes_of_the_double_well():
    points = jnp.array([[1.01, 0.02], [-0.99, 0.0], [0.01, 0.01], [0.5, 0.5], [jnp.nan, 0.0]])
    found = classify(DoubleWell(2), points)
    assert found.label.tolist() == ["minimum", "minimum", "saddle", "not critical", "not critical"]
    np.testing.assert_allclose(found.smallest[:3], [1.0, 1.0, -1.0], atol=1e-10)
    np.testing.assert_allclose(found.points[:3], [[1, 0], [-1, 0], [0, 0]], atol=1e-9)
    assert found.critical.tolist() == [True, True, True, False, False]
    assert found.counts() == {"minimum": 2, "saddle": 1, "not critical": 2}
    # A landscape without protons has no matching, so nothing is known to be global.
    assert not found.is_global.any()
    assert found.spurious.tolist() == [True, True, False, False, False]


def test_on_the_sphere_eigenvectors_are_critical_and_other_points_of_the_space_are_not():
    eigenvalues = np.array([1.0, 2.0, 4.0])
    landscape = RayleighQuotient(np.diag(eigenvalues))
    axes = jnp.eye(3)
    found = classify(landscape, jnp.concatenate([axes, 2 * axes[:1]]))
    assert found.label.tolist() == ["minimum", "saddle", "saddle", "not critical"]
    # Differences of eigenvalues, up to the factor of the landscape's own normalisation.
    ratio = found.smallest[:3] / [1.0, -1.0, -3.0]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-10)


@pytest.mark.parametrize(("flat", "label"), [(0.0, "degenerate"), (1e-6, "minimum"), (-1e-6, "saddle")])
def test_the_sign_of_a_small_eigenvalue_is_told_as_far_as_its_error_bound_goes(flat, label):
    q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(2, 2)))
    found = classify(Quadratic(q @ np.diag([1.0, flat]) @ q.T), jnp.array([[0.0, 0.0], [1e-3, 2e-3]]))
    assert found.label[0] == label
    assert np.all(np.abs(found.smallest - flat) <= found.error)


def test_the_error_bound_covers_what_is_left_of_the_way():
    # λ_min of the well's Hessian at (x, 0) is 3x² − 1 there and −1 at the saddle; a reach of 0 forbids to sharpen.
    x = 1e-8
    found = classify(DoubleWell(2), jnp.array([[x, 0.0]]), reach=1e-12, gradient_tolerance=1e-6)
    assert found.moved[0] <= 1e-12
    assert abs(found.smallest[0] + 1) <= found.error[0]


def test_sharpening_never_goes_farther_than_its_reach():
    points = jnp.array([[0.9, 0.0], [0.4, 0.1]])
    found = classify(DoubleWell(2), points, reach=0.05)
    assert found.label.tolist() == ["not critical", "not critical"]
    assert np.all(found.moved <= 0.05)
    assert classify(DoubleWell(2), points, reach=0.3).label.tolist()[0] == "minimum"


def test_the_weak_force_on_a_distant_electron_is_not_lost_beside_another_ones_curvature():
    # The first proton is matched exactly; the other electron is 6.5 away from all else, where its force is 1e-8 of
    # the largest curvature, and yet it is not at rest.
    landscape = Particles(potentials.gaussian(), [[0.0, 0.0], [20.0, 0.0]], form="interaction")
    found = classify(landscape, electrons([[0.0, 0.0], [13.4, 0.0]], [[0.0, 0.0], [20.0, 0.0]]))
    assert found.gradient_norm[0] < 1e-7
    assert found.label.tolist() == ["not critical", "minimum"]
    assert found.is_global.tolist() == [False, True]


def test_electrons_near_other_particles_have_collapsed(coulomb):
    far, eps = [1.0, 4.0, 0.0], 1e-7
    found = classify(
        coulomb,
        electrons(
            [[3.0, eps, 0.0], far],  # onto the second proton
            [far, [0.0, 0.0, eps]],  # the second electron, onto the first proton
            [[1.0, 4.0, eps], far],  # onto the other electron
            [[1.5, 2e-3, 0.0], far],  # onto nobody
        ),
        collision=1e-6,
    )
    assert found.label.tolist() == ["collapsed", "collapsed", "collapsed", "not critical"]
    assert found.collapsed_electron.tolist() == [0, 1, 0, -1]
    assert found.collapsed_onto.tolist() == [1, 0, -1, -1]
    assert not found.spurious.any()
    # Exactly on top of a proton the loss is infinite, which must not hide the others.
    there = classify(coulomb, electrons([[3.0, 0.0, 0.0], far], [[1.5, 2e-3, 0.0], far]), collision=1e-6)
    assert there.label.tolist() == ["collapsed", "not critical"]


def test_nothing_to_classify_is_refused():
    with pytest.raises(EarnshawError, match="no point"):
        classify(DoubleWell(2), jnp.zeros((0, 2)))


@pytest.mark.parametrize("group", [[True, True, True], [True, False, True]])
def test_a_joint_translation_sees_only_the_particles_outside_of_the_group(group):
    random = np.random.default_rng(3)
    x, w, b, a = (
        random.normal(size=(3, 2)),
        random.normal(size=(2, 2)),
        np.array([1.0, -0.4]),
        np.array([-1.0, 0.7, -2]),
    )
    landscape = Particles(potentials.gaussian(), w, b, electrons=3, electron_charges=a, form="interaction")
    found = joint_motion(landscape, Electrons(jnp.asarray(x)), jnp.asarray(group))

    def laplacian(p, q):
        r2 = np.sum((p - q) ** 2)
        return (r2 - 2) * np.exp(-r2 / 2)

    inside = np.flatnonzero(group)
    expected = sum(2 * a[i] * b[j] * laplacian(x[i], w[j]) for i in inside for j in range(2))
    expected += sum(2 * a[i] * a[j] * laplacian(x[i], x[j]) for i in inside for j in range(3) if not group[j])
    assert float(found.trace) == pytest.approx(expected, rel=1e-12)
    smallest = np.linalg.eigvalsh(jax.jit(lambda p: landscape.hessian(Electrons(p)))(jnp.asarray(x)))[0]
    assert smallest <= float(found.mean) + 1e-12
    assert float(found.mean) == pytest.approx(expected / (2 * len(inside)), rel=1e-12)


def test_a_joint_rotation_of_the_sphere_adds_up_to_its_laplacian():
    random = np.random.default_rng(4)
    x, w = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in random.normal(size=(2, 3, 3)))
    landscape = Particles(potentials.sphere_exponential(2.0), w, form="interaction")
    found = joint_motion(landscape, Electrons(jnp.asarray(x)), jnp.ones(3, bool))
    rho = x @ w.T
    # f = exp(2(ρ − 1)): (1 − ρ²)f″ − (d − 1)ρf′ with d = 3
    expected = -2 * np.sum(np.exp(2 * (rho - 1)) * (4 * (1 - rho**2) - 4 * rho))
    assert float(found.trace) == pytest.approx(expected, rel=1e-12)
    # Every point has Σ‖v‖² = d − 1 over the rotations.
    assert float(found.mean) == pytest.approx(expected / 6, rel=1e-12)


def test_pairing_knows_the_signs_that_do_not_matter():
    w = np.array([[1.0, 0.0], [0.0, 2.0]])

    def found(parity, learned, positions, charges=None):
        landscape = Particles(potentials.gaussian(), w, learn_charges=learned, parity=parity, form="interaction")
        points = Electrons(
            jnp.asarray(positions, float)[None], None if charges is None else jnp.asarray(charges, float)[None]
        )
        distance, matched = pairing(landscape, points, 1e-9)
        return float(distance[0]), bool(matched[0])

    assert found(None, False, w[::-1]) == (0.0, True)
    assert found("even", False, -w) == (0.0, True)
    assert found("odd", False, -w)[1] is False
    assert found("odd", True, -w, [1.0, 1.0]) == (0.0, True)
    assert found("odd", True, -w, [-1.0, -1.0]) == (2.0, False)
    assert found(None, True, w, [-1.0, -1.5]) == (0.5, False)
    more = Particles(potentials.gaussian(), w, electrons=3, form="interaction")
    assert not pairing(more, Electrons(jnp.zeros((1, 3, 2)).at[0, :2].set(w)), 1e-9)[1][0]
