import math

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality.dual import Dual
from earnshaw.duality.harmonicity import harmonicity
from earnshaw.duality.radial import Radial
from earnshaw.duality.separable import Separable
from earnshaw.duality.synthetic import almost_one_harmonic
from earnshaw.duality.yukawa import almost_harmonic, harmonic_yukawa
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError

SUB, SUPER, LAMBDA = "strictly-subharmonic", "strictly-superharmonic", "lambda-harmonic"


def radial(f, name="radial"):
    return Radial(f, label=name)


@pytest.mark.parametrize("d", [3, 4, 7])
def test_coulomb_is_harmonic_in_its_own_dimension_only(d):
    assert harmonicity(radial(lambda r: r ** (2.0 - d)), d).kinds == ("harmonic",)
    assert harmonicity(radial(lambda r: r ** (2.0 - d)), d - 1).kinds == (SUB,)
    assert harmonicity(radial(lambda r: r ** (2.0 - d)), d + 1).kinds == (SUPER,)


def test_the_logarithm_is_harmonic_in_the_plane_and_the_line_on_the_line():
    assert harmonicity(radial(lambda r: -jnp.log(r)), 2).kinds == ("harmonic",)
    assert harmonicity(radial(lambda r: r), 1).kinds == ("harmonic",)


def test_the_distance_is_subharmonic():
    assert harmonicity(radial(lambda r: r), 3).kinds == (SUB,)


@pytest.mark.parametrize("lam", [0.5, 1.0, 4.0])
def test_yukawa(lam):
    (segment,) = harmonicity(harmonic_yukawa(3, lam), 3).segments
    assert segment.kind == LAMBDA
    assert segment.eigenvalue == pytest.approx(lam, rel=1e-7)
    assert (segment.low, segment.high) == (0.0, math.inf)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_the_gaussian_changes_sign_at_the_square_root_of_d(d):
    measured = harmonicity(radial(lambda r: jnp.exp(-(r**2) / 2)), d)
    assert measured.kinds == (SUPER, SUB)
    assert measured.segments[0].high == pytest.approx(math.sqrt(d), rel=1e-10)
    assert measured.at(math.sqrt(d) + 0.1).kind == SUB


def test_the_exponential_is_an_eigenfunction_on_the_line_only():
    (segment,) = harmonicity(radial(lambda r: jnp.exp(-r)), 1).segments
    assert (segment.kind, segment.eigenvalue) == (LAMBDA, pytest.approx(1.0))
    assert harmonicity(radial(lambda r: jnp.exp(-r)), 3).kinds == (SUPER, SUB)


@pytest.mark.parametrize(
    ("d", "eps", "lam", "slack"), [(3, 0.1, 1.0, 1e-6), (7, 0.1, 4.0, 3e-3), (11, 0.01, 1.0, 2e-2)]
)
def test_almost_harmonic_potentials_are_eigenfunctions_outside_the_ball(d, eps, lam, slack):
    measured = harmonicity(almost_harmonic(d, eps, lam), d)
    last = measured.segments[-1]
    assert (last.kind, last.high) == (LAMBDA, math.inf)
    assert last.eigenvalue == pytest.approx(lam, rel=1e-6)
    # Inside, d − 1 derivatives agree at ε, so the measured boundary lies a little below it.
    assert eps * (1 - slack) <= last.low <= eps * (1 + 1e-9)
    assert measured.segments[0].kind == SUPER


def test_a_capped_yukawa_is_not_an_eigenfunction_inside():
    measured = harmonicity(radial(lambda r: jnp.exp(-jnp.maximum(r, 0.2)) / jnp.maximum(r, 0.2)), 3)
    assert measured.kinds == ("constant", LAMBDA)
    assert measured.segments[1].low == pytest.approx(0.2, rel=1e-9)


def test_a_negative_eigenvalue_is_not_lambda_harmonic():
    measured = harmonicity(Zonal(lambda t: t, label="linear"), 4)
    (segment,) = measured.segments
    assert (segment.kind, segment.eigenvalue) == ("eigenfunction", pytest.approx(-3.0))
    assert "negative" in measured.summary()
    (sinc,) = harmonicity(radial(lambda r: jnp.sin(r) / r), 3).segments
    assert (sinc.kind, sinc.eigenvalue) == ("eigenfunction", pytest.approx(-1.0))


def test_zonal_signs_and_boundaries():
    measured = harmonicity(Zonal(lambda t: t**3, label="cubic"), 4)
    # (1 − ρ²)6ρ − 9ρ³ vanishes at 0 and ±√(2/5).
    assert measured.kinds == (SUB, SUPER, SUB, SUPER)
    np.testing.assert_allclose(
        [s.high for s in measured.segments[:-1]], [-math.sqrt(0.4), 0.0, math.sqrt(0.4)], atol=1e-9
    )
    sign = harmonicity(Zonal(lambda t: 1 - 2 / jnp.pi * jnp.arccos(t), label="sign"), 3)
    assert sign.kinds == (SUB, SUPER)


def test_almost_one_harmonic_reports_its_residual():
    coarse, fine = (harmonicity(almost_one_harmonic(5, n), 5).one_harmonic_residual for n in (6, 30))
    assert coarse is not None
    assert fine is not None
    potential = almost_one_harmonic(5, 6)
    exact = float(abs(potential.profile.residual(0.5)) / potential.profile(jnp.array(0.5)))
    assert coarse == pytest.approx(exact, rel=1e-9)
    assert fine < 1e-6 < coarse


def test_separable_potentials_add_their_eigenvalues():
    (segment,) = harmonicity(Separable(lambda r: jnp.exp(-jnp.abs(r)), label="bessel"), 5).segments
    assert (segment.kind, segment.eigenvalue) == (LAMBDA, pytest.approx(5.0))


def test_duals_are_classified_on_the_sphere():
    assert harmonicity(Dual("relu"), 3).variable == "ρ"


def test_the_summary_is_one_sentence():
    text = harmonicity(almost_harmonic(3, 0.1), 3).summary()
    assert text.endswith("λ-harmonic with λ = 1 for r > 0.1.")


def test_bad_input_is_refused():
    with pytest.raises(EarnshawError, match="d ≥ 1"):
        harmonicity(radial(lambda r: r), 0)
    with pytest.raises(EarnshawError, match="d ≥ 2"):
        harmonicity(Zonal(lambda t: t), 1)
    with pytest.raises(EarnshawError, match="low < high"):
        harmonicity(radial(lambda r: r), 2, radii=(1.0, 0.5))
    with pytest.raises(EarnshawError, match="no sign to measure"):
        harmonicity(radial(lambda r: 0.0 * r), 2)
    with pytest.raises(EarnshawError, match="outside"):
        harmonicity(Zonal(lambda t: t), 3).at(2.0)
