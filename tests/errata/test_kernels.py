"""Where chapter 3 of du19 slips about the kernels of infinite width, decided by networks of finite width.

The numbers in the names are those of docs/errata.md. Expectations of ReLU are in closed form, those of softplus by the
trapezoidal rule; none of it is the package's.
"""

import numpy as np
import pytest

from earnshaw.kernels import ConvResNet, Dense, ResNet, h_infinity, kernel, layers


def relu_pair(q, p, c):
    """E σ(u)σ(v) and E σ′(u)σ′(v)."""
    alpha = np.arccos(np.clip(c / np.sqrt(q * p), -1, 1))
    value = np.sqrt(q * p) * (np.sin(alpha) + (np.pi - alpha) * np.cos(alpha)) / (2 * np.pi)
    return value, (np.pi - alpha) / (2 * np.pi)


def estimate(draws):
    """A mean over networks of finite width, and its error."""
    draws = np.array(draws)
    return draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(len(draws))


def test_10_the_last_kernel_uses_the_covariance_of_the_layer_before():
    m, rng = 400, np.random.default_rng(0)

    def last_gram():
        # the inner product of the gradients in the second of two layers, for the two unit vectors of the plane
        first = np.sqrt(2 / m) * np.maximum(rng.normal(size=(m, 2)), 0)
        active = rng.normal(size=(m, m)) @ first > 0
        return first[:, 0] @ first[:, 1] * 2 / m * (rng.normal(size=m) ** 2 @ (active[:, 0] & active[:, 1]))

    measured, error = estimate([last_gram() for _ in range(200)])
    k1 = 2 * relu_pair(1.0, 1.0, 0.0)[0]
    corrected, printed = (2 * k1 * relu_pair(1.0, 1.0, c)[1] for c in (k1, 0.0))
    found = kernel(np.eye(2), Dense("relu", 2), which="last-layer").values[0, 1]
    assert found == pytest.approx(corrected, abs=1e-13)
    assert abs(measured - corrected) < 4 * error
    assert abs(measured - printed) > 6 * error


def test_11_the_cross_term_of_the_residual_network_is_a_sum():
    z = np.linspace(-10, 10, 401)
    weights = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    softplus = np.log1p(np.exp(np.sqrt(np.array([1.0]))[:, None] * z))
    c = 1 / (softplus**2 @ weights)[0]
    values = {}
    for form in ("corrected", "printed"):
        k, b, s = 1.0, np.sqrt(c) * (softplus @ weights)[0], 0.5 / 4
        for _ in (2, 3):
            sigma = np.log1p(np.exp(np.sqrt(k) * z))
            mean, square = sigma @ weights, sigma**2 @ weights
            cross = 2 * s * b * mean if form == "corrected" else s**2 * b**2 * square
            k, b = k + cross + s**2 * square, b + s * mean
        values[form] = k
    # K^(3) of a unit input, for H = 4 and c_res = ½
    net, x = ResNet("softplus", 4, c_res=0.5), np.array([[0.6, 0.8]])
    assert layers(x, net).covariances[3][0, 0] == pytest.approx(values["corrected"], abs=1e-11)
    m, rng = 800, np.random.default_rng(0)

    def square():
        features = np.sqrt(c) * np.log1p(np.exp(rng.normal(size=m)))
        for _ in (2, 3):
            features = features + s * np.log1p(np.exp(rng.normal(size=(m, m)) @ features / np.sqrt(m)))
        return features @ features / m

    measured, error = estimate([square() for _ in range(24)])
    assert abs(measured - values["corrected"]) < 4 * error
    assert abs(measured - values["printed"]) > 6 * error
    assert {form: round(float(k), 2) for form, k in values.items()} == {"corrected": 1.39, "printed": 1.05}


def patched(moments):
    """The sum over the three offsets of a patch, with zeros outside."""
    padded = np.pad(moments, 1)
    n = moments.shape[0]
    return sum(padded[o : o + n, o : o + n] for o in range(3))


