"""Monomial potentials among orthonormal protons: the list of critical points against brute force, and prsz18 G.3."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons
from earnshaw.theorems.orthonormal_monomial import lone_electron
from earnshaw.theorems.orthonormal_powers import critical_points, orthonormal
from earnshaw.theorems.search import critical_points as newton

CHARGES = np.array([0.6, 1.4, 1.2])


@pytest.mark.parametrize(
    ("degree", "charges", "count"),
    [(3, CHARGES * [1, -1, 1], 14), pytest.param(4, CHARGES, 26, marks=pytest.mark.slow)],
)
def test_newton_finds_no_critical_point_that_is_not_on_the_list(degree, charges, count):
    w = orthonormal(np.random.default_rng(0), 3, 3)
    landscape = lone_electron(potentials.monomial(degree), w, charges, None)
    listed = critical_points(w, charges, degree)
    # Odd degree: two signs of a for each of the 7 sets. Even: 2^|S| signs of the coordinates.
    assert len(listed) == count
    rows = np.array([[*point.position, point.charge] for point in listed])
    assert np.min(np.linalg.norm(rows[:, None] - rows[None], axis=2) + 9 * np.eye(count)) > 0.1
    found = newton(landscape, jax.vmap(landscape.init)(jax.random.split(jax.random.key(1), 40)), longest=0.3)
    charged = found.critical & (np.abs(found.points.charges[:, 0]) > 1e-3)
    assert charged.sum() >= 15
    met = np.concatenate([found.points.positions[charged, 0], found.points.charges[charged]], axis=1)
    nearest = np.argmin(np.linalg.norm(met[:, None] - rows[None], axis=2), axis=1)
    np.testing.assert_allclose(met, rows[nearest], atol=1e-8)
    assert len(set(nearest.tolist())) >= 6
    np.testing.assert_allclose(
        found.smallest[charged], [listed[i].eigenvalues[0] for i in nearest], rtol=1e-7, atol=1e-9
    )


def test_more_dimensions_than_protons_add_directions_that_rise():
    w = orthonormal(np.random.default_rng(2), 2, 4)
    b = np.array([1.0, -2.0])
    landscape = lone_electron(potentials.monomial(5), w, b, None)
    hessian = jax.jit(lambda params: landscape.hessian(params))
    for point in critical_points(w, b, 5):
        params = Electrons(jnp.asarray(point.position)[None], jnp.array([point.charge]))
        spectrum = np.linalg.eigvalsh(np.asarray(hessian(params)))
        np.testing.assert_allclose(spectrum, point.eigenvalues, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "holds"),
        pytest.param({"degree": 4, "d": 4}, "holds", marks=pytest.mark.slow),
        ({"printed": True}, "refuted"),
        pytest.param({"claimed_degree": 1}, "refuted", marks=pytest.mark.slow),
        ({"degree": 2}, "not-applicable"),
        ({"tilt": 0.1}, "not-applicable"),
    ],
)
def test_monomials_have_minima_only_on_the_axes(settings, word):
    verdict = theorems.check("prsz18-G.3", **{"d": 3, "starts": 16, **settings})
    assert verdict.verdict == word
    if word == "holds":
        assert verdict.measured["saddles among them"] > 0
        assert verdict.measured["minima found"] == 16


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"protons": 9}, "protons must be"), ({"degree": 0}, "degree"), ({"tolerance": 0.0}, "tolerance")],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(EarnshawError, match=message):
        theorems.check("prsz18-G.3", **settings)
