"""Where prsz18 slips about node-wise descent: the printed form fails and the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from earnshaw import theorems
from earnshaw.duality.yukawa import AlmostHarmonic

EPS = 0.1
P = np.array([1.0, 1 + EPS, 2 + 2 * EPS + EPS**2])
INNER = np.array([P[0], P[1], P[2] / 2, -P[2] / 6])
INNER /= INNER.sum()


def phi(r):
    """The almost 1-harmonic potential of R³ by hand, and its slope."""
    if r < EPS:
        u = 1 - r / EPS
        return np.polyval(INNER[::-1], u), -np.polyval(np.polyder(INNER[::-1]), u) / EPS
    value = INNER[0] * EPS / r * np.exp(EPS - r)
    return value, -value * (1 + 1 / r)


def second_gd(alpha, learned, r=0.5, b=1.0):
    """Algorithm 2 for one electron on a ray from one proton: where it returns, and with which charge."""
    t, a = r, -b * phi(r)[0]

    def loss(t, a):
        return a**2 + 2 * a * b * phi(abs(t))[0]

    for _ in range(1_000_000):
        value, slope = phi(abs(t))
        if not learned:
            a = -b * value
        ahead = t - alpha * 2 * a * b * slope * np.sign(t)
        charge = a - alpha * 2 * (a + b * value) if learned else -b * phi(abs(ahead))[0]
        if loss(ahead, charge) >= loss(t, a):
            return abs(t), a
        t, a = ahead, charge
    raise AssertionError("the rule never ended the descent")


def test_the_potential_by_hand_is_the_library_s():
    profile = AlmostHarmonic(3, EPS)
    for r in (0.0, 0.03, 0.1, 0.7):
        assert phi(r)[0] == pytest.approx(float(profile(r)), abs=1e-14)
        assert phi(r)[1] == pytest.approx(float(profile.derivative(r, 1)), rel=1e-12)


@pytest.mark.parametrize(("learned", "is_right"), [(False, True), (True, False)])
@pytest.mark.parametrize("alpha", [1e-3, 1e-4, 1e-5])
def test_61_the_charge_gets_there_if_it_is_solved_for(alpha, learned, is_right):
    r, a = second_gd(alpha, learned)
    assert r < 100 * alpha
    # The steps along the cusp do not get smaller, so neither does what is left of the charge.
    assert (abs(a + 1) < 100 * alpha) == is_right
    if not is_right:
        assert -0.6 < a < -0.1


def test_62_the_best_charge_is_minus_b_phi_and_not_twice_that():
    b, value = 0.7, phi(0.02)[0]
    best = minimize_scalar(lambda a: a**2 + 2 * a * b * value).x
    assert best == pytest.approx(-b * value, abs=1e-7)
    assert abs(best + 2 * b * value) > 0.5


def test_63_the_best_charge_lowers_the_loss_by_its_square_and_has_the_other_sign():
    b, value = 0.7, phi(0.02)[0]
    least = minimize_scalar(lambda a: a**2 + 2 * a * b * value)
    assert least.fun == pytest.approx(-(least.x**2), abs=1e-9)
    assert abs(least.fun + least.x**2 / 2) > 0.1
    assert least.x < 0 < b * value


@pytest.mark.parametrize(("pull", "word"), [(2.0, "holds"), (1.0, "refuted")])
def test_64_the_force_is_twice_what_is_printed(pull, word):
    assert theorems.check("prsz18-LE.3", points=20, pull=pull).verdict == word


def test_65_the_laplacian_is_a_multiple_of_the_potential_only_away_from_the_protons():
    for r, is_right in ((0.2, True), (0.05, False)):
        h = 1e-4
        second = (phi(r + h)[1] - phi(r - h)[1]) / (2 * h)
        laplacian = second + 2 * phi(r)[1] / r
        assert (abs(laplacian - phi(r)[0]) < 1e-3) == is_right
