"""Where zps17 and prsz18 slip about dynamics and truncation: the printed form fails and the corrected one holds.

The numbers in the names are those of docs/errata.md.
"""

import jax
import pytest

from earnshaw import theorems
from earnshaw.duality import potentials
from earnshaw.duality.dual import Dual
from earnshaw.theorems.equivalence import Instance
from earnshaw.theorems.equivalence.comparison import first_velocities
from earnshaw.theorems.truncation import power_bias, smallest_radius

SMALL = {"d": 3, "electrons": 2, "protons": 2, "fixed": 0, "starts": 4}


@pytest.mark.parametrize(("loss_factor", "is_right"), [(0.5, True), (1.0, False)])
def test_32_the_velocity_of_the_flow_on_half_the_loss_is_half_the_gradient_of_the_loss(loss_factor, is_right):
    instance = Instance.draw(jax.random.key(0), **SMALL)
    multiple, rest = first_velocities(potentials.gaussian(), instance, form="full", loss_factor=loss_factor)
    assert rest < 1e-12
    assert (abs(multiple - 1) < 1e-12) == is_right
    assert multiple == pytest.approx(2 * loss_factor, abs=1e-12)


@pytest.mark.parametrize(("ratio", "is_right"), [(1e8, True), (1e6, False)])
def test_33_the_radius_of_the_ball_depends_on_c(ratio, is_right):
    # c = 100, ε = 1e-6, d = 3, p = 2: with c the radius is 6.928, and without it 6.173.
    d, p, c, epsilon = 3, 2.0, 100.0, 1e-6
    radius = smallest_radius(d, p, ratio)
    assert radius == pytest.approx(6.928464 if is_right else 6.172527, abs=1e-6)
    assert (c * power_bias(d, p, radius) <= epsilon) == is_right
    by_check = theorems.check("zps17-LB.1", d=d, p=p, c=c, epsilon=epsilon, radius="smallest", printed=not is_right)
    assert by_check.verdict == ("holds" if is_right else "refuted")
    assert by_check.measured["bias"] == pytest.approx(1e-6 if is_right else 1e-4, rel=1e-6)


@pytest.mark.parametrize(("potential", "is_right"), [(potentials.gaussian(), True), (Dual("relu"), False)])
def test_34_symmetry_is_not_enough_where_the_self_energy_varies(potential, is_right):
    instance = Instance.draw(jax.random.key(0), **SMALL)
    _, rest = first_velocities(potential, instance, form="full")
    assert (rest < 1e-12) == is_right
    if not is_right:
        assert rest > 0.9
        # Without the electrons' self-energies the same potential obeys the theorem.
        multiple, rest = first_velocities(potential, instance, form="interaction")
        assert rest < 1e-12
        assert multiple == pytest.approx(1, abs=1e-12)
