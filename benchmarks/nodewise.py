"""Node-wise descent on 100 random teachers of 10 units in R³ under the almost Yukawa potential, to complete recovery.

The rival is a loop over teachers in NumPy and SciPy, as one would write it in a notebook: the same potential, the same
node-wise scheme (the best of as many random points, the best charge at every step, all charges solved for after every
node), each node by SciPy's BFGS with the exact gradient and as good an end as it finds. It gets fewer teachers, and its
time is given for each teacher.

    python benchmarks/nodewise.py [--teachers 100] [--k 10] [--rival-teachers 5]
"""

import argparse
import time

import numpy as np
from scipy.optimize import linear_sum_assignment, minimize

from earnshaw.descent.each import TOGETHER
from earnshaw.duality.yukawa import AlmostHarmonic
from earnshaw.landscapes.batch import cores
from earnshaw.theorems.almost_critical.recovery import node_wise, recover
from earnshaw.theorems.almost_critical.setting import Setting

#: Positions and charges within this count as recovered.
CLOSE = 1e-6
TRIES = 256


class Rival:
    """The potential for d = 3, by hand: Φ = s·(ε/r)·e^{ε−r} outside, and a cubic in u = 1 − r/ε inside."""

    def __init__(self, eps):
        self.eps = eps
        p = [1.0, 1 + eps, 2 + 2 * eps + eps**2]
        inner = np.array([p[0], p[1], p[2] / 2, -p[2] / 6])
        self.scale, self.inner = 1 / inner.sum(), inner / inner.sum()

    def values(self, r):
        far = np.maximum(r, self.eps)
        outside = self.scale * (self.eps / far) * np.exp(self.eps - far)
        return np.where(r < self.eps, np.polyval(self.inner[::-1], 1 - np.minimum(r, self.eps) / self.eps), outside)

    def slopes(self, r):
        far = np.maximum(r, self.eps)
        outside = -self.scale * (self.eps / far) * np.exp(self.eps - far) * (1 + 1 / far)
        cubic = np.polyder(np.poly1d(self.inner[::-1]))(1 - np.minimum(r, self.eps) / self.eps)
        return np.where(r < self.eps, -cubic / self.eps, outside)

    def node(self, sites, charges):
        """−C(θ)² and its gradient: the loss of one more electron with its best charge."""

        def loss(theta):
            differences = theta - sites
            r = np.maximum(np.linalg.norm(differences, axis=1), 1e-300)
            field = charges @ self.values(r)
            return -(field**2), -2 * field * ((charges * self.slopes(r) / r) @ differences)

        return loss

    def recover(self, protons, charges, scale, random):
        k, d = protons.shape
        found = np.zeros((0, d))
        own = np.zeros(0)
        for _ in range(k):
            sites, all_charges = np.vstack([protons, found]), np.concatenate([charges, own])
            points = scale * random.normal(size=(TRIES, d))
            distances = np.linalg.norm(points[:, None] - sites, axis=-1)
            best = points[np.argmax(np.abs(self.values(distances) @ all_charges))]
            loss = self.node(sites, all_charges)
            # scaled to size 1, or BFGS would stop at once; started again until it no longer moves
            for _ in range(8):
                size = -loss(best)[0]
                end = minimize(
                    lambda theta, size=size, loss=loss: tuple(part / size for part in loss(theta)),
                    best, jac=True, method="BFGS", options={"gtol": 1e-12, "maxiter": 500},
                ).x  # fmt: skip
                moved = np.linalg.norm(end - best)
                best = end
                if moved < 1e-12:
                    break
            found = np.vstack([found, best])
            gram = self.values(np.linalg.norm(found[:, None] - found, axis=-1))
            own = -np.linalg.lstsq(gram, self.values(np.linalg.norm(found[:, None] - protons, axis=-1)) @ charges)[0]
        return found, own


def error_of(positions, own, protons, charges):
    apart = np.linalg.norm(positions[:, None] - protons, axis=-1)
    electrons, partners = linear_sum_assignment(apart**2)
    return max(apart[electrons, partners].max(), np.abs(own[electrons] + charges[partners]).max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teachers", type=int, default=100)
    parser.add_argument("--rival-teachers", type=int, default=5)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--eps", type=float, default=0.1)
    options = parser.parse_args()
    setting = Setting.of("", 3, options.eps, 1.0)
    random = np.random.default_rng(0)
    teachers = [setting.teacher(random, options.k) for _ in range(options.teachers)]
    algorithm = node_wise("measured", charges="optimal", joint=True, tries=TRIES)

    landscapes = [setting.particles(*teacher, options.k) for teacher in teachers]

    begin = time.perf_counter()
    recover(landscapes[: TOGETHER + 1], algorithm, 0)
    compiling = time.perf_counter() - begin
    begin = time.perf_counter()
    result = recover(landscapes, algorithm, 0)
    seconds = time.perf_counter() - begin
    errors, steps = result.error, result.steps
    print(f"{options.teachers} teachers of {options.k} units in R³, ε = {options.eps:g}, {cores()} cores")
    print(
        f"Earnshaw: {np.sum(errors < CLOSE)} of {options.teachers} recovered, worst error {errors.max():.1e}, "
        f"median {np.median(steps):.0f} steps; {seconds:.1f} s, {seconds / options.teachers:.3f} s for each teacher "
        f"(and {compiling:.1f} s before, for the first block with compiling)"
    )
    rival = Rival(options.eps)
    r = np.linspace(1e-3, 5, 200)
    assert np.max(np.abs(rival.values(r) - np.asarray(AlmostHarmonic(3, options.eps)(r)))) < 1e-13
    few = min(options.rival_teachers, options.teachers)
    begin = time.perf_counter()
    ends = [rival.recover(*teachers[i], setting.scale, np.random.default_rng(i)) for i in range(few)]
    each = (time.perf_counter() - begin) / few
    others = np.array([error_of(*end, *teacher) for end, teacher in zip(ends, teachers, strict=False)])
    print(
        f"NumPy and SciPy's BFGS, one core: {np.sum(others < CLOSE)} of {few} recovered, "
        f"worst error {others.max():.1e}, {each:.3f} s for each teacher"
    )


if __name__ == "__main__":
    main()
