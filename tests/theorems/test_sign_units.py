"""prsz18 G.1, G.2 and H.1: units that are signs."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.prsz18.theorem_H_1 import chain
from earnshaw.theorems.sign_circle import forces, vertices

ANGLES = np.array([0.4, 1.9, 3.3])


def circle_loss(theta, w):
    """Σ_{i≠j} Φ(θᵢ, θⱼ) − 2ΣΣ Φ(θᵢ, wⱼ) from the angles between the points."""

    def phi(a, b):
        difference = np.mod(a - b, 2 * np.pi)
        return 1 - 2 / np.pi * np.minimum(difference, 2 * np.pi - difference)

    pairs = phi(theta[:, None], theta[None, :])
    return np.sum(pairs) - np.trace(pairs) - 2 * np.sum(phi(theta[:, None], w))


@pytest.mark.parametrize("repulsion", [1, -1])
def test_slopes_at_vertices_are_differences_of_the_loss(repulsion):
    found = vertices(ANGLES, 3, repulsion)
    places = np.concatenate([ANGLES, ANGLES + np.pi])
    assert len(found.sites) == math.comb(8, 3)
    sets = np.array([[(s >> i) & 1 for i in (2, 1, 0)] for s in range(1, 8)])
    velocities = np.concatenate([sets, -sets])
    t = 1e-3
    for sites, slopes in zip(found.sites[::5], found.slopes[::5], strict=True):
        theta = places[sites]
        for v, slope in zip(velocities, slopes, strict=True):
            change = circle_loss(theta + t * v, ANGLES) - circle_loss(theta, ANGLES)
            if repulsion < 0:  # turn the sign of the electrons' own energy
                apart = circle_loss(theta + t * v, ANGLES[:0]) - circle_loss(theta, ANGLES[:0])
                change -= 2 * apart
            assert change == pytest.approx(4 / np.pi * t * slope, abs=1e-12)


def test_the_sign_of_the_least_slope_decides_in_every_direction():
    # Velocities in general position, which are no sums of few sets: a minimum rises along all of them.
    found = vertices(ANGLES, 3)
    places, random = np.concatenate([ANGLES, ANGLES + np.pi]), np.random.default_rng(0)
    for sites, least in zip(found.sites, found.least, strict=True):
        theta = places[sites]
        rises = [
            circle_loss(theta + 1e-4 * v, ANGLES) - circle_loss(theta, ANGLES) for v in random.normal(size=(300, 3))
        ]
        assert (min(rises) > -1e-12) == (least >= 0)


def test_the_circle_loss_is_the_one_of_particles():
    random = np.random.default_rng(1)
    theta, w = random.uniform(0, 6, 3), ANGLES
    points, protons = (np.stack([np.cos(x), np.sin(x)], axis=1) for x in (theta, w))
    landscape = Particles(potentials.sign(), protons, form="interaction")
    assert float(landscape.loss(Electrons(jnp.asarray(points)))) == pytest.approx(circle_loss(theta, w), rel=1e-12)


def test_forces_are_slopes_between_the_axes():
    b = np.array([1.0, -0.3, 0.6])
    values = forces(ANGLES, b)
    ends = np.sort(np.mod(np.concatenate([ANGLES, ANGLES + np.pi]), 2 * np.pi))
    for i, value in enumerate(values):
        middle = (ends[i] + (ends[i + 1] if i < 5 else ends[0] + 2 * np.pi)) / 2

        def field(angle):
            turn = np.mod(angle - ANGLES, 2 * np.pi)
            return np.sum(b * (1 - 2 / np.pi * np.minimum(turn, 2 * np.pi - turn)))

        assert (field(middle + 1e-3) - field(middle - 1e-3)) / 2e-3 == pytest.approx(2 / np.pi * value, rel=1e-9)


@pytest.mark.parametrize(
    ("theorem_id", "settings", "word"),
    [
        ("prsz18-LG.1", {}, "holds"),
        ("prsz18-LG.1", {"protons": 2, "electrons": 2}, "holds"),
        ("prsz18-LG.1", {"attracting": True}, "refuted"),
        ("prsz18-LG.1", {"electrons": 3}, "not-applicable"),
        ("prsz18-LG.2", {}, "holds"),
        ("prsz18-LG.2", {"law": "monomial"}, "refuted"),
        ("prsz18-LG.2", {"charges": "equal"}, "not-applicable"),
        ("prsz18-H.1", {"starts": 4}, "holds"),
        ("prsz18-H.1", {"starts": 4, "printed": True}, "refuted"),
        ("prsz18-H.1", {"starts": 4, "along": 2.3}, "refuted"),
        ("prsz18-H.1", {"starts": 2, "below": 1e-7}, "not-applicable"),
    ],
)
def test_signs(theorem_id, settings, word):
    assert theorems.check(theorem_id, **settings).verdict == word


def test_the_chain_of_the_sign_theorem_against_samples():
    random = np.random.default_rng(2)
    share, u, a = np.array([0.5, -0.2, 0.9]), random.normal(size=(3, 2)), np.array([0.7, -1.0, 0.3])
    loss, averaged, linear = chain(share, u, a)
    x = random.normal(size=(400_000, 3))
    units = np.concatenate([share[:, None], np.sqrt(1 - share**2)[:, None] * u / np.linalg.norm(u, axis=1)[:, None]], 1)
    squares = (np.sign(x @ units.T) @ a - np.sign(x[:, 0])) ** 2
    assert loss == pytest.approx(squares.mean(), abs=5 * squares.std() / len(x) ** 0.5)
    # Given X₁, the average of sgn(θᵀX) over the other coordinates, sampled too.
    first = random.normal(size=400)
    inner = np.array([[np.sign(s * t + math.sqrt(1 - s**2) * x[:4000, 1]).mean() for s in share] for t in first])
    squares = (inner @ a - np.sign(first)) ** 2
    assert averaged == pytest.approx(squares.mean(), abs=5 * squares.std() / 20 + 0.01)
    assert loss >= averaged >= linear


def test_small_components_leave_what_no_linear_function_fits():
    share = np.full(4, 0.01)
    _, averaged, linear = chain(share, np.eye(4), np.full(4, 25.0))
    assert averaged == pytest.approx(1 - 2 / math.pi, abs=1e-3)
    assert linear == pytest.approx(1 - 2 / math.pi, abs=1e-3)


@pytest.mark.parametrize(
    ("theorem_id", "settings", "message"),
    [
        ("prsz18-LG.1", {"protons": 9}, "protons"),
        ("prsz18-LG.2", {"law": "gaussian"}, "circle"),
        ("prsz18-LG.2", {"charges": "big"}, "'random' or 'equal'"),
        ("prsz18-H.1", {"d": 1}, "d must be"),
        ("prsz18-H.1", {"along": 3.0}, "along"),
    ],
)
def test_bad_settings_are_refused(theorem_id, settings, message):
    with pytest.raises(EarnshawError, match=message):
        theorems.check(theorem_id, **settings)


def test_protons_on_one_axis_are_refused():
    with pytest.raises(EarnshawError, match="distinct axes"):
        vertices(np.array([0.5, 0.5 + np.pi]), 2)
