"""Where zps17 slips in its section 3: the printed form fails and the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.conjectures import recheck
from earnshaw.theorems.conjectures.kinks import settle
from earnshaw.theorems.orthonormal_monomial import lone_electron
from earnshaw.theorems.search import classify


@pytest.mark.parametrize(("potential", "is_right"), [("exponential", True), ("square", False)])
def test_46_a_bounded_hessian_everywhere_leaves_nothing_to_converge_to(potential, is_right):
    # Both are strictly subharmonic on the line with ‖∇²Φ‖ bounded; only the one with a cusp attracts.
    verdict = theorems.check("zps17-3.6", potential=potential, printed=True, starts=12, steps=4000 if is_right else 500)
    assert verdict.verdict == ("holds" if is_right else "refuted")
    if is_right:
        # A constant step at a cusp does not converge either: it ends within the step of 1/16.
        assert 1e-3 < verdict.measured["largest distance"] < 2 / 16 * 3
    else:
        assert verdict.measured["largest distance"] > 1e4


@pytest.mark.parametrize(("isolation", "is_right"), [("all", True), ("some", False)])
def test_47_an_electron_must_be_apart_from_all_others(isolation, is_right):
    verdict = theorems.check("zps17-L3.8", isolation=isolation, points=16, starts=8)
    assert verdict.verdict == ("holds" if is_right else "refuted")
    if not is_right:
        assert verdict.measured["loss"] == pytest.approx(1 - np.exp(-2), abs=1e-12)
        assert verdict.measured["least rise of the loss"] > 0


@pytest.mark.parametrize(("b", "is_right"), [((1.0, 1.0), True), ((1.0, 2.0), False)])
def test_48_a_minimum_need_not_be_at_the_proton_of_largest_charge(b, is_right):
    landscape = lone_electron(potentials.monomial(3), np.eye(2), np.array(b), "odd")
    at_first = classify(landscape, Electrons(jnp.array([[[1.0, 0.0]]]), jnp.array([[-1.0]])))
    assert at_first.label.tolist() == ["minimum"]
    assert at_first.loss.item() == pytest.approx(-1.0, abs=1e-14)
    lowest = float(landscape.loss(Electrons(jnp.array([[0.0, 1.0]]), jnp.array([-b[1]]))))
    assert lowest == pytest.approx(-(b[1] ** 2), abs=1e-14)
    assert (at_first.loss.item() <= lowest + 1e-12) == is_right


@pytest.mark.parametrize(("b", "is_right"), [((1.0, 2.0), True), ((1.0, 1.0), False)])
def test_49_two_signs_of_one_charge_hold_an_electron_between_them(b, is_right):
    # Half-way between w₁ and w₂ on the sphere of R³, with the best charge: a critical point only if |b₁| = |b₂|.
    angle = 1.0
    protons = np.array([[1.0, 0.0, 0.0], [np.cos(angle), np.sin(angle), 0.0]])
    landscape = lone_electron(potentials.sign(), protons, np.array(b), "odd")
    middle = jnp.array([[np.cos(angle / 2), np.sin(angle / 2), 0.0]])
    here = Electrons(middle, landscape.optimal_charges(middle))
    force = float(jnp.linalg.norm(landscape.gradient(here).positions))
    assert (force > 0.1) == is_right
    if not is_right:
        assert force < 1e-12
        # Stable across the arc, indifferent along it.
        values = np.linalg.eigvalsh(np.asarray(landscape.hessian(here)))
        assert values[0] == pytest.approx(0.0, abs=1e-12)
        assert values[1] > 0.1


@pytest.mark.parametrize(("second", "is_right"), [(1.0, False), (2.0, True)])
def test_50_two_electrons_on_one_proton_are_at_a_minimum_under_the_sign(second, is_right):
    # w₁ ⊥ w₂, b = (3, b₂), a = −3/2 twice on w₁: a minimum with loss b₂² as long as b₂ < 3/2.
    landscape = Particles(potentials.sign(), np.eye(2), [3.0, second], learn_charges=True)
    twice = Electrons(jnp.array([[[1.0, 0.0], [1.0, 0.0]]]), jnp.array([[-1.5, -1.5]]))
    (judged,) = settle(landscape, twice, slope=2 / np.pi)
    again = recheck("sign", np.eye(2), [3.0, second], twice.positions[0], [-1.5, -1.5], [0, 0], learned=True)
    assert judged.loss == pytest.approx(second**2, abs=1e-12) == again["loss"]
    assert judged.spurious == again["is a local minimum"] == (not is_right)


@pytest.mark.parametrize(("sign", "is_right"), [(-1.0, True), (1.0, False)])
def test_51_the_distance_potential_with_learned_charges_has_no_least_loss(sign, is_right):
    # One electron, one proton with b = 1. Printed: L = 2a‖θ − w‖, −2 at distance 1 with a = −1, and falling.
    def loss(distance, a):
        landscape = Particles(potentials.distance(), [[0.0, 0.0]], learn_charges=True, form="without-constant")
        return sign * float(landscape.loss(Electrons(jnp.array([[distance, 0.0]]), jnp.array([a]))))

    falls = loss(1.0, -1.0) < loss(0.0, -1.0)
    assert falls == (not is_right)
    if is_right:
        # What attracts has its minimum over θ at the proton, with the charge held opposite.
        assert all(loss(r, -1.0) == pytest.approx(2 * r) for r in (0.5, 1.0, 100.0))
    else:
        assert [loss(r, -1.0) for r in (1.0, 100.0)] == [-2.0, -200.0]


def test_52_the_energy_is_lowest_long_before_every_electron_has_a_proton():
    # Coulomb, two and two: −∞ as one electron falls, wherever the other is.
    landscape = Particles(potentials.coulomb(3), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], form="interaction")
    energies = [
        float(landscape.loss(Electrons(jnp.array([[gap, 0.0, 0.0], [0.0, 5.0, 5.0]])))) for gap in (1e-2, 1e-4, 1e-6)
    ]
    assert energies == pytest.approx([-200, -20_000, -2_000_000], rel=0.02)
