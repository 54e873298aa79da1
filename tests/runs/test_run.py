import csv
import errno
import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import toys
from earnshaw.errors import EarnshawError
from earnshaw.runs import Observer, run, store


class Witness(Observer):
    def __init__(self):
        self.sentences = []
        self.counts = None
        self.progress = []

    def started(self, study, shards, stored):
        self.counts = (shards, stored)

    def shard_stored(self, study, stored, shards):
        self.progress.append(stored)

    def said(self, sentence):
        self.sentences.append(sentence)


@pytest.fixture(autouse=True)
def _forget():
    toys.computed.clear()


def stop_after(count):
    """The toy study, interrupted when it has computed `count` shards."""

    def compute(cell, key, parameters):
        if len(toys.computed) == count:
            raise KeyboardInterrupt
        return toys.compute(cell, key, parameters)

    return replace(toys.study, compute=compute)


def test_a_run_leaves_everything_a_person_needs(tmp_path):
    outcome = run(toys.study, tmp_path / "toy", seed=3)
    names = {path.name for path in outcome.out.iterdir() if not path.name.startswith(".")}
    files = "results.nc table.csv figure.png figure.svg curves.json references.json verdicts.json summary.json"
    assert names == {"manifest.json", "shards", *files.split()}
    manifest = json.loads((outcome.out / "manifest.json").read_text())
    assert manifest["seed"] == 3
    assert manifest["parameters"] == {"d": [1, 2, 3], "starts": 4}
    assert manifest["versions"]["jax"]
    assert {"python", "system", "machine", "processor", "cores", "devices"} == set(manifest["platform"])
    results = xr.load_dataset(outcome.out / "results.nc", engine="h5netcdf")
    assert results.sizes == {"cell": 6, "start": 8, "axis": 3}
    assert results.draw.isnull().sum("axis").values[:, 0].tolist() == [2, 1, 0, 2, 1, 0]
    assert results.label.values.tolist() == ["a", "aa", "aaa", "b", "bb", "bbb"]
    assert results.attrs["starts"] == outcome.starts == 48
    with open(outcome.out / "table.csv") as table:
        assert [float(row["mean"]) for row in csv.DictReader(table)] == [row["mean"] for row in outcome.rows]
    verdicts = json.loads((outcome.out / "verdicts.json").read_text())
    assert verdicts[0]["theorem"] == "toy-1.1"
    assert (outcome.out / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_checksums_are_those_of_sha256sum(tmp_path):
    run(toys.study, tmp_path / "toy")
    subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=tmp_path / "toy" / "shards", check=True, capture_output=True)


def test_an_interrupted_run_goes_on_and_ends_with_the_same_bits(tmp_path):
    whole = run(toys.study, tmp_path / "whole")
    toys.computed.clear()
    with pytest.raises(KeyboardInterrupt):
        run(stop_after(5), tmp_path / "resumed")
    assert len(toys.computed) == 5
    witness = Witness()
    resumed = run(toys.study, tmp_path / "resumed", observer=witness)
    assert witness.counts == (12, 5)
    assert witness.progress == list(range(6, 13))
    assert len(toys.computed) == 12
    xr.testing.assert_identical(whole.results, resumed.results)
    run(toys.study, tmp_path / "resumed")
    assert len(toys.computed) == 12


def test_a_shard_depends_on_its_own_cell_and_the_seed_alone(tmp_path):
    few = run(toys.study, tmp_path / "few", settings={"d": [3]}).results
    many = run(toys.study, tmp_path / "many").results
    other = run(toys.study, tmp_path / "other", settings={"d": [3]}, seed=1).results
    np.testing.assert_array_equal(few.draw[0], many.draw[2])
    assert not np.any(few.draw == other.draw)
    assert len(np.unique(many.draw.values[~np.isnan(many.draw)])) == 2 * 8 * (1 + 2 + 3)


