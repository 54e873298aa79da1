"""The hunts for counterexamples: zps17 Conjectures 3.13 and 3.14, and how a suspect is judged and checked again."""

from decimal import Decimal, localcontext

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.conjectures import Hunt, digits, hunt, recheck, settle
from earnshaw.theorems.conjectures.hunt import ATTRACTION, SLOPES

SMALL = {"starts": 24, "steps": 2000}


def sign_loss(protons, b, positions, a):
    """With mpmath's own arccosine."""
    rows = [mpmath.matrix([mpmath.mpf(float(c)) for c in row]) for row in np.vstack([positions, protons])]
    rows = [row / mpmath.norm(row) for row in rows]
    charges = [mpmath.mpf(float(c)) for c in np.concatenate([a, b])]

    def pair(x, y):
        cosine = sum(p * q for p, q in zip(x, y, strict=True))
        return 1 - 2 / mpmath.pi * mpmath.acos(max(-1, min(1, cosine)))

    return sum(
        p * q * pair(x, y) for p, x in zip(charges, rows, strict=True) for q, y in zip(charges, rows, strict=True)
    )


@pytest.fixture(scope="module")
def sign():
    return theorems.check("zps17-3.13", **SMALL)


def test_the_conjecture_about_the_sign_falls_to_two_electrons_on_one_proton(sign):
    assert sign.verdict == "refuted"
    assert sign.measured["starts"] == 24
    assert sign.measured["at local minima with several electrons on one proton"] > 0
    found = sign.counterexample
    assert found["kind"] == "shared"
    assert found["checked again"]["is a local minimum"]
    assert found["checked again"]["loss"] == pytest.approx(found["loss"], abs=1e-12)
    assert found["loss"] > 0.1
    assert min(abs(found["electron charges"])) > 0.05


def test_multiprecision_finds_no_way_down_from_the_counterexample(sign):
    found = sign.counterexample
    protons, b = np.asarray(found["protons"]), np.asarray(found["proton charges"])
    positions, a = np.asarray(found["electrons"]), np.asarray(found["electron charges"])
    with mpmath.workdps(50):
        here = sign_loss(protons, b, positions, a)
        assert float(here) == pytest.approx(found["loss"], abs=1e-12)
        random = np.random.default_rng(0)
        for radius in (1e-2, 1e-5):
            for _ in range(20):
                shift, charge = random.normal(size=positions.shape), random.normal(size=a.shape)
                assert sign_loss(protons, b, positions + radius * shift, a + radius * charge) > here


def test_the_smallest_counterexample_is_exact():
    # w₁ ⊥ w₂, b = (3, 1), both electrons on w₁ with −3/2: the loss is 1, and stays above 1 around.
    twice = Electrons(jnp.array([[[1.0, 0.0], [1.0, 0.0]]]), jnp.array([[-1.5, -1.5]]))
    landscape = Particles(potentials.sign(), np.eye(2), [3.0, 1.0], learn_charges=True)
    (judged,) = settle(landscape, twice, slope=SLOPES["sign"])
    assert (judged.label, judged.site.tolist(), judged.loss) == ("shared", [0, 0], pytest.approx(1.0, abs=1e-13))
    # c = m(|a| − 1) = (2/π)/2
    assert judged.slope == pytest.approx(1 / np.pi, abs=1e-12)
    # With charges −1/2 on a proton of charge 1 the other proton pulls both away.
    weak = Electrons(twice.positions, jnp.array([[-0.5, -0.5]]))
    (judged,) = settle(Particles(potentials.sign(), np.eye(2), learn_charges=True), weak, slope=SLOPES["sign"])
    assert (judged.label, judged.reason) == ("undecided", "an electron can leave its proton")
    again = recheck("sign", np.eye(2), [1.0, 1.0], weak.positions[0], [-0.5, -0.5], [0, 0], learned=True)
    assert not again["is a local minimum"]
    assert again["least slope out of a kink"] < 0


@pytest.mark.slow
def test_slopes_out_of_a_kink_are_those_of_the_loss():
    random = np.random.default_rng(2)
    protons = random.normal(size=(3, 3))
    protons /= np.linalg.norm(protons, axis=1, keepdims=True)
    b = np.array([2.0, 1.0, -1.5])
    landscape = Particles(potentials.sign(), protons, b, learn_charges=True)
    ends = Electrons(jnp.asarray(protons[[0, 0, 2]])[None], jnp.array([[-1.2, -1.1, 1.4]]))
    (judged,) = settle(landscape, ends, slope=SLOPES["sign"])
    moved, weights = [], []
    for i in range(3):
        tangent = np.linalg.svd(judged.positions[i][None])[2][1:]
        for angle in np.linspace(0, 2 * np.pi, 400):
            place, way = judged.positions.copy(), np.cos(angle) * tangent[0] + np.sin(angle) * tangent[1]
            place[i] = np.cos(1e-7) * place[i] + np.sin(1e-7) * way
            moved.append(place)
            weights.append(2 * abs(judged.charges[i]))
    losses = jax.vmap(lambda x: landscape.energy(x, jnp.asarray(judged.charges)))(jnp.asarray(np.array(moved)))
    slopes = (np.asarray(losses) - judged.loss) / 1e-7 / np.array(weights)
    assert min(slopes) == pytest.approx(judged.slope, abs=1e-4)


