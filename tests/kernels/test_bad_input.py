import importlib

import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.kernels import ConvResNet, Dense, ResNet, kernel, on_sphere, spectrum
from earnshaw.kernels.patches import patches

X = np.eye(3)


def with_entry(value):
    x = X.copy()
    x[1, 2] = value
    return x


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: kernel(with_entry(np.nan), Dense("relu", 1)), "row 1 of x has an entry that is not finite"),
        (lambda: kernel(with_entry(np.inf), Dense("relu", 1)), "row 1 of x has an entry that is not finite"),
        (lambda: kernel(np.zeros((2, 3)), Dense("relu", 1)), r"row 0 of x is the zero vector.*\(and 1 others\)"),
        (lambda: kernel(np.zeros((0, 3)), Dense("relu", 1)), "at least one input"),
        (lambda: kernel(np.zeros(3), Dense("relu", 1)), r"one input in each row, shape \(n, d\)"),
        (lambda: kernel(np.ones((2, 3, 3)), Dense("relu", 1)), r"one input in each row, shape \(n, d\)"),
        (lambda: kernel(np.ones((2, 3, 3, 3, 3)), ConvResNet("relu", 1)), "height, width"),
        (lambda: kernel([["a"]], Dense("relu", 1)), "array of real numbers"),
        (lambda: kernel([[1.0], [1.0, 2.0]], Dense("relu", 1)), "array of real numbers"),
        (lambda: kernel(X, Dense("relu", 1), np.eye(2)), r"the inputs of y have shape \(2,\)"),
        (lambda: kernel(X, Dense("relu", 1), which="nkt"), "did you mean 'ntk'"),
        (lambda: kernel(X, Dense("relu", 1), which=3), "layers 1 to 1 and the read-out 2"),
        (lambda: kernel(X, Dense("relu", 1), method="fast"), "unknown method"),
        (lambda: kernel(2 * np.eye(3) - 1, Dense("sign", 2), which="nngp", method="composed"), "cannot be composed"),
        (lambda: kernel(X * [[1], [2], [3]], Dense("relu", 1), method="composed"), "cannot be composed"),
        (lambda: kernel(X, Dense("sign", 1)), "sign jumps"),
        (lambda: kernel(X, Dense("relu", 1), tolerance=0.0), "between 1e-14 and 1"),
        (lambda: kernel(X, Dense("softplus", 1), memory=100), "MiB were given"),
        (lambda: kernel(X, Dense("exponential", 8, "ntk", 3.0)), "grow beyond all numbers"),
        (lambda: Dense("relu", 0), "at least 1, got 0"),
        (lambda: Dense("rellu", 1), "did you mean 'relu'"),
        (lambda: Dense("relu", 1, "standard"), "unknown parameterization"),
        (lambda: Dense("relu", 1, "ntk", -1.0), "weight_std must be positive"),
        (lambda: Dense("relu", 1, "ntk", 1.0, float("nan")), "bias_std must be at least 0"),
        (lambda: ResNet("relu", 1, c_res=0), "c_res must be positive"),
        (lambda: ConvResNet("relu", 1, patch=0), "at least one pixel"),
        (lambda: ConvResNet("relu", 1, stride=0), "a stride is at least 1"),
        (lambda: patches((4, 4), (3,)), "patches of 1 axes do not fit images of 2"),
        (lambda: on_sphere(ConvResNet("relu", 1)), "every patch"),
        (lambda: on_sphere(Dense("relu", 1), norm=-1.0), "at least 0"),
        (lambda: on_sphere(Dense("relu", 1))(1.5), "between −1 and 1"),
        (lambda: spectrum(np.ones((2, 3))), "square matrix"),
        (lambda: spectrum(X, method="qr"), "auto, dense or lanczos"),
    ],
)
def test_bad_input_is_a_sentence(call, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        call()


def test_what_cannot_fit_says_how_much_it_needs(monkeypatch):
    monkeypatch.setattr(importlib.import_module("earnshaw.kernels.kernel"), "available_memory", lambda: 2**20)
    with pytest.raises(EarnshawError, match=r"1000 × 1000 numbers needs 0.0 GiB.*in blocks into a file"):
        kernel(np.ones((1000, 2)), Dense("relu", 1))


def test_a_zero_vector_is_fine_where_there_are_biases():
    x = np.array([[0.0, 0.0], [1.0, 0.0]])
    values = kernel(x, Dense("relu", 2, bias_std=0.5)).values
    assert np.all(np.isfinite(values))
    assert np.linalg.eigvalsh(values)[0] > 0


def test_sign_has_the_kernel_that_needs_no_slope():
    values = kernel(np.array([[1.0, 0.0], [0.6, 0.8]]), Dense("sign", 1), which="nngp").values
    np.testing.assert_allclose(values, [[1, 1 - 2 / np.pi * np.arccos(0.6)]] * 1 + [[values[0, 1], 1]], rtol=1e-13)