@pytest.mark.parametrize("damage", [b"", b"not a NetCDF file", None])
def test_a_damaged_shard_is_said_and_computed_again(tmp_path, damage):
    whole = run(toys.study, tmp_path / "toy")
    toys.computed.clear()
    shard = tmp_path / "toy" / "shards" / "000007.nc"
    if damage is None:
        shard.unlink()
    else:
        shard.write_bytes(damage)
    witness = Witness()
    again = run(toys.study, tmp_path / "toy", observer=witness)
    assert len(toys.computed) == 1
    assert "000007.nc is damaged" in witness.sentences[0]
    xr.testing.assert_identical(whole.results, again.results)


def test_a_shard_in_the_place_of_another_is_computed_again(tmp_path):
    whole = run(toys.study, tmp_path / "toy")
    toys.computed.clear()
    shards = tmp_path / "toy" / "shards"
    (shards / "000000.nc").write_bytes((shards / "000001.nc").read_bytes())
    sums = (shards / "SHA256SUMS").read_text().splitlines()
    (shards / "SHA256SUMS").write_text(f"{sums[1][:64]}  000000.nc\n" + "\n".join(sums[1:]))
    xr.testing.assert_identical(run(toys.study, tmp_path / "toy").results, whole.results)
    assert len(toys.computed) == 1


@pytest.mark.parametrize("other", [{"seed": 1}, {"settings": {"d": [1, 2, 3], "starts": 4}, "scale": "paper"}])
def test_shards_of_another_run_are_not_mixed_in(tmp_path, other):
    """Whoever copies files may copy too many; what a shard belongs to stands in it."""
    whole = run(toys.study, tmp_path / "toy")
    stranger = run(toys.study, tmp_path / "other", **other)
    for name in ("000003.nc", "SHA256SUMS"):
        shutil.copy(stranger.out / "shards" / name, whole.out / "shards" / name)
    for shard in set((stranger.out / "shards").glob("*.nc")) - {stranger.out / "shards" / "000003.nc"}:
        shutil.copy(shard, whole.out / "shards")
    toys.computed.clear()
    witness = Witness()
    xr.testing.assert_identical(run(toys.study, tmp_path / "toy", observer=witness).results, whole.results)
    assert len(toys.computed) == 12
    assert all("belongs to another run; computing it again" in sentence for sentence in witness.sentences)


def test_a_shard_tells_by_itself_what_it_is(tmp_path):
    run(toys.study, tmp_path / "toy", seed=5)
    shard = xr.load_dataset(tmp_path / "toy" / "shards" / "000004.nc", engine="h5netcdf")
    assert shard.attrs["study"] == "toy"
    assert shard.attrs["shard"] == '{"d": 3, "kind": "a"} #0'
    facts = json.loads(shard.attrs["run"])
    manifest = json.loads((tmp_path / "toy" / "manifest.json").read_text())
    assert facts["seed"] == 5
    assert facts["parameters"] == manifest["parameters"]
    assert facts["versions"]["jax"] == manifest["versions"]["jax"]
    assert 0 <= shard.attrs["compiling"] <= shard.attrs["seconds"] + 1


def test_a_shard_whose_checksum_was_made_to_fit_is_computed_again(tmp_path):
    whole = run(toys.study, tmp_path / "toy")
    path = tmp_path / "toy" / "shards" / "000002.nc"
    sums = path.with_name("SHA256SUMS")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(path.read_bytes()[:700])
    sums.write_text(sums.read_text().replace(before, hashlib.sha256(path.read_bytes()).hexdigest()))
    toys.computed.clear()
    xr.testing.assert_identical(run(toys.study, tmp_path / "toy").results, whole.results)
    assert len(toys.computed) == 1


