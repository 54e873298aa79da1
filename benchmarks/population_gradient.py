"""Gradients of the population loss of a two-layer student for 500 starts, against a NumPy loop over the starts.

The rival evaluates the same closed form for ReLU with vectorised NumPy, one start at a time: what a careful user writes
in a notebook. All times of a row come from this one process, best of several rounds taken in turn.

    python benchmarks/population_gradient.py [--starts 500] [--sizes 20 50 100] [--rounds 7]
"""

import argparse
import time
from functools import partial

import jax
import numpy as np

from earnshaw.geometry import Sphere
from earnshaw.landscapes import Particles, gradients


def relu_gradient(theta, w):
    """∇ of E(Σ relu(θᵢᵀx) − Σ relu(wⱼᵀx))² in closed form, for one start."""

    def pull(x, y):
        s, t = np.linalg.norm(x, axis=1)[:, None], np.linalg.norm(y, axis=1)[None, :]
        cosine = np.clip(x @ y.T / (s * t), -1.0, 1.0)
        along_self = np.sum(np.sqrt(1 - cosine**2) * t / s, axis=1)
        return (along_self[:, None] * x + (np.pi - np.arccos(cosine)) @ y) / np.pi

    return pull(theta, theta) - pull(theta, w)


def numpy_loop(batch, w):
    return np.stack([relu_gradient(theta, w) for theta in batch])


def best_of(rounds, *calls):
    """The best time of every call; they take turns of three, so that noise and a cold cache hit them alike."""
    times = np.full((rounds, len(calls)), np.inf)
    for r in range(rounds):
        for i, call in enumerate(calls):
            for _ in range(3):
                begin = time.perf_counter()
                call()
                times[r, i] = min(times[r, i], time.perf_counter() - begin)
    return times.min(axis=0)


def gradient_call(activation, weights, starts, manifold=None):
    landscape = Particles.teacher_student(activation, weights, manifold=manifold)
    batch = jax.vmap(landscape.init)(jax.random.split(jax.random.key(1), starts))

    def call():
        return gradients(landscape, batch).positions.block_until_ready()

    call()
    return batch, call


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=500)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 100])
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"{options.starts} starts, best of {options.rounds}, times in ms")
    print(f"{'k = d':>6} {'NumPy':>9} {'ReLU':>9} {'ratio':>7} {'ReLU S':>9} {'softplus S':>11} {'tanh S':>9}")
    for size in options.sizes:
        weights = np.eye(size)
        batch, relu = gradient_call("relu", weights, options.starts)
        positions = np.asarray(batch.positions)
        difference = np.max(np.abs(np.asarray(relu()) - numpy_loop(positions, weights)))
        assert difference < 1e-9 * size, f"the two gradients differ by {difference}"
        calls = [partial(numpy_loop, positions, weights), relu]
        calls += [gradient_call(name, weights, options.starts, Sphere())[1] for name in ("relu", "softplus", "tanh")]
        loop, ours, relu_s, softplus, tanh = 1e3 * best_of(options.rounds, *calls)
        print(
            f"{size:>6} {loop:>9.1f} {ours:>9.2f} {loop / ours:>6.1f}x {relu_s:>9.2f} "
            f"{softplus:>6.2f} {softplus / ours:>3.1f}x {tanh:>6.2f} {tanh / ours:>3.1f}x"
        )


if __name__ == "__main__":
    main()