def convolutional(x, own, form, s=0.3):
    """K^(1) and K^(2) of (3.9) for ReLU with c_σ = 2, one channel: what layers 2 and 3 see, at every pair of pixels.

    `own` are the pairs (i, j) of inputs. Forms: `corrected`; `no-patches`, in which K^(1) lacks the sum over the patch;
    `swapped`, in which bᵢ goes with σ(u); `patched-skip`, in which the skip connection hands on K^(1) and not the
    features' covariance.
    """
    i, j = own
    patches = [np.stack([np.pad(row[0], 1)[k : k + 3] for k in range(row.shape[1])]) for row in x]
    cov = {(a, b): patches[a] @ patches[b].T for a in own for b in own}

    def moment(c, a, b):
        return relu_pair(np.diag(c[a, a])[:, None], np.diag(c[b, b])[None, :], c[a, b])[0]

    def mean(c, a):
        return np.sqrt(np.diag(c[a, a]) / (2 * np.pi))

    feature = {pair: 2 * moment(cov, *pair) for pair in cov}
    b = {a: np.sqrt(2) * mean(cov, a) for a in own}
    first = {pair: f if form == "no-patches" else patched(f) for pair, f in feature.items()}
    mi, mj = mean(first, i), mean(first, j)
    if form == "swapped":
        cross = (b[i] * mi)[:, None] + (b[j] * mj)[None, :]
    else:
        cross = np.outer(b[i], mj) + np.outer(mi, b[j])
    handed_on = first[own] if form == "patched-skip" else feature[own]
    return first[own], patched(handed_on + s * cross + s**2 * moment(first, i, j))


def convolutional_moments(x, m, rng, s=0.3):
    """⟨X_i, X_j⟩/m of the features of two layers of width m, for inputs 0 and 1 and every pair of pixels."""
    weights = rng.normal(size=(m, 3)), rng.normal(size=(m, 3 * m)) / np.sqrt(m)
    found = [[], []]
    for row in x:
        padded = np.pad(row, ((0, 0), (1, 1)))
        seen = np.stack([padded[:, k : k + 3].ravel() for k in range(row.shape[1])], axis=1)
        first = np.sqrt(2) * np.maximum(weights[0] @ seen, 0)
        padded = np.pad(first, ((0, 0), (1, 1)))
        seen = np.stack([padded[:, k : k + 3].ravel() for k in range(row.shape[1])], axis=1)
        found[0].append(first)
        found[1].append(first + s * np.maximum(weights[1] @ seen, 0))
    return [a.T @ b / m for a, b in found]


def test_12_the_kernels_of_the_convolutional_network():
    x = np.array([[[0.9, -0.3, 1.2, 0.8]], [[0.1, 0.3, -0.1, 0.2]]])
    found = layers(x, ConvResNet("relu", 3, c_res=0.9)).covariances
    rng = np.random.default_rng(0)
    draws = [[patched(k) for k in convolutional_moments(x, 400, rng)] for _ in range(60)]
    measured, spread = estimate(draws)
    for form in ("corrected", "no-patches", "swapped", "patched-skip"):
        first, second = convolutional(x, (0, 1), form)
        away = [np.abs((m - k) / s).max() for m, k, s in zip(measured, (first, second), spread, strict=True)]
        if form == "corrected":
            np.testing.assert_allclose(found[1][0, 1], first, atol=1e-12)
            np.testing.assert_allclose(found[2][0, 1], second, atol=1e-12)
            assert max(away) < 4
        else:
            assert max(away) > 8


def test_60_one_layer_alone_has_the_kernel_of_chapter_2_times_c_sigma():
    x = np.array([[1.0, 0.0], [0.6, 0.8]])
    last = kernel(x, Dense("relu", 1), which="last-layer").values
    closed = (x @ x.T) * (np.pi - np.arccos(np.clip(x @ x.T, -1, 1))) / (2 * np.pi)
    np.testing.assert_allclose(h_infinity(x), closed, atol=1e-13)
    np.testing.assert_allclose(last, 2 * closed, atol=1e-13)
    assert np.abs(last - closed).max() > 0.2
