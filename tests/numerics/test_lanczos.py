import jax
import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.numerics.lanczos import largest_eigenpair, smallest_eigenpair

RNG = np.random.default_rng(0)
SPECTRA = {
    "random": RNG.normal(size=150),
    "evenly spaced": np.linspace(-1, 1, 200),
    "clustered at the end": np.r_[-1, -1 + 1e-4, -1 + 2e-4, RNG.uniform(0, 1, 100)],
    "degenerate": np.r_[np.full(5, -1.0), np.ones(80)],
    "singular": np.r_[np.zeros(40), np.linspace(0.1, 1, 60)],
    "large": 1e12 * np.linspace(1, 2, 60),
    "zero": np.zeros(7),
    "one-dimensional": np.array([-3.0]),
    "two-dimensional": np.array([2.0, 5.0]),
}


def operator(spectrum):
    q, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(len(spectrum), len(spectrum))))
    matrix = q @ np.diag(spectrum) @ q.T
    return (matrix + matrix.T) / 2


@jax.jit
def both_ends(matrix, start):
    return smallest_eigenpair(lambda v: matrix @ v, start), largest_eigenpair(lambda v: matrix @ v, start)


@pytest.mark.parametrize("name", SPECTRA)
def test_both_ends_agree_with_a_dense_solver(name):
    matrix = operator(SPECTRA[name])
    start = np.random.default_rng(2).normal(size=len(matrix))
    exact = np.linalg.eigvalsh(matrix)
    scale = np.abs(exact).max()
    for pair, value in zip(both_ends(matrix, start), exact[[0, -1]], strict=True):
        assert abs(pair.value - value) <= 1e-10 * scale
        assert pair.residual <= 1e-9 * scale
        assert jnp.linalg.norm(pair.vector) == pytest.approx(1)
        np.testing.assert_allclose(
            jnp.linalg.norm(matrix @ pair.vector - pair.value * pair.vector), pair.residual, atol=1e-12 * scale
        )


@pytest.mark.slow
def test_the_residual_bounds_the_error_even_when_it_gives_up():
    matrix = operator(np.linspace(-1, 1, 300) ** 3)
    start = np.random.default_rng(3).normal(size=300)
    exact = np.linalg.eigvalsh(matrix)
    for restarts in (1, 2, 3):
        pair = smallest_eigenpair(lambda v: matrix @ v, jnp.asarray(start), subspace=6, restarts=restarts)
        assert pair.residual > 1e-6
        assert np.abs(exact - pair.value).min() <= pair.residual
        assert pair.value >= exact[0]


def test_restarts_finish_what_one_small_subspace_cannot():
    matrix = operator(np.linspace(-1, 1, 100))
    start = jnp.asarray(np.random.default_rng(3).normal(size=100))
    pair = smallest_eigenpair(lambda v: matrix @ v, start, subspace=12, restarts=200)
    assert abs(pair.value + 1) < 1e-12
    assert pair.residual <= 1e-10


def test_the_search_stays_in_the_subspace_of_its_start():
    # The operator is −5 outside the plane of the first two axes, and nothing there is seen.
    matrix = jnp.diag(jnp.array([1.0, 2.0, -5.0]))
    pair = smallest_eigenpair(lambda v: matrix @ v, jnp.array([0.6, 0.8, 0.0]))
    assert pair.value == pytest.approx(1)
    assert pair.vector[2] == 0


def test_a_zero_start_has_no_eigenvalue():
    pair = smallest_eigenpair(lambda v: v, jnp.zeros(3))
    assert all(bool(jnp.isnan(x).all()) for x in pair)


def test_it_maps_over_a_batch():
    matrices = np.stack([operator(np.linspace(-k, 1, 30)) for k in (1, 2, 3)])
    start = jnp.asarray(np.random.default_rng(4).normal(size=30))
    pairs = jax.jit(jax.vmap(lambda m: smallest_eigenpair(lambda v: m @ v, start)))(matrices)
    np.testing.assert_allclose(pairs.value, [-1, -2, -3], rtol=1e-12)
