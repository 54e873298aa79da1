import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.descent import Every, GradientDescent, Probe, Stop, descend
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import Quadratic, RayleighQuotient

BOWL, SPHERE = Quadratic(jnp.eye(3)), RayleighQuotient(jnp.eye(3))


@pytest.mark.parametrize(
    ("landscape", "starts", "says"),
    [
        (BOWL, 0, "at least one start"),
        (BOWL, -4, "at least one start"),
        (BOWL, True, "number or a batch"),
        (BOWL, np.ones(3), r"shape \(starts, 3\), not \(3,\)"),
        (BOWL, np.ones((2, 4)), r"shape \(starts, 3\), not \(2, 4\)"),
        (BOWL, np.ones((0, 3)), "at least one start"),
        (BOWL, {"x": np.ones((2, 3))}, "structure"),
        (BOWL, np.array([[1, 2, 3], [1, np.nan, 3]]), "start 1 is not finite"),
        (BOWL, np.array([[np.inf, 2, 3]]), "start 0 is not finite"),
        (BOWL, np.array([["a", "b", "c"]]), "real numbers"),
        (BOWL, np.ones((2, 3), complex), "real numbers"),
        (BOWL, [[1.0], [1.0, 2.0]], "ragged"),
        (SPHERE, np.array([[1.0, 0, 0], [1.0, 1.0, 0]]), "start 1 does not lie on the landscape's manifold"),
    ],
)
def test_bad_starts_are_refused_in_a_sentence(landscape, starts, says):
    with pytest.raises(EarnshawError, match=says):
        descend(landscape, GradientDescent(0.1), starts)


def test_lists_of_numbers_are_starts():
    trajectory = descend(BOWL, GradientDescent(0.5), [[1, 0, 0], [0, 2, 0]], stop=Stop(steps=1))
    np.testing.assert_allclose(trajectory.parameters, [[0.5, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize("key", [-1, True, 2**70])
def test_bad_seeds_are_refused(key):
    with pytest.raises(EarnshawError):
        descend(BOWL, GradientDescent(0.1), 1, key=key)


def test_a_key_serves_as_well_as_a_seed():
    one = descend(BOWL, GradientDescent(0.1), 2, stop=Stop(steps=3), key=4)
    two = descend(BOWL, GradientDescent(0.1), 2, stop=Stop(steps=3), key=jax.random.key(4))
    assert one.equals(two)


def test_more_records_than_memory_are_refused_before_the_run():
    for starts, steps in ((1, 2 * 10**9), (10_000, 10**6)):
        with pytest.raises(EarnshawError, match="record less often"):
            descend(BOWL, GradientDescent(0.1), starts, stop=Stop(steps=steps), schedule=Every(1))


@pytest.mark.parametrize("threads", [0, -1, True])
def test_bad_threads_are_refused(threads):
    with pytest.raises(EarnshawError, match="threads"):
        descend(BOWL, GradientDescent(0.1), 1, threads=threads)


def test_probes_need_names_of_their_own():
    def loss(landscape, state):
        return state.loss

    with pytest.raises(EarnshawError, match="'a'"):
        descend(BOWL, GradientDescent(0.1), 1, probes=(Probe("a", loss), Probe("a", loss)))
    clash = Probe("b", lambda landscape, state: {"a": state.loss})
    with pytest.raises(EarnshawError, match="'a'"):
        descend(BOWL, GradientDescent(0.1), 1, probes=(Probe("a", loss), clash))
    with pytest.raises(EarnshawError, match="variable name"):
        Probe("not a name", loss)
