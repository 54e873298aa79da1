import json

import numpy as np
import pytest

from earnshaw.errors import EarnshawError
from earnshaw.kernels import Dense, kernel, spectrum
from earnshaw.runs.kernel_file import RECORD, kernel_file, open_kernel

NET = Dense("erf", 1)
#: Enough for blocks of one tile, so that 600 inputs have six blocks.
LITTLE = 1_700_000


def inputs(n=600, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, 3))
    return x / np.linalg.norm(x, axis=1)[:, None]


class Stop(Exception):
    pass


@pytest.mark.parametrize("suffix", [".npy", ".zarr"])
def test_a_file_holds_the_kernel_also_after_interruptions(tmp_path, suffix):
    if suffix == ".zarr":
        pytest.importorskip("zarr", reason="the extra earnshaw[zarr] is not installed")
    path, x = tmp_path / f"kernel{suffix}", inputs()
    seen = []

    def stop_twice(progress):
        seen.append(progress.done)
        if len(seen) in (3, 6):
            raise Stop

    for _ in range(2):
        with pytest.raises(Stop):
            kernel_file(path, x, NET, memory=LITTLE, progress=stop_twice)
    found = kernel_file(path, x, NET, memory=LITTLE, progress=stop_twice)
    # what was done before a stop was not done again
    assert seen[3] == seen[2] > 0
    assert len(set(seen)) == 1 + 6
    exact = kernel(x, NET)
    assert np.array_equal(open_kernel(path)[:], exact.values)
    assert found.truncation_error == exact.truncation_error
    assert spectrum(open_kernel(path)) == spectrum(exact.values)
    # and nothing is left to do
    seen.clear()
    kernel_file(path, x, NET, memory=2**30, progress=seen.append)
    assert [p.done for p in seen] == [p.pairs for p in seen]


def test_a_line_that_was_cut_off_is_a_block_to_compute_again(tmp_path):
    path, x = tmp_path / "kernel.npy", inputs()
    kernel_file(path, x, NET, memory=LITTLE)
    exact = np.load(path)
    record = tmp_path / f"kernel.npy{RECORD}"
    lines = record.read_text().splitlines()
    record.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:3])
    matrix = np.load(path, mmap_mode="r+")
    where = json.loads(lines[-1])
    matrix[where[0] :, where[1] :] = np.nan
    matrix.flush()
    kernel_file(path, x, NET, memory=LITTLE)
    assert np.array_equal(np.load(path), exact)


def test_what_is_refused(tmp_path):
    x = inputs(5)
    path = tmp_path / "kernel.npy"
    kernel_file(path, x, NET)
    for other in (
        lambda: kernel_file(path, inputs(5, seed=1), NET),
        lambda: kernel_file(path, x, Dense("erf", 2)),
        lambda: kernel_file(path, x, NET, which="nngp"),
        lambda: kernel_file(path, x, Dense(lambda z: z**3 - z, 1)),
    ):
        with pytest.raises(EarnshawError, match="holds the kernel of other inputs or another network"):
            other()
    foreign = tmp_path / "foreign.npy"
    np.save(foreign, x)
    with pytest.raises(EarnshawError, match="no record of its blocks"):
        kernel_file(foreign, x, NET)
    with pytest.raises(EarnshawError, match=r"ends in \.npy or \.zarr"):
        kernel_file(tmp_path / "kernel.h5", x, NET)
    with pytest.raises(EarnshawError, match="there is no directory"):
        kernel_file(tmp_path / "nowhere" / "kernel.npy", x, NET)
    with pytest.raises(EarnshawError, match="there is no file"):
        open_kernel(tmp_path / "none.npy")
    with pytest.raises(EarnshawError, match="MiB were given"):
        kernel_file(tmp_path / "little.npy", x, NET, memory=10)


def test_a_full_disk_is_said_before(tmp_path, monkeypatch):
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda place: usage(10, 9, 1))
    with pytest.raises(EarnshawError, match=r"the kernel of 5 inputs takes 0.0 GiB, and 0.0 are free"):
        kernel_file(tmp_path / "kernel.npy", inputs(5), NET)
    assert not list(tmp_path.iterdir())
