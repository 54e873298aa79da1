"""Half-chords against 50-digit arithmetic, and their independence of the batch."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from earnshaw.numerics.chords import gram
from earnshaw.numerics.inverse_trig import ARCSINE_COEFFICIENTS, angle_from_half_chords


def exact_half_chord(x, y, sign):
    with mpmath.workdps(50):
        u, v = [mpmath.mpf(float(a)) for a in x], [mpmath.mpf(float(a)) for a in y]
        inner = sum(a * b for a, b in zip(u, v, strict=True))
        norms = mpmath.sqrt(sum(a * a for a in u) * sum(b * b for b in v))
        return 1 + sign * inner / norms


@pytest.mark.parametrize("d", [2, 3, 20, 1000])
@pytest.mark.parametrize("sign", [-1, 1])
def test_half_chords_of_nearly_parallel_and_opposite_vectors_keep_their_digits(d, sign):
    rng = np.random.default_rng(d)
    x = rng.normal(size=d)
    separations = [1e-2, 1e-4, 1e-6, 1e-8, 1e-9, 1e-10]
    y = np.stack([-sign * 1.7 * x + e * rng.normal(size=d) for e in separations])
    g = jax.jit(gram)(jnp.array(x)[None], jnp.array(y))
    chords = (g.apart if sign < 0 else g.facing)[0]
    for chord, other in zip(chords, y, strict=True):
        exact = exact_half_chord(x, other, sign)
        # an error of 1e-15 in the angle, and 1e-22 per coordinate below that
        assert abs(mpmath.mpf(float(chord)) - exact) < 1e-15 * mpmath.sqrt(exact) + 1e-22 * d


def test_zero_vectors_are_at_right_angles_to_everything():
    x = jnp.array([[0.0, 0.0], [1.0, 0.0]])
    g = gram(x, x)
    assert g.apart[0].tolist() == [1.0, 1.0]
    assert g.facing[:, 0].tolist() == [1.0, 1.0]


def test_a_member_of_a_batch_does_not_depend_on_the_others():
    rng = np.random.default_rng(0)
    calm = jnp.array(rng.normal(size=(4, 3)))
    close = calm.at[1].set(calm[0] * (1 + 1e-9))
    together = jax.jit(jax.vmap(lambda x: gram(x, x, distinct=True)))(jnp.stack([calm, close]))
    alone = jax.jit(jax.vmap(lambda x: gram(x, x, distinct=True)))(calm[None])
    off_diagonal = ~np.eye(4, dtype=bool)
    assert np.array_equal(np.asarray(together.apart[0])[off_diagonal], np.asarray(alone.apart[0])[off_diagonal])


def test_angles_have_full_relative_accuracy_at_both_ends():
    apart = np.concatenate([10.0 ** np.linspace(-20, 0, 80), np.linspace(0.01, 1.0, 80)])
    exact = np.array([float(2 * mpmath.asin(mpmath.sqrt(mpmath.mpf(a) / 2))) for a in apart])
    small = angle_from_half_chords(jnp.array(apart), jnp.array(2 - apart))
    assert np.max(np.abs(np.asarray(small) / exact - 1)) < 1e-15
    large = angle_from_half_chords(jnp.array(2 - apart), jnp.array(apart))
    assert np.max(np.abs(np.asarray(large) - (np.pi - exact))) < 1e-15


def test_the_arcsine_coefficients_are_those_of_the_chebyshev_interpolant():
    with mpmath.workdps(40):
        n = len(ARCSINE_COEFFICIENTS)
        nodes = [mpmath.cos(mpmath.pi * (k + mpmath.mpf(1) / 2) / n) for k in range(n)]
        roots = [mpmath.sqrt((t + 1) / 4) for t in nodes]
        values = [mpmath.asin(r) / r for r in roots]
        for t, value in zip(nodes, values, strict=True):
            interpolant = sum(mpmath.mpf(c) * t**k for k, c in enumerate(ARCSINE_COEFFICIENTS))
            # the coefficients are rounded to doubles, the largest of them by up to 1.1e-16
            assert abs(interpolant - value) < np.finfo(float).eps
