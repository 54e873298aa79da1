"""Where zps17 slips in its section 3: the printed form fails and the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import potentials
from earnshaw.landscapes import Electrons, Particles
from earnshaw.theorems.conjectures import recheck
from earnshaw.theorems.conjectures.kinks import settle


@pytest.mark.parametrize(("potential", "is_right"), [("exponential", True), ("square", False)])
def test_46_a_bounded_hessian_everywhere_leaves_nothing_to_converge_to(potential, is_right):
    # Both are strictly subharmonic on the line: φ″ = e^{−r} > 0 and 2 > 0, with B = 1 and 2. Only one attracts.
    slope = {"exponential": lambda x: -np.sign(x) * np.exp(-np.abs(x)), "square": lambda x: 2 * x}[potential]
    protons, electrons = np.array([0.0, 1.0]), np.array([0.7, 2.0])
    step = 1 / (4 * 2**2 * (1 if is_right else 2))
    for _ in range(2000 if is_right else 500):
        between = slope(electrons[0] - electrons[1])
        gradient = 2 * np.array([between, -between]) - 2 * slope(electrons[:, None] - protons).sum(axis=1)
        electrons = electrons - step * gradient
        if np.max(np.abs(electrons)) > 1e4:
            break
    distance = np.max(np.abs(np.sort(electrons) - protons))
    # A constant step at a cusp does not converge either: it ends within the step.
    assert (1e-3 < distance < 0.2) == is_right
    assert (distance > 1e4) == (not is_right)


@pytest.mark.parametrize("is_right", [True, False])
def test_47_an_electron_must_be_apart_from_all_others(is_right):
    # e^{−|x − y|}, protons at 0 and 1 whose fields cancel beyond 1. Electron 3 is elsewhere in both cases.
    w, b = np.array([0.0, 1.0]), np.array([1.0, -np.exp(-1.0)])
    x, a = (np.array([2.5, 2.0, 3.0]), np.array([0.0, -0.8, 0.0])) if is_right else (
        np.array([2.0, 2.0, 3.0]), np.array([0.8, -0.8, 0.0]))  # fmt: skip

    def loss(x, a):
        places, charges = np.concatenate([x, w]), np.concatenate([a, b])
        return charges @ np.exp(-np.abs(places[:, None] - places[None])) @ charges

    # The best charge of electron 1, and not 0.
    a[0] = -np.exp(-np.abs(x[0] - np.concatenate([x[1:], w]))) @ np.concatenate([a[1:], b])
    assert abs(a[0]) > 0.4
    random = np.random.default_rng(0)
    steps = [1e-2 * random.normal(size=6) for _ in range(2000)]
    lowest = min(loss(x + step[:3], a + step[3:]) for step in steps) - loss(x, a)
    assert (lowest < 0) == is_right
    if not is_right:
        assert loss(x, a) == pytest.approx(1 - np.exp(-2), abs=1e-12)


@pytest.mark.parametrize(("b", "is_right"), [((1.0, 1.0), True), ((1.0, 2.0), False)])
def test_48_a_minimum_need_not_be_at_the_proton_of_largest_charge(b, is_right):
    def loss(angle, a):
        return a**2 + 2 * a * (b[0] * np.cos(angle) ** 3 + b[1] * np.sin(angle) ** 3)

    random = np.random.default_rng(0)
    assert loss(0.0, -1.0) == -1.0
    assert all(loss(*(1e-2 * random.normal(size=2) + [0.0, -1.0])) > -1.0 for _ in range(1000))
    lowest = loss(np.pi / 2, -b[1])
    assert lowest == pytest.approx(-(b[1] ** 2), abs=1e-14)
    assert (lowest > -1.0 - 1e-12) == is_right


@pytest.mark.parametrize(("b", "is_right"), [((1.0, 2.0), True), ((1.0, 1.0), False)])
def test_49_two_signs_of_one_charge_hold_an_electron_between_them(b, is_right):
    protons = np.array([[1.0, 0.0, 0.0], [np.cos(1.0), np.sin(1.0), 0.0]])

    def loss(along, across):
        """With the best charge, at an angle along the arc from its middle and one across it."""
        theta = np.array([np.cos(0.5 + along) * np.cos(across), np.sin(0.5 + along) * np.cos(across), np.sin(across)])
        return -(float(np.array(b) @ (1 - 2 / np.pi * np.arccos(protons @ theta))) ** 2)

    slope = (loss(1e-4, 0.0) - loss(-1e-4, 0.0)) / 2e-4
    assert (abs(slope) > 0.1) == is_right
    if not is_right:
        # Indifferent along the arc up to both protons, stable across it.
        assert all(loss(s, 0.0) == pytest.approx(loss(0.0, 0.0), abs=1e-12) for s in np.linspace(-0.49, 0.49, 9))
        assert min(loss(0.0, 1e-2), loss(0.0, -1e-2)) > loss(0.0, 0.0) + 1e-5


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