def test_another_potential_is_another_matter():
    assert theorems.check("zps17-3.13", potential="relu", **SMALL).verdict == "not-applicable"


def test_the_distance_potential_leaves_no_suspect():
    verdict = theorems.check("zps17-3.14", k=3, **SMALL)
    assert verdict.verdict == "inconclusive"
    assert verdict.measured["at the global minimum"] == 24 == verdict.measured["starts"]
    assert verdict.margin is None


def test_as_printed_the_distance_potential_has_no_minimum_to_find():
    verdict = theorems.check("zps17-3.14", reading="printed", k=3, **SMALL)
    assert verdict.verdict == "refuted"
    assert verdict.measured["descents that fall without end"] > 0
    found = verdict.counterexample
    places = np.vstack([found["electrons"], found["protons"]])
    charges = np.concatenate([found["electron charges"], np.ones(3)])
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    own = distances[3:, 3:].sum()
    assert charges @ distances @ charges - own == pytest.approx(found["loss"], rel=1e-12)
    assert found["loss"] < -1e5


def test_charges_that_are_not_opposite_are_another_matter():
    verdict = theorems.check("zps17-3.14", charges="mixed", k=3, **SMALL)
    assert verdict.verdict == "not-applicable"


def test_forty_digits_agree_with_multiprecision():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 4))
    with localcontext(prec=digits.DIGITS), mpmath.workdps(60):
        exact = mpmath.mpf(str(digits.sign_pair([Decimal(c) for c in x], [Decimal(c) for c in y])))
        u, v = (mpmath.matrix([mpmath.mpf(c) for c in row]) for row in (x, y))
        cosine = (u.T * v)[0] / mpmath.norm(u) / mpmath.norm(v)
        assert abs(exact - (1 - 2 / mpmath.pi * mpmath.acos(cosine))) < mpmath.mpf(10) ** -37
        for t in ("1e-20", "0.3", "1", "7.5", "1e20"):
            error = mpmath.mpf(str(digits.arctangent(Decimal(t)))) - mpmath.atan(mpmath.mpf(t))
            assert abs(error) < mpmath.mpf(10) ** -38


@pytest.mark.parametrize(
    ("protons", "positions", "minimum"),
    [
        # Between three protons of an equilateral triangle one electron is at rest, and stably: the point of Fermat.
        ([[1.0, 0.0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]], [[0.0, 0.0]], True),
        # Half-way between two protons it is not held at all.
        ([[1.0, 0.0], [-1.0, 0.0]], [[0.0, 0.0]], False),
    ],
)
def test_a_free_electron_is_judged_by_its_hessian(protons, positions, minimum):
    landscape = Particles(ATTRACTION, protons, electrons=1, electron_charges=[-1.0], form="interaction")
    (judged,) = settle(landscape, Electrons(jnp.array([positions])), slope=1.0)
    assert (judged.label == "separate") == minimum
    again = recheck("attraction", protons, np.ones(len(protons)), positions, [-1.0], [-1], learned=False)
    assert again["is a local minimum"] == minimum
    if minimum:
        assert judged.smallest == pytest.approx(again["smallest curvature in smooth directions"], abs=1e-9)
        assert judged.smallest == pytest.approx(3.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("d", "k", "charges"), [(3, 5, "equal"), (4, 6, "equal"), (2, 4, "mixed")])
def test_it_falls_in_other_dimensions_and_with_equal_charges(d, k, charges):
    found = hunt(Hunt("sign", d, k, charges, starts=64), 0)
    assert found.evidence()["checked again"]["is a local minimum"]


@pytest.mark.parametrize(
    ("theorem", "settings", "sentence"),
    [
        ("zps17-3.13", {"d": 1}, "d must be a whole number from 2"),
        ("zps17-3.13", {"potential": "gaussian"}, "unlike gaussian"),
        ("zps17-3.13", {"charges": "all"}, "unknown law of charges"),
        ("zps17-3.14", {"reading": "other"}, "unknown reading"),
        ("zps17-3.14", {"steps": 0}, "steps must be a whole number"),
    ],
)
def test_bad_settings_are_one_sentence(theorem, settings, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        theorems.check(theorem, **settings)
