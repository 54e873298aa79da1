"""What the duality room says to wrong types: a script, so that no annotation is checked before the package looks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import earnshaw as es
from earnshaw.duality import activations, potentials
from earnshaw.duality.harmonicity import harmonicity
from earnshaw.duality.realizability import realizability
from earnshaw.duality.yukawa import AlmostHarmonic

THREE, ONE = np.full(3, 0.5), np.full(1, 0.5)
FAMILIES = [
    potentials.gaussian(),
    potentials.bessel(),
    potentials.sphere_exponential(),
    potentials.sign(),
    es.Dual("relu"),
    es.Dual("softplus"),
]
REFUSED = {
    "from 0 to 30, got nan": lambda: activations.hermite(float("nan")),
    "the slope must be a finite number, got 'steep'": lambda: activations.leaky_relu("steep"),
    "a list of coefficients": lambda: activations.from_powers(3.0),
    "unknown activation": lambda: activations.get(["relu"]),
    "unknown potential": lambda: potentials.get(None),
    "a coefficient must be a finite number": lambda: potentials.polynomial("a"),
    "whole number of at least 1, got nan": lambda: potentials.coulomb(float("nan")),
    "c must be a positive finite number, got True": lambda: potentials.gaussian(True),
    "whole number d ≥ 1, got 3.0": lambda: harmonicity(potentials.gaussian(), 3.0),
    "not for str": lambda: harmonicity("gaussian", 3),
    "'gaussian' is not one": lambda: realizability("gaussian", 3),
}
JUNK = st.one_of(
    st.integers(-3, 40),
    st.sampled_from([10**9, 10**30, -(10**30), True, None, "3", "", b"x", [1], {}, 1j, 2.5, 1e-300, 1e300]),
    st.floats(allow_nan=True, allow_infinity=True),
)
MAKERS = {
    "hermite": activations.hermite,
    "leaky_relu": activations.leaky_relu,
    "exponential": activations.exponential,
    "gaussian potential": potentials.gaussian,
    "coulomb": potentials.coulomb,
    "yukawa": potentials.yukawa,
    "matern": potentials.matern,
    "inverse_multiquadric": potentials.inverse_multiquadric,
    "monomial": potentials.monomial,
    "sphere_exponential": potentials.sphere_exponential,
    "polynomial": lambda c: potentials.polynomial(1.0, c),
    "almost_harmonic d": lambda d: potentials.almost_harmonic(d, 0.1),
    "almost_harmonic eps": lambda eps: potentials.almost_harmonic(3, eps),
    "almost_harmonic lam": lambda lam: potentials.almost_harmonic(7, 0.1, lam),
    "almost_one_harmonic d": lambda d: potentials.almost_one_harmonic(d, 4),
    "almost_one_harmonic degree": lambda degree: potentials.almost_one_harmonic(5, degree),
    "tolerance": lambda tolerance: es.Dual("relu", tolerance=tolerance),
    "max_norm": lambda norm: es.Dual("relu", max_norm=norm),
    "activation": activations.get,
    "potential": potentials.get,
}


def sentence_of(call, *arguments):
    """The sentence with which a call is refused, and None for one that is not."""
    try:
        call(*arguments)
    except es.EarnshawError as error:
        sentence = str(error)
        assert "\n" not in sentence
        return sentence
    return None


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(sorted(MAKERS)), JUNK)
def fuzz(name, value):
    """Junk makes something or a sentence: any other error ends this script."""
    sentence_of(MAKERS[name], value)


def main():
    """Everything above, in turn."""
    for expected, call in REFUSED.items():
        assert expected in (sentence_of(call) or ""), (expected, sentence_of(call))
    for phi in FAMILIES:
        for call in (phi, phi.gradient, phi.laplacian, phi.laplace_beltrami):
            # A difference or a product would broadcast the coordinate of R¹ to all of R³.
            assert "vectors of one length" in (sentence_of(call, THREE, ONE) or ""), (phi.name, call)
        for call in (phi.matrix, phi.surroundings):
            assert "shapes (n, d) and (m, d)" in (sentence_of(call, THREE[None], ONE[None]) or ""), (phi.name, call)
        lists, arrays = phi([0.6, 0.8], [1, 0]), phi(np.array([0.6, 0.8]), np.array([1.0, 0.0]))
        assert float(lists) == float(arrays)
    assert AlmostHarmonic(np.int64(7), 0.1) == AlmostHarmonic(7, 0.1)
    assert activations.hermite(np.int64(3)) == activations.hermite(3)
    assert harmonicity(potentials.coulomb(np.int64(3)), np.int64(3)).kinds == ("harmonic",)
    fuzz()


if __name__ == "__main__":
    main()
