"""Whatever a user passes to the duality room gives a result or one sentence, and never hangs or ends the process."""

import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import Activation, Dual, PowerSeries, Radial, Separable, Zonal, activations, potentials
from earnshaw.duality.potential import one_pair, point_sets
from earnshaw.duality.synthetic import AlmostOneHarmonic, sufficient_degree
from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.errors import EarnshawError


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, z):
        return z


def branching(z):
    return z if z > 0 else 0.0


FUNCTIONS = {
    # NumPy's own functions end the process when JAX traces them
    "ufunc": (np.tanh, "made of JAX operations"),
    "unhashable": (Unhashable(), "made of JAX operations"),
    "boolean": (lambda z: z > 0, "real number that can be differentiated, got the type bool"),
    "complex": (lambda z: jnp.exp(1j * z), "got the type complex128"),
    "vector": (lambda z: jnp.stack([z, z]), "one number for one number"),
    "pair": (lambda z: (z, z), "one number for one number"),
    "nothing": (lambda z: None, "one number for one number"),
    "branching": (branching, "cannot be applied to one number"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("maker", [Activation, Radial, Zonal, Separable])
def test_functions_that_are_none_are_refused(maker, name):
    function, sentence = FUNCTIONS[name]
    with pytest.raises(EarnshawError, match=sentence) as caught:
        maker(function)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Dual(lambda z: jnp.exp(z**2)), "infinite or beyond double precision"),
        (lambda: activations.hermite(10**6), "from 0 to 30"),
        (lambda: activations.exponential(float("inf")), "the shift must be a finite number"),
        (lambda: activations.gaussian(0), "whole number of at least 1"),
        (lambda: activations.relu().scaled(float("nan")), "the factor"),
        (lambda: activations.relu().hermite_coefficients(10**7), "from 1 to 2048"),
        (lambda: activations.relu().hermite_coefficients(3, scale=float("nan")), "the scale"),
        (lambda: potentials.monomial(10**9), "from 0 to 100000"),
        (lambda: potentials.matern(1e6 + 0.5), "up to 80½"),
        (lambda: AlmostHarmonic(10**9 + 3, 0.1), "up to dimension d = 127"),
        (lambda: AlmostHarmonic(6, 0.1), "the nearest that work are d = 3 and d = 7"),
        (lambda: AlmostHarmonic(127, 0.99, 1e4), "leaves the range of double precision"),
        (lambda: AlmostOneHarmonic(3, 10**9), "from 2 to 100000"),
        (lambda: AlmostOneHarmonic(1000, 100_000), "leave the range of double precision"),
        (lambda: sufficient_degree(5, 1e-300), "at least 1e-6"),
    ],
)
def test_bad_settings_are_one_sentence(call, sentence):
    with pytest.raises(EarnshawError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("shapes", [((3,), (2,)), ((3,), (1,)), ((), ()), ((2, 2), (2, 2))], ids=str)
def test_points_of_different_spaces_are_refused(shapes):
    x, y = (jnp.full(shape, 0.5) for shape in shapes)
    with pytest.raises(EarnshawError, match="two points must be vectors of one length"):
        one_pair(x, y)


@pytest.mark.parametrize("shapes", [((2, 3), (2, 2)), ((3,), (3,)), ((2, 3), (3,))], ids=str)
def test_sets_of_points_of_different_spaces_are_refused(shapes):
    x, y = (jnp.full(shape, 0.5) for shape in shapes)
    with pytest.raises(EarnshawError, match=r"shapes \(n, d\) and \(m, d\), got shapes"):
        point_sets(x, y)


def test_types_that_are_wrong_are_refused_as_politely():
    # In a process of its own: here the package's annotations are checked first, for a user they are not.
    script = Path(__file__).with_name("unchecked.py")
    answer = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_long_power_series_are_those_of_numpy():
    coefficients = tuple(1 / (n + 1) ** 2 for n in range(700))
    rho = jnp.array([-0.9, 0.3, 0.99])
    exact = np.polynomial.Polynomial(coefficients)
    assert np.allclose(PowerSeries(coefficients)(rho), exact(np.asarray(rho)), rtol=1e-14)
    assert float(potentials.monomial(100_000)(jnp.array([1.0, 0.0]), jnp.array([1.0, 0.0]))) == 1
