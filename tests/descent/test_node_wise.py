"""Node-wise descent, all three variants, against the same written out in NumPy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from descent_by_hand import gaussian_field, gram, node_at_its_best, node_with_charge, second_gd
from earnshaw import probes
from earnshaw.descent import GradientDescent, NodeWise, Outcome, SecondOrder, Stop, descend
from earnshaw.duality import potentials
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import DoubleWell, Electrons, Node, Particles

PROTONS, CHARGES = np.array([[0.0, 0.0], [2.5, 0.5], [-1.0, 2.5]]), np.array([0.9, -0.6, 0.5])
STARTS = np.array([[0.4, 0.3], [2.0, 1.0], [-1.5, 2.0]])
FOREVER = Stop(steps=10_000, gradient_norm=None)


def particles(**settings):
    return Particles(potentials.gaussian(), PROTONS, CHARGES, **{"learn_charges": True, **settings})


def final(landscape, algorithm, params, steps=3000):
    """Step by step, as the loop does, but without it."""
    first = algorithm.init(landscape, params, jax.random.key(0))
    return jax.lax.while_loop(
        lambda s: (s.outcome == Outcome.RUNNING) & (s.steps < steps), lambda s: algorithm.step(landscape, s), first
    )


RUN = jax.jit(final, static_argnames="steps")
FIRST = jax.jit(lambda algorithm, landscape, params, key: algorithm.init(landscape, params, key))


@pytest.mark.slow
def test_prsz18_algorithm_3():
    """SecondGD on (θ, a) of one node after the other, each from its best charge."""
    inner = SecondOrder(0.1, eta=1e-3, gamma=1e-3)
    algorithm = NodeWise(inner, each=Stop(steps=200, gradient_norm=None), charge="learned", placing="given")
    state = RUN(particles(), algorithm, Electrons(jnp.asarray(STARTS), jnp.ones(3)))
    sites, charges, steps = PROTONS, CHARGES, 0
    for theta in STARTS:
        field = gaussian_field(sites, charges)
        first = np.append(theta, -field(theta)[0])
        path, returned = second_gd(node_with_charge(field), first, 200, 0.1, 1e-3, 1e-3)
        steps += len(path) - 1 + returned
        sites, charges = np.vstack([sites, path[-1][:-1]]), np.append(charges, path[-1][-1])
    np.testing.assert_allclose(state.params.positions, sites[3:], atol=1e-9)
    np.testing.assert_allclose(state.params.charges, charges[3:], atol=1e-9)
    assert int(state.steps) == steps
    assert int(state.found) == 3
    assert [Outcome(int(ending)).label for ending in state.endings] == ["converged"] * 3
    both = np.append(CHARGES, charges[3:])
    assert state.loss == pytest.approx(both @ gram(sites, sites) @ both, abs=1e-12)
    whole = particles().gradient(state.params)
    np.testing.assert_allclose(state.gradient.positions, whole.positions, atol=1e-12)
    np.testing.assert_allclose(state.gradient.charges, whole.charges, atol=1e-12)


def test_zps17_algorithm_2():
    """Charges are fixed and 0 before their turn; here with plain gradient descent, of 50 steps a node."""
    algorithm = NodeWise(GradientDescent(0.1), each=Stop(steps=50, gradient_norm=None), charge="fixed", placing="given")
    given = np.array([-0.9, 0.7, -0.5])
    fixed = particles(learn_charges=False, electron_charges=given)
    state = RUN(fixed, algorithm, Electrons(jnp.asarray(STARTS)))
    sites, charges = PROTONS, CHARGES
    for theta, charge in zip(STARTS, given, strict=True):
        field = gaussian_field(sites, charges)
        for _ in range(50):
            theta = theta - 0.1 * 2 * charge * field(theta)[1]
        sites, charges = np.vstack([sites, theta]), np.append(charges, charge)
    np.testing.assert_allclose(state.params.positions, sites[3:], atol=1e-12)
    assert state.params.charges is None
    # Where charges belong to the parameters, those of the start are the ones that are kept.
    learned = RUN(particles(), algorithm, Electrons(jnp.asarray(STARTS), jnp.asarray(given)))
    np.testing.assert_allclose(learned.params.positions, sites[3:], atol=1e-12)
    np.testing.assert_allclose(learned.params.charges, given, atol=0)


def test_zps17_algorithm_3():
    """The charge is at its best before every step, and all charges are solved for after every node."""
    algorithm = NodeWise(GradientDescent(0.1), each=Stop(steps=80, gradient_norm=None), placing="given", joint=True)
    state = RUN(particles(), algorithm, Electrons(jnp.asarray(STARTS), jnp.zeros(3)))
    found, charges = np.zeros((0, 2)), np.zeros(0)
    for theta in STARTS:
        problem = node_at_its_best(gaussian_field(np.vstack([PROTONS, found]), np.append(CHARGES, charges)))
        for _ in range(80):
            theta = theta - 0.1 * problem.gradient(theta)
        found = np.vstack([found, theta])
        charges = -np.linalg.solve(gram(found, found), gram(found, PROTONS) @ CHARGES)
    np.testing.assert_allclose(state.params.positions, found, atol=1e-11)
    np.testing.assert_allclose(state.params.charges, charges, atol=1e-10)
    both, where = np.append(CHARGES, charges), np.vstack([PROTONS, found])
    assert state.loss == pytest.approx(both @ gram(where, where) @ both, abs=1e-12)


@pytest.mark.slow
def test_a_point_is_drawn_until_something_is_felt():
    landscape = particles(scale=3.0)
    node = Node.of(landscape, jnp.asarray(STARTS), jnp.zeros(3), 0, "optimal")
    for error in (0.5, 3.0):
        algorithm = NodeWise(GradientDescent(0.1), error=error, tries=64)
        draws, _ = jax.random.split(jax.random.fold_in(jax.random.key(7), 0))
        points = np.asarray(node.draw(jax.random.fold_in(draws, 0), 64))
        partial = np.array([2 * gaussian_field(PROTONS, CHARGES)(point)[0] for point in points])
        felt = partial**2 >= error / 2
        expected = points[np.argmax(felt)] if felt.any() else points[np.argmax(np.abs(partial))]
        state = FIRST(algorithm, landscape, Electrons(jnp.asarray(STARTS), jnp.zeros(3)), jax.random.key(7))
        np.testing.assert_allclose(state.params.positions[0], expected, atol=1e-14)
        if felt.any():
            assert 4 * node.field(state.params.positions[0]) ** 2 >= error / 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["flat", "sphere"])
def test_the_number_of_units_is_discovered(kind):
    if kind == "flat":
        # far enough apart for a Gaussian's node to rest where its proton is
        landscape = Particles(potentials.gaussian(), 4 * PROTONS, CHARGES, electrons=5, scale=8.0, learn_charges=True)
    else:
        cubic = Zonal(lambda rho: rho**3, label="cubic")
        landscape = Particles(
            cubic, np.eye(4)[:3], CHARGES, electrons=5, learn_charges=True, manifold=Sphere(), parity="odd"
        )
    algorithm = NodeWise(
        SecondOrder("measured", eta=1e-9, gamma=1e-6), each=Stop(steps=300, gradient_norm=None), joint=True, worth=1e-8
    )
    trajectory = descend(landscape, algorithm, 4, stop=FOREVER, probes=[probes.get("nodes")], progress=False)
    assert set(trajectory.outcome.values) == {"stopped"}
    assert trajectory.nodes.isel(step=-1).values.tolist() == [3] * 4
    endings = trajectory.node_endings.isel(step=-1).values
    assert np.all(endings[:, :4] > 0)
    assert np.all(endings[:, 4] == 0)
    charges, where = trajectory.charges.values, trajectory.positions.values
    np.testing.assert_allclose(charges[:, 3:], 0, atol=0)
    np.testing.assert_allclose(trajectory.final_loss, 0, atol=1e-10)
    protons = np.asarray(landscape.protons)
    for a, theta in zip(charges[:, :3], where[:, :3], strict=True):
        if kind == "sphere":  # (−θ, −a) is the same unit for an odd potential
            signs = np.sign(theta[np.arange(3), np.argmax(np.abs(theta), axis=1)])
            a, theta = a * signs, theta * signs[:, None]
        nearest = np.argmin(np.linalg.norm(theta[:, None] - protons[None], axis=-1), axis=1)
        assert sorted(nearest.tolist()) == [0, 1, 2]
        np.testing.assert_allclose(theta, protons[nearest], atol=1e-4)
        np.testing.assert_allclose(a, -CHARGES[nearest], atol=1e-4)


def test_the_last_node_is_taken_back_when_it_is_not_worth_it():
    algorithm = NodeWise(
        GradientDescent(0.1), each=Stop(steps=5, gradient_norm=None), charge="learned", placing="given", worth=10.0
    )
    state = RUN(particles(), algorithm, Electrons(jnp.asarray(STARTS), jnp.ones(3)))
    assert int(state.found) == 0
    np.testing.assert_array_equal(state.params.charges, 0)
    assert state.loss == pytest.approx(float(CHARGES @ gram(PROTONS, PROTONS) @ CHARGES))
    assert Outcome(int(state.outcome)) is Outcome.STOPPED


def test_the_probe_refuses_other_algorithms():
    with pytest.raises(EarnshawError, match="counts the nodes of a NodeWise descent"):
        descend(DoubleWell(2), GradientDescent(0.1), 1, probes=[probes.get("nodes")], progress=False)


def test_bad_input_is_one_sentence():
    cases = [
        ({"inner": "sgd"}, "a node is moved by an Algorithm"),
        ({"inner": NodeWise(GradientDescent(0.1))}, "a node is moved by an Algorithm"),
        ({"each": 100}, "each must be a Stop"),
        ({"charge": "optimum"}, "did you mean 'optimal'"),
        ({"placing": "sample"}, "did you mean 'sampled'"),
        ({"tries": 0}, "tries must be a whole number of at least 1"),
        ({"tries": 2.5}, "tries must be a whole number of at least 1"),
        ({"error": -1.0}, "error must be a number that is not negative"),
        ({"error": "small"}, "error must be a number that is not negative"),
        ({"worth": float("nan")}, "worth must be a number that is not negative"),
        ({"charge": "fixed", "joint": True}, "have no joint optimum"),
    ]
    for settings, says in cases:
        with pytest.raises(EarnshawError, match=says):
            NodeWise(**{"inner": GradientDescent(0.1), **settings})
    with pytest.raises(EarnshawError, match="moves the electrons of Particles, not DoubleWell"):
        descend(DoubleWell(2), NodeWise(GradientDescent(0.1)), 1, progress=False)
    with pytest.raises(EarnshawError, match="needs a landscape with learn_charges=True"):
        descend(
            particles(learn_charges=False, electron_charges=-CHARGES), NodeWise(GradientDescent(0.1)), 1, progress=False
        )
    with pytest.raises(EarnshawError, match="no optimal one"):
        descend(particles(form="interaction"), NodeWise(GradientDescent(0.1)), 1, progress=False)
