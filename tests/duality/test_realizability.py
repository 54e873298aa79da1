import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import kv

from earnshaw.duality import potentials
from earnshaw.duality.dual import Dual
from earnshaw.duality.radial import Radial
from earnshaw.duality.radial_activation import RadialActivation, SeparableActivation
from earnshaw.duality.realizability import realizability
from earnshaw.duality.separable import Separable
from earnshaw.duality.synthetic import almost_one_harmonic
from earnshaw.duality.yukawa import almost_harmonic
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError


def radial(f, name="radial"):
    return Radial(f, label=name)


@pytest.mark.parametrize("d", [1, 3])
def test_the_gaussian_and_its_printed_activation(d):
    answer = realizability(potentials.gaussian(), d)
    assert answer.realizable is True
    assert isinstance(answer.activation, RadialActivation)
    assert answer.mismatch is not None
    assert answer.mismatch < 1e-8
    x, theta = jnp.full(d, 0.4), jnp.full(d, -0.3)
    printed = 2 ** (d / 2) * jnp.exp(jnp.sum(x**2) / 4 - jnp.sum((x - theta) ** 2))
    assert float(answer.activation(x, theta)) == pytest.approx(float(printed), rel=1e-7)


def test_the_activation_realises_the_potential_under_gaussian_inputs():
    # Monte Carlo with an error bar, from the definition.
    answer = realizability(potentials.gaussian(2.0), 2)
    x = jax.random.normal(jax.random.key(0), (200_000, 2))
    theta, w = jnp.array([0.2, -0.1]), jnp.array([-0.3, 0.2])
    samples = np.asarray(answer.activation(x, theta) * answer.activation(x, w))
    error = samples.std() / math.sqrt(len(samples))
    assert samples.mean() == pytest.approx(math.exp(-0.34), abs=4 * error)
    assert error < 0.02


@pytest.mark.parametrize(
    ("potential", "d", "accuracy"),
    [
        (potentials.exponential(), 3, 1e-9),
        (potentials.matern(1.5), 1, 1e-9),
        (potentials.inverse_multiquadric(2.0), 3, 1e-6),
        (almost_harmonic(3, 0.1), 3, 1e-4),
        pytest.param(almost_harmonic(7, 0.2), 7, 1e-5, marks=pytest.mark.slow),
    ],
)
def test_realizable_radial_potentials(potential, d, accuracy):
    answer = realizability(potential, d)
    assert answer.realizable is True
    assert answer.mismatch is not None
    assert answer.mismatch < accuracy
    assert answer.evidence is not None
    assert answer.evidence.value > answer.evidence.error > 0


def test_the_bessel_potential_has_k0_as_its_activation():
    answer = realizability(potentials.bessel(), 3)
    assert isinstance(answer.activation, SeparableActivation)
    x, theta = jnp.array([0.1, 0.5, -1.0]), jnp.array([1.0, -0.2, 0.3])
    exact = (2 / math.pi) ** 2.25 * math.exp(1.26 / 4) * np.prod(kv(0, np.abs(np.asarray(x - theta))))
    assert float(answer.activation(x, theta)) == pytest.approx(exact, rel=1e-7)


def test_negative_fourier_mass_is_located():
    # The transform of e^{−r²/2}(1 − r²) in R³ is e^{−k²/2}(k² − 2): −2 at 0, and this bound is met nowhere else.
    answer = realizability(radial(lambda r: jnp.exp(-(r**2) / 2) * (1 - r**2)), 3)
    assert answer.realizable is False
    assert answer.evidence is not None
    exact = math.exp(-(answer.evidence.place**2) / 2) * (answer.evidence.place**2 - 2)
    assert answer.evidence.value == pytest.approx(exact, abs=1e-12)
    assert answer.evidence.value < -1.9
    assert "negative" in answer.reason


def test_the_same_profile_may_be_realizable_in_one_dimension_and_not_in_the_next():
    # e^{−r²/2}(1 − r²/2) has the transform e^{−k²/2}(k² + 2 − d)/2.
    dimpled = radial(lambda r: jnp.exp(-(r**2) / 2) * (1 - r**2 / 2), "dimpled")
    assert realizability(dimpled, 2).realizable is True
    assert realizability(dimpled, 3).realizable is False
    answer = realizability(radial(lambda r: jnp.exp(-(r**4)), "quartic"), 2)
    assert answer.realizable is False
    assert answer.evidence is not None
    assert 4 < answer.evidence.place < 6


def test_a_transform_that_touches_zero_is_nonnegative():
    # (1 − r²/3)e^{−r²/2} has the transform k²e^{−k²/2}/3 in R³.
    answer = realizability(radial(lambda r: jnp.exp(-(r**2) / 2) * (1 - r**2 / 3)), 3)
    assert answer.realizable is True


