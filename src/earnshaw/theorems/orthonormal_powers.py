"""One electron with its charge among orthonormal protons under Φ = (θᵀw)^l: every critical point and its spectrum.

For prsz18, Theorem G.3; `orthonormal_monomial` searches the same landscape.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.errors import EarnshawError
from earnshaw.theorems.limits import whole

#: There are 3^k − 1 critical points or so.
MOST_PROTONS = 6


class Critical(NamedTuple):
    """A critical point (θ, a) with a ≠ 0, the number of protons that θ leans on, and its Hessian's eigenvalues."""

    position: Float[np.ndarray, " d"]
    charge: float
    support: int
    eigenvalues: Float[np.ndarray, " d"]


def orthonormal(random: np.random.Generator, k: int, d: int, tilt: float = 0.0) -> Float[np.ndarray, "k d"]:
    """k orthonormal vectors of R^d, turned at random; `tilt` turns the second towards the first by that angle.

    >>> w = orthonormal(np.random.default_rng(0), 2, 3)
    >>> bool(np.max(np.abs(w @ w.T - np.eye(2))) < 1e-14)
    True
    """
    if not 1 <= k <= d:
        raise EarnshawError(f"there are no {k} orthonormal vectors in R^{d}; k lies between 1 and d")
    w = np.linalg.qr(random.normal(size=(d, d)))[0][:, :k].T
    if tilt and k > 1:
        w[1] = math.cos(tilt) * w[1] + math.sin(tilt) * w[0]
    return w


def critical_points(protons: Float[np.ndarray, "k d"], charges: Float[np.ndarray, " k"], degree: int) -> list[Critical]:
    r"""All critical points with a ≠ 0, for l ≥ 3, orthonormal protons and charges that are not 0.

    With x = Wθ, stationarity in a and θ says bⱼxⱼ^{l−2} = −a wherever xⱼ ≠ 0, and nothing of θ is outside of the span
    of those wⱼ. So every nonempty set S of protons gives |a| = (Σ_S |bⱼ|^{−2/(l−2)})^{−(l−2)/2}, with a sign of a for
    odd l, and with signs of the xⱼ for even l if all bⱼ of S have one sign. The Hessian has the eigenvalues 2 (in a),
    −2l(l−2)a² (|S| − 1 times) and 2la² (d − |S| times).

    >>> found = critical_points(np.eye(3)[:2], np.array([1.0, -2.0]), 3)
    >>> [(point.support, round(point.charge, 3)) for point in found]
    [(1, -1.0), (1, 1.0), (1, -2.0), (1, 2.0), (2, -0.894), (2, 0.894)]
    """
    whole("the degree", degree, 3, 60)
    w, b = protons, charges
    k, d = w.shape
    if k > MOST_PROTONS or not np.all(b != 0):
        raise EarnshawError(f"critical points are listed for up to {MOST_PROTONS} protons, none of charge 0")
    found = []
    for size in range(1, k + 1):
        for support in itertools.combinations(range(k), size):
            chosen = list(support)
            strength = float(np.sum(np.abs(b[chosen]) ** (-2 / (degree - 2))) ** (-(degree - 2) / 2))
            sizes = (strength / np.abs(b[chosen])) ** (1 / (degree - 2))
            for charge, signs in _signs(b[chosen], strength, degree):
                x = np.zeros(k)
                x[chosen] = signs * sizes
                curvatures = [-2 * degree * (degree - 2) * charge**2] * (size - 1) + [2 * degree * charge**2] * (
                    d - size
                )
                found.append(Critical(x @ w, charge, size, np.sort([2.0, *curvatures])))
    return found


def _signs(b: Float[np.ndarray, " s"], strength: float, degree: int):
    """The charges ±strength, each with the signs of x that solve bⱼxⱼ^{l−2} = −a."""
    if degree % 2:
        for charge in (-strength, strength):
            yield charge, -np.sign(charge) * np.sign(b)
    elif np.all(b > 0) or np.all(b < 0):
        for signs in itertools.product((1.0, -1.0), repeat=b.size):
            yield -math.copysign(strength, b[0]), np.array(signs)
