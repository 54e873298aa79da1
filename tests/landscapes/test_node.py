"""One electron among particles at rest: the loss that it adds, whatever becomes of its charge."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.duality import potentials
from earnshaw.duality.radial import Radial
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes import Electrons, Node, Particles

CUBIC = Zonal(lambda rho: rho**3, label="cubic")
RANDOM = np.random.default_rng(5)
PROTONS, CHARGES = RANDOM.normal(size=(3, 3)), np.array([0.7, -1.2, 0.4])
POSITIONS, ELECTRONS = RANDOM.normal(size=(3, 3)), np.array([0.5, -0.3, 0.9])


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def landscape(kind="flat", **settings):
    if kind == "flat":
        return Particles(potentials.gaussian(), PROTONS, CHARGES, learn_charges=True, **settings)
    return Particles(CUBIC, unit(PROTONS), CHARGES, learn_charges=True, manifold=Sphere(), **settings)


def positions(kind):
    return jnp.asarray(POSITIONS if kind == "flat" else unit(POSITIONS))


@pytest.mark.parametrize("kind", ["flat", "sphere"])
@pytest.mark.parametrize(("form", "regularisation"), [("full", 0.0), ("without-constant", 1.0)])
def test_the_loss_is_what_the_electron_adds(kind, form, regularisation):
    particles, where = landscape(kind, form=form, regularisation=regularisation), positions(kind)

    @jax.jit
    def both(i):
        electrons = jnp.asarray(ELECTRONS)
        difference = particles.energy(where, electrons) - particles.energy(where, electrons.at[i].set(0.0))
        learned, fixed = (Node.of(particles, where, electrons, i, mode) for mode in ("learned", "fixed"))
        alone = Electrons(where[i][None], electrons[i][None])
        return difference, learned.loss(alone), fixed.loss(Electrons(alone.positions))

    for i in range(3):
        difference, learned, fixed = both(i)
        assert learned == pytest.approx(float(difference), abs=1e-13)
        assert fixed == pytest.approx(float(learned), abs=1e-14)


@pytest.mark.parametrize("kind", ["flat", "sphere"])
def test_the_optimal_charge_is_the_minimum_and_its_gradient_is_the_partial_one(kind):
    particles, where = landscape(kind, regularisation=0.5), positions(kind)
    best, learned = (Node.of(particles, where, jnp.asarray(ELECTRONS), 1, mode) for mode in ("optimal", "learned"))

    @jax.jit
    def seen():
        at = best.at(where[1])
        charge = best.charge_at(at)
        losses = jax.vmap(lambda step: learned.loss(Electrons(at.positions, (charge + step)[None])))
        partial = learned.gradient(Electrons(at.positions, charge[None]))
        steps = losses(jnp.array([-0.01, 0.0, 0.01]))
        return charge, best.loss(at), steps, best.gradient(at), partial, best.hessian(at)

    charge, loss, losses, gradient, partial, hessian = seen()
    assert loss == pytest.approx(float(losses[1]), abs=1e-14)
    # 1 + ½ is the stiffness
    np.testing.assert_allclose(losses - losses[1], [1.5e-4, 0.0, 1.5e-4], atol=1e-14)
    np.testing.assert_allclose(gradient.positions, partial.positions, atol=1e-14)
    np.testing.assert_allclose(partial.charges, 0, atol=1e-14)
    assert hessian.shape == ((3, 3) if kind == "flat" else (2, 2))
    assert learned.at(where[1]).charges[0] == pytest.approx(float(charge))


def test_particles_without_charge_are_absent_even_at_a_pole():
    coulomb = Radial(lambda r: 1 / r, label="coulomb")
    particles = Particles(coulomb, PROTONS, CHARGES, form="interaction", electron_charges=ELECTRONS)
    where = jnp.asarray(POSITIONS).at[2].set(POSITIONS[0])
    charges = jnp.asarray(ELECTRONS).at[2].set(0.0)
    node = Node.of(particles, where, charges, 0, "fixed")
    loss, gradient = node.value_and_gradient(Electrons(where[:1]))
    distances = np.linalg.norm(np.concatenate([PROTONS, POSITIONS[1:2]]) - POSITIONS[0], axis=1)
    field = np.sum(np.append(CHARGES, ELECTRONS[1]) / distances)
    assert loss == pytest.approx(2 * ELECTRONS[0] * field, rel=1e-13)
    assert bool(jnp.all(jnp.isfinite(gradient.positions)))


def test_starts_follow_the_law_of_the_particles():
    particles = landscape(start="xavier", scale=2.0)
    node = Node.of(particles, positions("flat"), jnp.asarray(ELECTRONS), 0, "optimal")
    drawn = np.asarray(node.draw(jax.random.key(0), 4000))
    assert drawn.shape == (4000, 3)
    # 2·scale²/(d + k), whatever number of points is drawn
    assert np.var(drawn) == pytest.approx(2 * 4 / 6, rel=0.05)
    assert len(np.unique(drawn)) == drawn.size
    round_ = Node.of(landscape("sphere"), positions("sphere"), jnp.asarray(ELECTRONS), 0, "learned")
    params = round_.init(jax.random.key(1))
    assert bool(round_.manifold.contains(params))
    assert params.charges[0] == pytest.approx(float(round_.optimal_charge(params.positions[0])))


def test_bad_input_is_one_sentence():
    particles, where, charges = landscape(), positions("flat"), jnp.asarray(ELECTRONS)
    with pytest.raises(EarnshawError, match="did you mean 'optimal'"):
        Node(particles, where, charges, "optmal")
    with pytest.raises(EarnshawError, match="needs a charge exactly when"):
        Node(particles, where, charges, "fixed")
    with pytest.raises(EarnshawError, match="needs a charge exactly when"):
        Node(particles, where, charges, "learned", jnp.array(1.0))
    interaction = Particles(potentials.gaussian(), PROTONS, learn_charges=True, form="interaction")
    with pytest.raises(EarnshawError, match="no optimal one"):
        Node(interaction, where, charges, "optimal")
    with pytest.raises(EarnshawError, match="no first one to learn"):
        Node(interaction, where, charges, "learned").at(where[0])
