"""Electrons that fall onto protons one after the other: zps17 Corollary 3.4 and Theorem 3.6."""

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.duality.radial import Radial
from earnshaw.errors import EarnshawError
from earnshaw.theorems.pairing_off import pair_off

SMALL = {"starts": 12}


def shell(r):
    return r**2 * jnp.exp(-(r**2) / 2)


def test_under_the_coulomb_potential_every_electron_falls_onto_a_proton_of_its_own():
    verdict = theorems.check("zps17-C3.4", **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["one electron on each proton"] == 12 == verdict.measured["starts"]


def test_electrons_that_are_drawn_to_a_shell_around_each_proton_rest_between_them():
    verdict = theorems.check("zps17-C3.4", d=2, law=Radial(shell, "shell"), **SMALL)
    assert verdict.verdict == "refuted"
    found = verdict.counterexample
    electrons, protons = np.asarray(found["electrons"]), np.asarray(found["protons"])

    def energy(x):
        repulsion = 2 * shell(np.linalg.norm(x[0] - x[1]))
        return repulsion - 2 * np.sum(shell(np.linalg.norm(x[:, None] - protons[None], axis=2)))

    random = np.random.default_rng(0)
    assert all(energy(electrons + 1e-3 * random.normal(size=(2, 2))) > energy(electrons) for _ in range(100))


def test_a_potential_that_is_not_harmonic_is_another_matter():
    assert theorems.check("zps17-C3.4", potential="distance", **SMALL).verdict == "not-applicable"


def test_pairs_are_found_in_any_order_and_counted_once():
    random = np.random.default_rng(1)
    protons, starts = random.normal(size=(2, 3)), random.normal(size=(12, 2, 3))
    ends = pair_off(potentials.coulomb(3), protons, starts, collision=1e-3)
    assert ends.complete.all()
    assert {tuple(row) for row in ends.partner} == {(0, 1), (1, 0)}
    assert np.allclose(ends.positions, protons[ends.partner])


@pytest.mark.slow
def test_a_cusp_on_the_line_is_found_by_search_and_by_descent_with_the_theorems_step():
    verdict = theorems.check("zps17-3.6", **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["step size"] == pytest.approx(1 / 16, rel=2e-3)
    assert verdict.measured["descents that reach the protons"] == 12
    assert 0 < verdict.measured["largest distance"] < 2 / 16 * 3
    assert verdict.measured["relative error of the joint Laplacian"] < 1e-10


@pytest.mark.slow
def test_the_printed_hypotheses_admit_a_potential_under_which_electrons_flee():
    printed = theorems.check("zps17-3.6", potential="square", printed=True, steps=500, **SMALL)
    assert printed.verdict == "refuted"
    assert printed.measured["largest distance"] > 1e3
    corrected = theorems.check("zps17-3.6", potential="square", steps=500, **SMALL)
    assert corrected.verdict == "not-applicable"
    assert [fact.met for fact in corrected.hypotheses] == [True, True, True, False]


def test_potentials_that_are_not_subharmonic_are_another_matter():
    assert theorems.check("zps17-3.6", potential="gaussian", steps=500, **SMALL).verdict == "not-applicable"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theorem", "settings", "word"),
    [
        ("zps17-C3.4", {"k": 3}, "holds"),
        ("zps17-C3.4", {"d": 2, "k": 3}, "holds"),
        ("zps17-3.6", {"k": 3, "steps": 20_000}, "holds"),
        ("zps17-3.6", {"law": "distance"}, "refuted"),
    ],
)
def test_more_electrons_and_another_law(theorem, settings, word):
    assert theorems.check(theorem, seed=1, **{**SMALL, **settings}).verdict == word


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-C3.4", {"k": 0}, "k must be a whole number from 1"),
        ("zps17-C3.4", {"potential": "sphere_exponential"}, "lives on the sphere"),
        ("zps17-3.6", {"potential": "bessel"}, "radial potentials"),
        ("zps17-3.6", {"step_factor": -1.0}, "step_factor must be a finite number above 0"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