def test_a_torn_checksum_costs_one_shard(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(stop_after(4), tmp_path / "toy")
    sums = tmp_path / "toy" / "shards" / "SHA256SUMS"
    sums.write_bytes(sums.read_bytes()[:-20])
    run(toys.study, tmp_path / "toy")
    assert len(toys.computed) == 13
    run(toys.study, tmp_path / "toy")
    assert len(toys.computed) == 13


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"seed": 1}, "holds a run with seed 0, not 1"),
        ({"scale": "paper"}, 'holds a run with scale "quick", not "paper"'),
        ({"settings": {"starts": 5}}, r'parameters \{"starts": 4\}, not \{"starts": 5\}'),
    ],
)
def test_another_run_is_refused(tmp_path, other, sentence):
    run(toys.study, tmp_path)
    before = (tmp_path / "manifest.json").read_bytes()
    with pytest.raises(EarnshawError, match=sentence):
        run(toys.study, tmp_path, **other)
    assert (tmp_path / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"study": "other"}, 'study "other", not "toy"'),
        ({"format": 99}, "newer version"),
        ({"format": None}, "none of Earnshaw's"),
        ({"versions": {"earnshaw": "0.0.1"}}, r"computed with earnshaw 0\.0\.1"),
        ({"source": "0123"}, "before it was changed"),
    ],
)
def test_a_run_of_another_program_is_refused(tmp_path, change, sentence):
    run(toys.study, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, **change}))
    with pytest.raises(EarnshawError, match=sentence):
        run(toys.study, tmp_path)


def test_a_damaged_manifest_is_refused(tmp_path):
    run(toys.study, tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(EarnshawError, match="is damaged"):
        run(toys.study, tmp_path)


def test_a_directory_of_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(EarnshawError, match=r"not empty and holds no run \(thesis\.tex is there\)"):
        run(toys.study, tmp_path)
    with pytest.raises(EarnshawError, match="is a file"):
        run(toys.study, tmp_path / "thesis.tex")
    with pytest.raises(EarnshawError, match="cannot write"):
        run(toys.study, tmp_path / "thesis.tex" / "deeper")


def test_a_link_out_of_the_directory_is_refused(tmp_path):
    run(toys.study, tmp_path / "toy")
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "toy" / "results.nc").unlink()
    (tmp_path / "toy" / "results.nc").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EarnshawError, match="symbolic link"):
        run(toys.study, tmp_path / "toy")
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_a_second_process_in_the_same_directory_is_told(tmp_path):
    with store.Store(tmp_path).opened(), pytest.raises(EarnshawError, match="another process is running"):
        run(toys.study, tmp_path)


def test_a_full_disk_stops_the_run_with_a_sentence_and_loses_nothing(tmp_path, monkeypatch):
    sync, written = os.fsync, []

    def full(descriptor):
        written.append(descriptor)
        if len(written) == 12:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EarnshawError, match=r"no space is left .* everything stored so far is kept"):
        run(toys.study, tmp_path / "toy")
    monkeypatch.undo()
    assert not list((tmp_path / "toy").rglob("*.unfinished"))
    begun = len(toys.computed)
    witness = Witness()
    resumed = run(toys.study, tmp_path / "toy", observer=witness)
    assert 0 < witness.counts[1] < 12
    assert len(toys.computed) == begun + 12 - witness.counts[1]
    xr.testing.assert_identical(resumed.results, run(toys.study, tmp_path / "whole").results)


def test_a_directory_that_cannot_be_written_is_a_sentence():
    with pytest.raises(EarnshawError, match="cannot write /proc/toy"):
        run(toys.study, "/proc/toy")


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"cells": lambda parameters: []}, "no cell"),
        ({"cells": lambda parameters: [{"kind": "a", "d": 1}] * 2}, "same cell twice"),
        ({"cells": lambda parameters: [{"kind": "a", "d": 1}, {"d": 1}]}, "same names"),
        ({"compute": lambda cell, key, parameters: 3}, "must compute an xarray.Dataset, not int"),
        ({"shard_dimension": "place"}, "each needs the dimension 'place'"),
        ({"compute": lambda c, k, p: xr.Dataset({"d": ("start", [1.0])})}, "both a cell's coordinate and a variable"),
        ({"compute": lambda c, k, p: xr.Dataset(coords={"start": [c["d"]]})}, "disagree on the values along"),
        (
            {"compute": lambda c, k, p: xr.Dataset({"x": (("start", "yz"[c["d"] % 2]), [[1.0]])})},
            "other dimensions in another cell",
        ),
    ],
)
def test_a_study_that_contradicts_itself_is_refused(tmp_path, broken, sentence):
    with pytest.raises(EarnshawError, match=sentence):
        run(replace(toys.study, **broken), tmp_path / "toy")
