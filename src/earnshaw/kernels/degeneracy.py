"""Why a kernel is singular, or may be: parallel inputs and polynomial activations, which the theorems exclude."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from earnshaw.duality.activation import Activation
from earnshaw.duality.closed_forms import PiecewiseLinear, Scaled
from earnshaw.kernels.architectures import Architecture, Dense  # noqa: F401  (Dense for the example)
from earnshaw.kernels.inputs import checked

PARALLEL = 1e-9
"""Unit vectors nearer to each other than this, up to sign, are called parallel."""


class Degeneracy(NamedTuple):
    """What stands between a kernel and a positive smallest eigenvalue. Rows count from 0."""

    equal: tuple[int, int] | None
    """Two rows that are the same input, whose rows in every kernel are equal."""
    parallel: tuple[int, int] | None
    """Two rows that are multiples of each other, and not equal (a network with biases tells them apart)."""
    parallel_is_singular: bool
    """Whether the activation's symmetry makes the kernel's rows of these two multiples of each other."""
    polynomial: bool
    """Whether the activation is a polynomial: its kernels have a bounded rank, which n may exceed."""

    @property
    def singular(self) -> bool:
        """Whether λ_min is 0 whatever the other inputs are."""
        return self.equal is not None or (self.parallel is not None and self.parallel_is_singular)

    def sentences(self) -> list[str]:
        """The same in words."""
        said = []
        if self.equal is not None:
            said.append(f"rows {self.equal[0]} and {self.equal[1]} are the same input, so the smallest eigenvalue is 0")
        if self.parallel is not None:
            rows = f"rows {self.parallel[0]} and {self.parallel[1]} are parallel"
            if self.parallel_is_singular:
                said.append(
                    f"{rows} and the activation is such that their outputs are too: the smallest eigenvalue is 0"
                )
            else:
                said.append(f"{rows}, which the theorems of positive definiteness exclude")
        if self.polynomial:
            said.append("the activation is a polynomial, which the theorems of positive definiteness exclude")
        return said


def degeneracy(x, architecture: Architecture) -> Degeneracy:
    """Look for what makes the kernels of these inputs singular.

    >>> degeneracy(np.array([[1.0, 2.0], [0.0, 1.0], [2.0, 4.0]]), Dense("relu", 1)).parallel
    (0, 2)
    """
    x = checked(x, architecture)
    rows = x.reshape(len(x), -1)
    equal, parallel, negative, same_length = None, None, False, False
    for i, j in _parallel_pairs(rows):
        if np.array_equal(rows[i], rows[j]):
            equal = equal or (i, j)
        elif parallel is None:
            parallel = (i, j)
            negative = bool(rows[i] @ rows[j] < 0)
            lengths = np.linalg.norm(rows[[i, j]], axis=1)
            same_length = bool(abs(lengths[0] - lengths[1]) <= PARALLEL * lengths.max())
        if equal and parallel:
            break
    activation = architecture.activation
    biased = architecture.bias_std > 0
    symmetric = (not negative or activation.parity is not None) and (same_length or activation.degree is not None)
    return Degeneracy(equal, None if biased else parallel, symmetric, is_polynomial(activation))


def is_polynomial(activation: Activation) -> bool:
    """Whether the activation is known to be a polynomial.

    >>> from earnshaw.duality import activations
    >>> [is_polynomial(activations.get(name)) for name in ("linear", "quadratic", "relu")]
    [True, True, False]
    """
    form = activation.closed_form
    while isinstance(form, Scaled):
        form = form.form
    bent = isinstance(form, PiecewiseLinear) and form.absolute == 0
    return bent or activation.powers is not None or activation.expansion is not None


def _parallel_pairs(rows: Float[np.ndarray, "n d"]):
    """Pairs of parallel rows: neighbours in the order of their component along a random direction, up to sign."""
    lengths = np.linalg.norm(rows, axis=1)
    alive = np.flatnonzero(lengths > 0)
    unit = rows[alive] / lengths[alive, None]
    direction = np.random.default_rng(0).normal(size=rows.shape[1])
    places = np.abs(unit @ direction)
    order = np.argsort(places, kind="stable")
    sorted_places, width = places[order], PARALLEL * np.linalg.norm(direction)
    for step in range(1, len(order)):
        near = np.flatnonzero(sorted_places[step:] - sorted_places[:-step] <= width)
        if not near.size:
            return
        left, right = order[near], order[near + step]
        for a, b in zip(left, right, strict=True):
            u, v = unit[a], unit[b]
            if min(np.linalg.norm(u - v), np.linalg.norm(u + v)) <= PARALLEL:
                yield int(min(alive[a], alive[b])), int(max(alive[a], alive[b]))
