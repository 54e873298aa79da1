"""How near the electrons are to the others, against loops over all pairs."""

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import potentials
from earnshaw.landscapes import Electrons, Particles
from earnshaw.landscapes.encounters import encounters


@pytest.mark.parametrize("parity", [None, "even"])
def test_nearest_proton_and_electron_by_brute_force(parity):
    random = np.random.default_rng(0)
    x, w = random.normal(size=(4, 3)), random.normal(size=(3, 3))
    landscape = Particles(potentials.gaussian(), w, electrons=4, parity=parity, form="interaction")
    met = encounters(landscape, Electrons(jnp.asarray(x)))

    def apart(p, q):
        return min(np.linalg.norm(p - q), np.linalg.norm(p + q)) if parity else np.linalg.norm(p - q)

    for i in range(4):
        to_protons = [apart(x[i], q) for q in w]
        to_electrons = [apart(x[i], x[j]) if j != i else np.inf for j in range(4)]
        assert float(met.to_proton[i]) == pytest.approx(min(to_protons), rel=1e-12)
        assert int(met.proton[i]) == int(np.argmin(to_protons))
        assert float(met.to_electron[i]) == pytest.approx(min(to_electrons), rel=1e-12)
        assert int(met.electron[i]) == int(np.argmin(to_electrons))
        assert float(met.nearest[i]) == pytest.approx(min(to_protons + to_electrons), rel=1e-12)


def test_particles_of_charge_zero_are_not_there():
    landscape = Particles(
        potentials.coulomb(3), [[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]], [0.0, 1.0], electrons=3,
        electron_charges=[-1.0, 0.0, -1.0], form="interaction",
    )  # fmt: skip
    met = encounters(landscape, Electrons(jnp.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.1], [3.0, 0.0, 0.0]])))
    assert met.to_proton.tolist() == [4.0, np.inf, 2.0]
    assert met.proton.tolist()[::2] == [1, 1]
    assert met.to_electron.tolist() == [2.0, np.inf, 2.0]


def test_a_single_electron_meets_no_other():
    landscape = Particles(potentials.gaussian(), [[1.0, 0.0]], form="interaction")
    met = encounters(landscape, Electrons(jnp.zeros((1, 2))))
    assert met.to_electron.tolist() == [np.inf]
    assert met.nearest.tolist() == [1.0]
