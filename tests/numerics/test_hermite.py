"""Hermite functions and the Gaussian rule."""

import math

import numpy as np
import pytest

from earnshaw.numerics.hermite import gaussian_rule, weighted_hermite


def test_hermite_functions_are_orthonormal_under_the_rule_up_to_high_degree():
    nodes, weights = gaussian_rule(30.0, 60)
    basis = weighted_hermite(nodes, 120)
    # the rule carries one half of the Gaussian weight and each Hermite function the other half
    products = basis.T @ (basis * (weights * np.exp(nodes**2 / 4))[:, None])
    assert np.max(np.abs(products - np.eye(120))) < 1e-12


@pytest.mark.parametrize("power", range(0, 12, 2))
def test_even_moments_are_double_factorials(power):
    nodes, weights = gaussian_rule(14.0, 10)
    moment = np.sum(weights * weighted_hermite(nodes, 1)[:, 0] * nodes**power)
    assert moment == pytest.approx(math.prod(range(power - 1, 0, -2)), rel=1e-13)