def test_infinite_at_coincidence():
    for potential, d in ((potentials.coulomb(3), 3), (potentials.logarithmic(), 2), (potentials.yukawa(3), 3)):
        answer = realizability(potential, d)
        assert answer.realizable is False
        assert "infinite at coincidence" in answer.reason


def test_the_distance_violates_cauchy_schwarz():
    answer = realizability(potentials.distance(), 4)
    assert answer.realizable is False
    assert answer.evidence is not None
    assert answer.evidence.value > 0
    assert "violates" in answer.reason


def test_constants_and_what_tends_to_one():
    assert realizability(radial(lambda r: 2.0 + 0 * r), 3).realizable is True
    above = realizability(radial(lambda r: jnp.exp(-(r**2)) + 1, "lifted"), 2)
    assert above.realizable is True
    assert above.activation is None
    below = realizability(radial(lambda r: jnp.exp(-(r**2)) - 0.1, "lowered"), 2)
    assert below.realizable is False
    assert below.evidence is not None
    assert below.evidence.value == pytest.approx(-0.1)


def test_a_wave_is_refuted_by_a_gram_matrix_or_left_open():
    assert realizability(radial(jnp.cos, "cosine"), 3).realizable is False
    assert realizability(radial(jnp.cos, "cosine"), 1).realizable is not False


def test_zonal_potentials_from_hermite_series():
    exponential = Zonal(lambda t: jnp.exp(t - 1), label="exponential")
    for potential in (potentials.monomial(3), exponential, almost_one_harmonic(5, 10)):
        answer = realizability(potential, 5)
        assert answer.realizable is True
        rebuilt = Dual(answer.activation).on_sphere()
        rho = jnp.linspace(-1.0, 1.0, 9)
        np.testing.assert_allclose(
            jax.vmap(rebuilt.profile)(rho), jax.vmap(potential.profile)(rho), rtol=1e-10, atol=1e-10
        )


def test_the_constant_term_belongs_to_the_series():
    answer = realizability(Zonal(lambda t: 0.5 + 0.5 * t**2, label="even"), 3)
    assert float(answer.activation.hermite_coefficients(1)[0]) == pytest.approx(math.sqrt(0.5))


def test_a_negative_taylor_coefficient_says_which():
    answer = realizability(potentials.polynomial(0.5, 1.0, -0.25), 3)
    assert answer.realizable is False
    answer = realizability(Zonal(lambda t: 1.0 + t + t**2 - 0.5 * t**3, label="cubic"), 3)
    assert answer.evidence is not None
    assert (answer.evidence.place, answer.evidence.value) == (3.0, pytest.approx(-0.5))


def test_a_legendre_polynomial_is_positive_semidefinite_without_being_a_ridge():
    answer = realizability(potentials.polynomial(-0.5, 0.0, 1.5), 3)
    assert answer.realizable is False
    assert "no σ(θᵀx) realises it" in answer.reason
    assert "Gegenbauer coefficients are nonnegative" in answer.reason
    in_four = realizability(potentials.polynomial(-0.5, 0.0, 1.5), 4)
    assert "Gegenbauer coefficient of order 0 is negative" in in_four.reason


def test_a_rough_zonal_potential_is_judged_by_gegenbauer_coefficients():
    answer = realizability(Zonal(jnp.abs, label="modulus"), 3)
    assert answer.realizable is False
    assert answer.evidence is not None
    assert "Gegenbauer" in answer.evidence.what


def test_duals_are_realizable_by_construction():
    answer = realizability(Dual("softplus"), 3)
    assert answer.realizable is True
    assert answer.activation is not None
    assert answer.activation.name == "softplus"


def test_signs_of_separable_potentials():
    minus = Separable(lambda r: -jnp.exp(-jnp.abs(r)), label="minus")
    assert realizability(minus, 3).realizable is False
    assert realizability(minus, 2).realizable is True


def test_bad_input_is_refused():
    with pytest.raises(EarnshawError, match="d ≥ 1"):
        realizability(potentials.gaussian(), 0)
    with pytest.raises(EarnshawError, match="d ≥ 2"):
        realizability(potentials.monomial(2), 1)


@pytest.mark.parametrize("name", ["sign", "relu"])
def test_what_was_made_from_an_activation_is_realized_by_it(name):
    # The Taylor series of these converge too slowly at ρ = 1 to be believed from a dozen coefficients.
    potential = potentials.get(name)
    answer = realizability(potential, 3)
    assert answer.realizable
    x, y = jnp.array([0.6, 0.8, 0.0]), jnp.array([0.0, 0.6, -0.8])
    assert float(Dual(answer.activation)(x, y)) == pytest.approx(float(potential(x, y)), abs=1e-14)
