"""Statistics of sampled losses, and signs that approximate one sign: zps17, Theorems B.3, B.4 and 5.1."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.zps17.theorem_5_1 import least_loss, least_of_charges, pair_loss
from earnshaw.theorems.zps17.theorem_B_4 import OnInputs

SAMPLES = {"d": 2, "smallest": 32, "doublings": 5, "repeats": 24, "points": 12, "tolerance": 0.2}


def test_products_of_units_are_no_more_complex_than_the_bound():
    verdict = theorems.check("zps17-B.3", draws=20, n=50)
    assert verdict.verdict == "holds"
    linear = verdict.measured["complexity of linear functions"]
    assert linear["95 %"][0] < linear["2B/√n"]


def test_in_one_dimension_the_supremum_is_that_of_four_functions():
    verdict = theorems.check("zps17-B.3", d=1, n=30, draws=10)
    assert verdict.verdict == "holds"
    assert verdict.measured["what the grid can miss, at most"] == 0


def test_units_that_hardly_change_break_the_printed_bound_and_not_the_corrected_one():
    flat = {"sigma1": "sigmoid", "sigma2": "sigmoid", "radius": 0.01, "draws": 20}
    assert theorems.check("zps17-B.3", printed=True, **flat).verdict == "refuted"
    assert theorems.check("zps17-B.3", **flat).verdict == "holds"
    assert theorems.check("zps17-B.3", bound=0.1, draws=5).verdict == "not-applicable"
    assert theorems.check("zps17-B.3", lipschitz=0.1, draws=5).verdict == "not-applicable"


def test_a_loss_on_inputs_has_the_mean_of_its_blocks():
    landscape = Particles.teacher_student(
        "tanh", np.eye(2), learn_outputs=True, manifold=Sphere(), form="without-constant"
    )
    inputs = jax.random.normal(jax.random.key(0), (40, 2))
    params = landscape.init(jax.random.key(1))
    halves = [float(OnInputs(landscape, half).loss(params)) for half in (inputs[:20], inputs[20:])]
    assert float(OnInputs(landscape, inputs).loss(params)) == pytest.approx(np.mean(halves), rel=1e-12)


@pytest.mark.slow
def test_errors_of_a_sampled_loss_fall_like_the_root_of_the_samples():
    verdict = theorems.check("zps17-B.4", **SAMPLES)
    assert verdict.verdict == "holds"
    for exponent in verdict.measured["exponent of the samples in 1/ε"].values():
        assert 1.4 < exponent < 2.8


def test_a_ball_that_is_too_small_keeps_its_bias_and_other_growth_is_another_matter():
    assert theorems.check("zps17-B.4", radius=1.0, **SAMPLES).verdict == "refuted"
    verdict = theorems.check("zps17-B.4", p=0.5, activation="quadratic", **SAMPLES)
    assert verdict.verdict == "not-applicable"
    assert verdict.hypotheses[0].value["exponents"][:2] == pytest.approx([2.0, 1.0], abs=0.01)


def test_the_least_loss_of_signs_is_that_of_the_landscape():
    random = np.random.default_rng(0)
    theta = random.normal(size=(3, 4))
    theta = theta / np.linalg.norm(theta, axis=1, keepdims=True)
    landscape = Particles(potentials.sign(), np.eye(4)[:1], electrons=3, learn_charges=True)
    loss, charges = least_of_charges(theta)
    params = Electrons(jnp.asarray(theta), -jnp.asarray(charges))
    assert float(landscape.loss(params)) == pytest.approx(loss, abs=1e-8)
    assert float(jnp.max(jnp.abs(landscape.gradient(params).charges))) < 1e-8


def test_pairs_of_signs_have_the_loss_that_their_products_say():
    k, height = 6, 0.2
    upper = np.concatenate([np.full((3, 1), height), np.sqrt(1 - height**2) * np.eye(3)], axis=1)
    pairs = np.concatenate([upper, upper * np.array([-1, 1, 1, 1])])
    assert least_of_charges(pairs)[0] == pytest.approx(pair_loss(k, height), abs=1e-8)


def test_the_search_does_at_least_as_well_as_pairs_do():
    assert least_loss(np.random.default_rng(0), 4, 3, 0.5, 6)[0] <= pair_loss(4, 0.5) + 1e-6


def test_signs_far_from_the_teacher_do_not_approximate_it():
    verdict = theorems.check("zps17-5.1", k=(2, 4), starts=3)
    assert verdict.verdict == "holds"
    assert verdict.measured["and a loss of one half"] == pytest.approx(-1, abs=0.05)


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"factor": 2.5}, "refuted"), ({"printed": True}, "refuted"), ({"loss": 0.5}, "not-applicable")],
)
def test_wrong_constants_and_the_printed_form_are_told_apart(settings, word):
    assert theorems.check("zps17-5.1", **{"k": (2,), "starts": 3} | settings).verdict == word


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-B.3", {"d": 3}, "certain for d = 1 and 2 only"),
        ("zps17-B.3", {"sigma1": "sigmoyd"}, "did you mean 'sigmoid'"),
        ("zps17-B.4", {"doublings": 1}, "doublings must be a whole number"),
        ("zps17-5.1", {"k": ()}, "k must be a width, or several"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
