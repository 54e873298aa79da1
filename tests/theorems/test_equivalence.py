"""Gradient flow beside particles: `zps17-2.2` and `prsz18-2.3` must hold, and be seen to fail."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from earnshaw import theorems
from earnshaw.duality import activations, potentials
from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError
from earnshaw.theorems.equivalence import (
    Claim,
    Comparison,
    Facts,
    Instance,
    judge,
    measure,
    named_potential,
    particle_paths,
)

SMALL = {"d": 2, "electrons": 2, "protons": 2, "starts": 2}


class Lopsided(Potential):
    """A Gaussian around w that is weighted by a function of θ alone: not symmetric, though constant at θ = w."""

    @property
    def name(self):
        return "lopsided"

    def matrix(self, x, y):
        squares = jnp.sum((x[:, None] - y[None]) ** 2, axis=-1)
        return jnp.exp(-squares / 2) * (1 + squares * jnp.tanh(x[:, :1]))

    def surroundings(self, x, y):
        n = x.shape[0]
        return jnp.where(jnp.eye(n, n + y.shape[0], dtype=bool), 0.0, self.matrix(x, jnp.concatenate([x, y])))

    def self_energy(self, x):
        return jnp.ones(x.shape[0])

    def laplacian(self, x, y):
        return jnp.trace(jax.hessian(self)(x, y))


@pytest.mark.parametrize("theorem", ["zps17-2.2", "prsz18-2.3"])
def test_electrons_go_where_particles_go(theorem):
    verdict = theorems.check(theorem, seed=1, **SMALL)
    assert verdict.verdict == "holds"
    assert verdict.measured["difference"] <= verdict.predicted["difference, at most"] < 1e-6
    assert verdict.measured["largest way"] > 0.05
    assert verdict.measured["multiple of Φ"] == pytest.approx(1, abs=1e-12)
    assert verdict.measured["starts"] == 2


@pytest.mark.parametrize(
    ("loss_factor", "factor", "word"), [(0.5, 2.0, "refuted"), (1.0, 2.0, "holds"), (1.0, 1.0, "refuted")]
)
def test_the_multiple_of_the_potential_is_twice_that_of_the_loss(loss_factor, factor, word):
    verdict = theorems.check("prsz18-2.3", seed=1, loss_factor=loss_factor, factor=factor, **SMALL)
    assert verdict.verdict == word
    assert verdict.predicted["multiple of Φ"] == factor
    assert verdict.measured["multiple of Φ"] == pytest.approx(2 * loss_factor, abs=1e-12)
    if word == "refuted":
        assert verdict.measured["difference"] > 0.01
        assert verdict.counterexample["factor"] == factor


@pytest.mark.parametrize("fixed", [0, 2])
def test_it_holds_on_the_sphere_with_electrons_fixed(fixed):
    settings = {"d": 3, "electrons": 2 + fixed, "protons": 4 - fixed, "starts": 2, "fixed": fixed}
    verdict = theorems.check("zps17-2.2", manifold="sphere", potential="sphere_exponential", **settings)
    assert verdict.verdict == "holds"
    assert verdict.measured["largest way"] > 0.05


def test_another_force_law_is_refuted():
    verdict = theorems.check("zps17-2.2", seed=1, law="inverse_multiquadric", **SMALL)
    assert verdict.verdict == "refuted"
    assert verdict.counterexample["law"] == "inverse_multiquadric"


@pytest.mark.parametrize(("time", "word"), [(0.3, "holds"), (60.0, "inconclusive")])
def test_a_singular_potential_has_a_loss_without_self_energies_until_particles_collide(time, word):
    verdict = theorems.check("prsz18-2.3", potential="coulomb", time=time, **SMALL)
    assert "interaction" in verdict.hypotheses[1].value
    assert verdict.verdict == word
    assert verdict.measured["starts left out"] == (2 if word == "inconclusive" else 0)
    assert ("fall into each other" in verdict.note) == (word == "inconclusive")


@pytest.mark.parametrize(("theorem", "potential"), [("zps17-2.2", "relu"), ("prsz18-2.3", activations.erf())])
def test_self_energy_that_varies_is_a_failing_hypothesis_and_does_change_the_flow(theorem, potential):
    verdict = theorems.check(theorem, potential=potential, **SMALL)
    assert verdict.verdict == "not-applicable"
    assert [hypothesis.met for hypothesis in verdict.hypotheses] == [True, False]
    assert verdict.measured["relative rest of the first velocities"] > 1e-3


def test_an_asymmetric_potential_is_seen_and_does_change_the_flow():
    verdict = theorems.check("prsz18-2.3", potential=Lopsided(), **SMALL)
    assert verdict.verdict == "not-applicable"
    assert [hypothesis.met for hypothesis in verdict.hypotheses] == [False, True]
    assert verdict.measured["relative rest of the first velocities"] > 1e-3


def test_self_energies_that_are_no_part_of_the_loss_may_vary():
    dual = named_potential("relu", 3, "euclidean")
    met = {form: [fact.met for fact in measure(dual, 3, False, form).hypotheses()] for form in ("full", "interaction")}
    assert met == {"full": [True, False], "interaction": [True, True]}


def test_particle_paths_against_scipy_and_forces_by_hand():
    instance = Instance.draw(jax.random.key(3), d=2, electrons=3, protons=2, fixed=1, starts=2)
    still = np.concatenate([instance.protons, instance.frozen])
    frozen, moving = instance.electron_charges[:1], instance.electron_charges[1:]
    charges = np.concatenate([moving, instance.proton_charges, frozen])

    def velocity(t, flat):
        everyone = np.concatenate([flat.reshape(2, 2), still])
        total = np.zeros((2, 2))
        for i in range(2):
            for j in range(5):
                if j != i:
                    away = everyone[i] - everyone[j]
                    # ∇ of −log r is −away/r²
                    total[i] -= charges[i] * charges[j] * -away / (away @ away)
        return total.ravel()

    times = np.linspace(0, 0.5, 3)
    arrays = [jnp.asarray(array) for array in (instance.moving, still, charges, times)]
    logarithm = potentials.get("logarithmic")
    paths, forces = particle_paths(logarithm, False, *arrays, 1.0, 1e-10)
    for start in range(2):
        initial = instance.moving[start].ravel()
        expected = solve_ivp(velocity, (0, 0.5), initial, "DOP853", t_eval=times, rtol=1e-11, atol=1e-11)
        assert np.allclose(paths[start].reshape(3, 4), expected.y.T, atol=1e-8)
        assert np.allclose(-forces[start].ravel(), velocity(0, initial), rtol=1e-12)


def made_up(difference, allowed):
    flow = np.zeros((2, 3, 1, 2)) + np.arange(3)[None, :, None, None]
    return Comparison(np.arange(3.0), flow, flow, np.array(difference), np.array(allowed), 1.0)


FACTS = Facts(asymmetry=0.0, spread=0.0, singular=False, form="full")
TIGHT = [[1e-6] * 3] * 2


@pytest.mark.parametrize(
    ("difference", "allowed", "word"),
    [
        ([[0, 0, 1e-7]] * 2, TIGHT, "holds"),
        ([[0, 0, 1e-7], [0, 2e-6, np.nan]], TIGHT, "refuted"),
        ([[0, 0, 1e-7], [0, 0, np.nan]], TIGHT, "holds"),
        ([[0, 0, np.nan]] * 2, TIGHT, "inconclusive"),
        # Paths whose errors are as long as they are refute nothing.
        ([[0, 0, 9.0]] * 2, [[1.0] * 3] * 2, "inconclusive"),
    ],
)
def test_the_judgement_counts_resolved_times_only(difference, allowed, word):
    verdict = judge("zps17-2.2", Claim(), FACTS, made_up(difference, allowed), {})
    assert verdict.verdict == word


def test_where_nothing_moves_nothing_is_decided():
    still = np.zeros((2, 3, 1, 2))
    comparison = Comparison(np.arange(3.0), still, still, np.zeros((2, 3)), np.full((2, 3), 1e-12), float("nan"))
    verdict = judge("zps17-2.2", Claim(), FACTS, comparison, {})
    assert verdict.verdict == "inconclusive"
    assert "No particle moves" in verdict.note


def test_instances_depend_on_the_key_and_keep_particles_apart():
    draws = [Instance.draw(jax.random.key(k), d=3, electrons=3, protons=3, fixed=1, starts=2) for k in (0, 0, 1)]
    assert np.array_equal(draws[0].moving, draws[1].moving)
    assert not np.array_equal(draws[0].moving, draws[2].moving)
    everyone = np.concatenate([draws[0].protons, draws[0].frozen, draws[0].moving[0]])
    distances = np.linalg.norm(everyone[:, None] - everyone[None], axis=-1) + 9 * np.eye(6)
    assert distances.min() > 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"potential": "gausian"}, "did you mean 'gaussian'"),
        ({"potential": "monomial"}, "lives on the sphere"),
        ({"manifold": "torus"}, "unknown manifold 'torus'"),
        ({"form": "half"}, "unknown form of the loss"),
        ({"potential": "coulomb", "form": "full"}, "form='interaction'"),
        ({"fixed": 4}, "at most 3 can be fixed"),
        ({"electrons": 0}, "electrons must be at least 1"),
        ({"d": 0}, "dimension d must be at least 1"),
        ({"d": 1, "manifold": "sphere"}, "at least 2 on the sphere"),
        ({"starts": 10**6}, "too many for one check"),
        ({"time": 0.0}, "time must be a finite number above 0"),
        ({"factor": float("nan")}, "factor must be a finite number"),
        ({"tolerance": -1.0}, "tolerance must be between"),
        ({"law": "yukawa", "d": 4}, "dimension"),
    ],
)
def test_bad_settings_are_one_sentence(settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check("zps17-2.2", **settings)
