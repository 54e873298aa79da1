import numpy as np
import pytest

from earnshaw.kernels import ConvResNet, Dense, ResNet, kernel

X = np.array([[1.0, 0.0, 0.5], [0.2, 0.9, 0.1], [0.3, 0.3, 1.1]])


@pytest.fixture
def files(earnshaw, tmp_path):
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "equal.npy", X[[0, 1, 0]])
    np.save(tmp_path / "nan.npy", np.where(X == 0.9, np.nan, X))
    np.save(tmp_path / "zero.npy", np.concatenate([X, np.zeros((1, 3))]))
    np.savez(tmp_path / "several.npz", x=X)
    (tmp_path / "text.npy").write_text("1 2 3")
    return earnshaw


@pytest.mark.parametrize(
    ("options", "network", "which"),
    [
        ([], Dense("relu", 1), "ntk"),
        (["--depth", "2", "--which", "last-layer"], Dense("relu", 2), "last-layer"),
        (["--depth", "2", "--architecture", "resnet", "--c-res", "0.7"], ResNet("relu", 2, c_res=0.7), "ntk"),
        (["--architecture", "conv-resnet", "--patch", "2", "--which", "nngp"], ConvResNet("relu", 1, patch=2), "nngp"),
        (
            ["--activation", "erf", "--parameterization", "ntk", "--weight-std", "1.4", "--bias-std", "0.2"],
            Dense("erf", 1, "ntk", 1.4, 0.2),
            "ntk",
        ),
    ],
)
def test_the_kernel_of_a_file(files, options, network, which):
    answer = files("kernel", "x.npy", *options, "--json")
    assert answer.code == 0, answer.stderr
    assert not answer.stderr
    assert list(answer.json) == ["n", "which", "truncation_error", "min_eigenvalue", "kernel", "out"]
    exact = kernel(X, network, which=which).values
    assert answer.json["kernel"] == exact.tolist()
    assert answer.json["min_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(exact)[0], rel=1e-12)
    assert (answer.json["n"], answer.json["which"], answer.json["out"]) == (3, which, None)
    told = files("kernel", "x.npy", *options)
    assert told.code == 0
    assert "smallest eigenvalue" in told.stdout


def test_a_kernel_is_written_and_read_again(files, tmp_path):
    for _ in range(2):
        answer = files("kernel", "x.npy", "--out", "k.npy", "--json")
        assert answer.code == 0
        assert answer.json["out"] == "k.npy"
    assert np.array_equal(np.load(tmp_path / "k.npy"), kernel(X, Dense("relu", 1)).values)
    other = files("kernel", "x.npy", "--depth", "2", "--out", "k.npy")
    assert other.code == 2
    assert "another network" in other.stderr


def test_a_kernel_of_many_is_not_printed(files, tmp_path):
    np.save(tmp_path / "many.npy", np.random.default_rng(0).normal(size=(65, 3)))
    assert "kernel" not in files("kernel", "many.npy", "--json").json
    assert "not computed" not in files("kernel", "many.npy").stdout


def test_equal_inputs_are_said_and_their_eigenvalue_is_0(files):
    answer = files("kernel", "equal.npy", "--json")
    assert answer.code == 0
    assert answer.json["min_eigenvalue"] == 0.0
    assert answer.stderr == "earnshaw: rows 0 and 2 are the same input, so the smallest eigenvalue is 0\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.npy"], "there is no file none.npy"),
        (["text.npy"], "not an array of NumPy's"),
        (["several.npz"], "several arrays"),
        (["nan.npy"], "row 1 of x has an entry that is not finite"),
        (["zero.npy"], "row 3 of x is the zero vector"),
        (["x.npy", "--activation", "rellu"], "did you mean 'relu'"),
        (["x.npy", "--architecture", "densenet"], "did you mean 'dense'"),
        (["x.npy", "--which", "nkt"], "did you mean 'ntk'"),
        (["x.npy", "--parameterization", "mup"], "unknown parameterization"),
        (["x.npy", "--depth", "0"], "at least 1, got 0"),
        (["x.npy", "--depth", "two"], "--depth"),
        (["x.npy", "--patch", "3"], "--patch does not belong to the architecture dense"),
        (["x.npy", "--memory", "-1"], "positive number of GiB"),
        (["x.npy", "--tolerance", "0"], "between 1e-14 and 1"),
        (["x.npy", "--activation", "sign"], "sign jumps"),
        (["x.npy", "--out", "k.csv"], "ends in .npy or .zarr"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line(files, arguments, sentence):
    answer = files("kernel", *arguments)
    assert answer.code == 2
    assert not answer.stdout
    assert answer.stderr.count("\n") == 1
    assert sentence in answer.stderr
