"""What `Particles` refuses, and that it says so in a sentence."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.duality.radial import Radial
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Product, Sphere
from earnshaw.landscapes import Electrons, Particles

GAUSSIAN = Radial(lambda r: jnp.exp(-(r**2) / 2), label="gaussian")
COULOMB = Radial(lambda r: 1 / r, label="coulomb")
CUBIC = Zonal(lambda rho: rho**3, label="cubic")
W = np.eye(3)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Particles("gaussian", W), "need a Potential"),
        (lambda: Particles(GAUSSIAN, [1.0, 2.0]), "protons must have 2 axes"),
        (lambda: Particles(GAUSSIAN, np.zeros((0, 3))), "must not be empty"),
        (lambda: Particles(GAUSSIAN, [[1.0], [2.0, 3.0]]), "equally long"),
        (lambda: Particles(GAUSSIAN, [["a", "b"]]), "real numbers"),
        (lambda: Particles(GAUSSIAN, [[1j, 2.0]]), "real numbers"),
        (lambda: Particles(GAUSSIAN, W * np.nan), "protons must be finite"),
        (lambda: Particles(GAUSSIAN, np.full((3, 3), np.inf)), "protons must be finite"),
        (lambda: Particles(GAUSSIAN, W, [1.0, 2.0]), r"charges of 3 protons must have shape \(3,\), not \(2,\)"),
        (lambda: Particles(GAUSSIAN, W, np.ones((3, 1))), "charges must have 1 axes"),
        (lambda: Particles(GAUSSIAN, W, electrons=0), "positive integer"),
        (lambda: Particles(GAUSSIAN, W, electrons=2.5), "positive integer"),
        (lambda: Particles(GAUSSIAN, W, electrons=True), "positive integer"),
        (lambda: Particles(GAUSSIAN, W, electron_charges=[1.0]), "electron_charges of 3 electrons"),
        (lambda: Particles(GAUSSIAN, W, [1.0, 2.0, 3.0], electrons=2), "pass electron_charges"),
        (lambda: Particles(GAUSSIAN, W, form="ful"), "did you mean 'full'"),
        (lambda: Particles(GAUSSIAN, W, form=None), "unknown form"),
        (lambda: Particles(GAUSSIAN, W, start="gausian"), "did you mean 'gaussian'"),
        (lambda: Particles(GAUSSIAN, W, start=3), "a start law is"),
        (lambda: Particles(GAUSSIAN, W, scale=0.0), "scale must be positive"),
        (lambda: Particles(GAUSSIAN, W, regularisation=-1.0), "must not be negative"),
        (lambda: Particles(GAUSSIAN, W, regularisation=np.nan), "must be finite"),
        (lambda: Particles(GAUSSIAN, W, manifold=Product(())), "Euclidean"),
        (lambda: Particles(GAUSSIAN, 2 * W, manifold=Sphere()), "norm 1"),
        (lambda: Particles(CUBIC, 2 * W), "norm 1"),
        (lambda: Particles(CUBIC, W, manifold=Euclidean()), "lives on the sphere"),
        (lambda: Particles(COULOMB, W), "only form='interaction'"),
        (lambda: Particles(GAUSSIAN, W, form="interaction").optimal_charges(jnp.eye(3)), "not convex"),
        (lambda: Particles(GAUSSIAN, W).freeze(Electrons(jnp.eye(3)), [0, 1, 2]), "stay free"),
        (lambda: Particles(GAUSSIAN, W).freeze(Electrons(jnp.eye(3)), 3), "integers from 0 to 2"),
        (lambda: Particles(GAUSSIAN, W).freeze(Electrons(jnp.eye(3)), 0.5), "integers from 0 to 2"),
        (lambda: Particles(GAUSSIAN, W, learn_charges=True).loss(Electrons(jnp.eye(3))), "parameters need charges"),
        (lambda: Particles.teacher_student("relo", W), "relu"),
        (lambda: Particles.teacher_student("relu", W, biases=[1.0]), "one for each unit"),
        (lambda: Particles.teacher_student("relu", W, biases=np.zeros(3), manifold=Sphere()), "do not live on the"),
        (lambda: Particles.teacher_student("relu", W, student_outputs=[1.0]), "electron_charges of 3"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(make, sentence):
    with pytest.raises(EarnshawError, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value)


JUNK = st.one_of(
    st.none(),
    st.text(max_size=3),
    st.floats(),
    st.integers(-3, 3),
    st.lists(st.floats(), max_size=3),
    st.lists(st.lists(st.floats(-2, 2), max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=1), st.floats(), max_size=1),
)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    protons=JUNK,
    name=st.sampled_from(["charges", "electrons", "electron_charges", "form", "regularisation", "start", "scale"]),
    value=JUNK,
    sensible=st.booleans(),
)
def test_junk_makes_a_landscape_or_a_sentence(protons, name, value, sensible):
    problem = None
    try:
        Particles(GAUSSIAN, W if sensible else protons, **{name: value})
    except EarnshawError as error:
        problem = str(error)
    assert problem is None or "\n" not in problem
