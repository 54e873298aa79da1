"""Searches end at what is there, and notice when there is a particle in the way."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import GradientDescent, SaddleFreeDescent, Stop
from earnshaw.duality import potentials
from earnshaw.landscapes import DoubleWell, Electrons, Particles, RayleighQuotient
from earnshaw.theorems.search import critical_points, search

# Three protons of one charge and three electrons, far enough apart for every electron to find one.
PROTONS = np.array([[0.0, 0.0, 0.0], [2.0, 0.5, 0.0], [-1.0, 1.0, 1.0]])


def test_every_descent_of_the_double_well_ends_in_a_minimum_and_newton_finds_the_saddle_too():
    found = search(DoubleWell(2), 12)
    assert found.counts() == {"minimum": 12}
    np.testing.assert_allclose(np.abs(found.points), np.broadcast_to([1.0, 0.0], (12, 2)), atol=1e-9)
    starts = jnp.array([[0.2, 0.3], [1.3, -0.4], [-0.1, 1.0]])
    assert critical_points(DoubleWell(2), starts).label.tolist() == ["saddle", "minimum", "saddle"]


@pytest.mark.slow
def test_on_the_sphere_only_the_least_eigenvector_is_a_minimum():
    landscape = RayleighQuotient(np.diag([1.0, 2.0, 4.0]))
    found = search(landscape, 6)
    assert found.counts() == {"minimum": 6}
    np.testing.assert_allclose(np.abs(found.points[:, 0]), 1, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), 1, atol=1e-12)


def test_gaussian_minima_are_matched_protons_and_their_spectrum_is_known():
    # Far apart, every electron sees its own proton alone: the loss is Σ 2(1 − exp(−|θᵢ − wᵢ|²/2)).
    landscape = Particles(potentials.gaussian(), [[0.0, 0.0], [12.0, 0.0]])
    near = Electrons(jnp.array([[[0.3, 0.2], [11.8, 0.1]], [[12.2, 0.0], [0.1, 0.1]]]))
    found = search(landscape, near)
    assert found.counts() == {"minimum": 2}
    assert found.is_global.all()
    assert not found.spurious.any()
    np.testing.assert_allclose(found.smallest, 2.0, rtol=1e-9)
    np.testing.assert_allclose(found.loss, 0.0, atol=1e-12)


def test_coulomb_descents_collapse_onto_protons_and_say_which():
    landscape = Particles(potentials.coulomb(3), PROTONS, form="interaction", scale=2.0)
    found = search(landscape, 8, 1, collision=1e-6)
    assert found.counts() == {"collapsed": 8}
    assert set(found.outcome) == {"collapsed"}
    assert (found.collapsed_onto >= 0).all()
    apart = np.array(
        [
            np.linalg.norm(found.points.positions[i, electron] - PROTONS[proton])
            for i, (electron, proton) in enumerate(zip(found.collapsed_electron, found.collapsed_onto, strict=True))
        ]
    )
    # Detected at the first step within the distance, which at most halves what is left.
    assert np.all(apart <= 1e-6)
    assert np.all(apart > 2e-7)


def test_collapse_is_noticed_for_any_algorithm():
    landscape = Particles(potentials.exponential(), [[0.0]], form="interaction")
    start = Electrons(jnp.array([[[0.5]], [[-0.6]]]))
    stop = Stop(steps=40, gradient_norm=None)
    found = search(landscape, start, algorithm=GradientDescent(0.05), stop=stop, collision=0.1)
    assert found.label.tolist() == ["collapsed", "collapsed"]
    assert found.collapsed_onto.tolist() == [0, 0]
    assert found.outcome.tolist() == ["out of steps"] * 2


@pytest.mark.slow
def test_newton_finds_the_equilibrium_between_two_protons():
    landscape = Particles(
        potentials.coulomb(3), [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], electrons=1, electron_charges=[-1.0],
        form="interaction",
    )  # fmt: skip
    starts = Electrons(jnp.array([[[0.1, 0.1, -0.2]], [[0.3, 0.0, 0.1]]]))
    found = critical_points(landscape, starts, collision=1e-6)
    assert found.label.tolist() == ["saddle", "saddle"]
    np.testing.assert_allclose(found.points.positions, 0.0, atol=1e-9)
    # −2 Σ 1/‖θ ± e₁‖ has the Hessian −4(3e₁e₁ᵀ − I) at 0, of trace 0
    np.testing.assert_allclose(found.smallest, -8.0, rtol=1e-9)
    eigenvalues = np.linalg.eigvalsh(landscape.hessian(jax.tree.map(lambda leaf: leaf[0], found.points)))
    np.testing.assert_allclose(eigenvalues, [-8.0, 4.0, 4.0], rtol=1e-9)


def test_a_kinked_potential_is_never_stepped_over():
    # e^{−|θ|} in one dimension: a large radius would jump across the proton at once.
    landscape = Particles(potentials.exponential(), [[0.0]], form="interaction")
    algorithm = SaddleFreeDescent(radius=5.0, collision=1e-6, fraction=0.3)
    start = Electrons(jnp.array([[[0.8]], [[-2.0]]]))
    found = search(landscape, start, algorithm=algorithm, collision=1e-6)
    assert found.label.tolist() == ["collapsed", "collapsed"]
    signs = np.sign(np.asarray(found.points.positions).ravel())
    assert signs.tolist() == [1.0, -1.0]
