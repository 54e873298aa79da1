import numpy as np
import pytest

from earnshaw.kernels import Dense, ResNet, degeneracy, kernel, spectrum


def test_lanczos_agrees_with_all_eigenvalues():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 10))
    values = kernel(x / np.linalg.norm(x, axis=1)[:, None], Dense("relu", 2)).values
    dense, lanczos = spectrum(values), spectrum(values, method="lanczos")
    assert dense.method == "dense"
    assert lanczos.method == "lanczos"
    assert lanczos.smallest == pytest.approx(dense.smallest, rel=1e-7)
    assert lanczos.largest == pytest.approx(dense.largest, rel=1e-12)
    assert lanczos.condition == pytest.approx(dense.largest / dense.smallest, rel=1e-7)
    assert max(lanczos.smallest_residual, lanczos.largest_residual) <= 1e-9 * dense.largest


CASES = [
    # rows, network, equal, parallel, whether λ_min is 0
    ([[1, 2], [3, 1], [1, 2]], Dense("softplus", 1), (0, 2), None, True),
    ([[1, 2], [3, 1], [2, 4]], Dense("softplus", 1), None, (0, 2), False),
    ([[1, 2], [3, 1], [2, 4]], Dense("relu", 2), None, (0, 2), True),
    ([[1, 2], [3, 1], [-1, -2]], Dense("relu", 2), None, (0, 2), False),
    ([[1, 2], [3, 1], [-1, -2]], Dense("tanh", 1), None, (0, 2), True),
    ([[1, 2], [3, 1], [-2, -4]], Dense("tanh", 1), None, (0, 2), False),
    ([[1, 2], [3, 1], [2, 4]], Dense("relu", 2, bias_std=0.3), None, None, False),
    ([[1, 2], [3, 1], [2, 1]], ResNet("softplus", 2), None, None, False),
]


@pytest.mark.parametrize(("rows", "net", "equal", "parallel", "singular"), CASES)
def test_why_a_kernel_is_singular(rows, net, equal, parallel, singular):
    x = np.array(rows) / 4.0
    found = degeneracy(x, net)
    assert (found.equal, found.parallel, found.singular) == (equal, parallel, singular)
    assert len(found.sentences()) == (equal is not None) + (parallel is not None)
    ends = spectrum(kernel(x, net).values)
    assert (abs(ends.smallest) < 1e-11 * ends.largest) == singular


def test_parallel_rows_are_found_among_many():
    x = np.random.default_rng(0).normal(size=(3000, 5))
    x[2990] = -3 * x[17]
    assert degeneracy(x, Dense("relu", 1)).parallel == (17, 2990)


def test_a_polynomial_has_a_kernel_of_bounded_rank():
    x = np.random.default_rng(0).normal(size=(9, 2))
    net = Dense("quadratic", 1)
    assert degeneracy(x, net).sentences() == [
        "the activation is a polynomial, which the theorems of positive definiteness exclude"
    ]
    # the outputs of the network are quadratic forms in two variables
    eigenvalues = np.linalg.eigvalsh(kernel(x, net, which="nngp").values)
    assert np.sum(eigenvalues > 1e-10 * eigenvalues[-1]) == 3
