"""prsz18 3.6, F.2, F.3 and F.4: no minima with free electrons, by joint motions and by search."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import iv

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.joint_strictness import joint_curvature
from earnshaw.theorems.prsz18.theorem_3_6 import growing
from earnshaw.theorems.prsz18.theorem_F_2 import singular

slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("theorem_id", "settings", "word"),
    [
        ("prsz18-3.6", {"points": 8, "starts": 8}, "holds"),
        ("prsz18-3.6", {"charge_factor": 0.9}, "not-applicable"),
        ("prsz18-3.6", {"potential": "gaussian"}, "not-applicable"),
        pytest.param("prsz18-3.6", {"potential": "growing", "d": 3}, "holds", marks=slow),
        pytest.param("prsz18-3.6", {"law": "gaussian"}, "refuted", marks=slow),
        ("prsz18-F.2", {"starts": 8}, "holds"),
        ("prsz18-F.2", {"potential": "gaussian"}, "not-applicable"),
        ("prsz18-F.2", {"potential": "exponential", "d": 1}, "not-applicable"),  # finite at coincidence
        pytest.param("prsz18-F.2", {"potential": "logarithm"}, "holds", marks=slow),
        pytest.param("prsz18-F.2", {"law": "gaussian"}, "refuted", marks=slow),
        ("prsz18-CF.3", {"starts": 8}, "holds"),
        ("prsz18-CF.3", {"potential": "power"}, "not-applicable"),  # √r, which is superharmonic in one dimension
        ("prsz18-CF.3", {"potential": "power", "d": 3}, "not-applicable"),
        pytest.param("prsz18-CF.3", {"law": "gaussian"}, "refuted", marks=slow),
        ("prsz18-F.4", {"starts": 8, "points": 16}, "holds"),
        ("prsz18-F.4", {"starts": 8, "points": 16, "printed": True}, "refuted"),
        ("prsz18-F.4", {"starts": 8, "points": 16, "c_factor": 0.8}, "not-applicable"),
        pytest.param("prsz18-F.4", {"law": "exponential"}, "refuted", marks=slow),
    ],
)
def test_no_minima_with_free_electrons(theorem_id, settings, word):
    verdict = theorems.check(theorem_id, **settings)
    assert verdict.verdict == word
    if word == "holds" and theorem_id in ("prsz18-F.2", "prsz18-CF.3"):
        assert verdict.measured.get("critical points", {"saddle": 1})["saddle"] > 0
        on_protons = "of them on a proton" if theorem_id == "prsz18-F.2" else "ended one on each proton"
        assert verdict.measured[on_protons] == settings.get("starts", 24)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_the_growing_potential_is_a_bessel_function(d):
    r = np.array([0.3, 2.0, 9.0])
    nu = d / 2 - 1
    # Γ(d/2)(r/2)^{−ν} I_ν(r)
    expected = np.array([0.0 + x for x in iv(nu, r) * (r / 2) ** -nu])
    expected *= float(jnp.exp(jax.scipy.special.gammaln(d / 2)))
    np.testing.assert_allclose(jax.vmap(growing(d).profile)(jnp.asarray(r)), expected, rtol=1e-12)


def test_curvatures_of_joint_motions_against_differences_of_the_loss():
    # Translations in R³ and rotations on the sphere, by the loss alone.
    random = np.random.default_rng(0)
    h = 1e-4
    x, w = random.normal(size=(2, 3)), random.normal(size=(2, 3))
    flat = Particles(potentials.gaussian(), w, form="interaction")
    loss = jax.jit(lambda p: flat.loss(Electrons(p)))
    total = sum((loss(x + h * e) + loss(x - h * e) - 2 * loss(x)) / h**2 for e in np.eye(3))
    found = joint_curvature(potentials.gaussian(), w, x[None])[0]
    assert found == pytest.approx(float(total) / 6, abs=1e-6)

    x, w = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, w))
    phi = singular("logarithm", 3, 1.0)
    assert phi is not None
    round_ = Particles(phi, w, form="interaction")
    loss = jax.jit(lambda p: round_.loss(Electrons(p)))

    def turned(i, j, angle):
        rotation = np.eye(3)
        rotation[[i, j], [i, j]] = np.cos(angle)
        rotation[i, j], rotation[j, i] = np.sin(angle), -np.sin(angle)
        return loss(x @ rotation)

    total = sum((turned(i, j, h) + turned(i, j, -h) - 2 * loss(x)) / h**2 for i, j in ((0, 1), (0, 2), (1, 2)))
    # On S² the Laplacian of −log(1 − ρ) is 1: −2 for each of four pairs, over 2·2 dimensions.
    assert float(total) == pytest.approx(-8.0, abs=1e-5)
    assert joint_curvature(phi, w, x[None])[0] == pytest.approx(-2.0, rel=1e-10)


@pytest.mark.parametrize(
    ("theorem_id", "settings", "message"),
    [
        ("prsz18-3.6", {"electrons": 0}, "electrons"),
        ("prsz18-3.6", {"potential": "monomial", "d": 3}, "sphere"),
        ("prsz18-F.2", {"k": 0}, "k must be"),
        ("prsz18-CF.3", {"potential": "gausian"}, "did you mean 'gaussian'"),
        ("prsz18-F.4", {"radius": 40.0}, "underflows"),
        ("prsz18-F.4", {"eps": 90.0}, "no room"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(theorem_id, settings, message):
    with pytest.raises(EarnshawError, match=message) as caught:
        theorems.check(theorem_id, **settings)
    assert "\n" not in str(caught.value)
