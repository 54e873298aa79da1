"""Wherever shards are computed, the run that they make has the same bits."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fleet
import pieces
import toys
from earnshaw.errors import EarnshawError
from earnshaw.runs import Certificates, Place, run

SOURCE = Path(sys.modules["earnshaw"].__file__).parent
FILES = ("results.nc", "table.csv", "figure.png", "figure.svg", "verdicts.json")


def contents(out):
    return {name: (out / name).read_bytes() for name in FILES if (out / name).exists()}


@pytest.fixture(scope="module")
def two_workers():
    with Place(workers=2).open() as executor:
        yield executor


@pytest.fixture(scope="module")
def ships(tmp_path_factory):
    with fleet.Fleet(tmp_path_factory.mktemp("log") / "begun", workers=1) as ships:
        yield ships


def test_any_number_of_workers_gives_the_same_bits(two_workers, tmp_path):
    alone = run(toys.study, tmp_path / "alone")
    together = run(toys.study, tmp_path / "together", executor=two_workers)
    assert two_workers.parallel == 2
    assert contents(alone.out) == contents(together.out)
    assert len(contents(alone.out)) == len(FILES)


def pinned():
    return [os.environ.get(name) for name in ("PJRT_NPROC", "OPENBLAS_NUM_THREADS", "EARNSHAW_THREADS")]


def test_workers_do_not_fight_over_cores(two_workers):
    assert list(two_workers._client.run(pinned).values()) == [["1"] * 3] * 2


@pytest.mark.slow
def test_eight_workers_give_the_bits_of_none(tmp_path):
    with Place(workers=8).open() as executor:
        together = run(pieces.study, tmp_path / "together", executor=executor)
        assert executor.parallel == 8
    assert contents(together.out) == contents(run(pieces.study, tmp_path / "alone").out)


def test_a_run_that_changes_its_place_has_the_same_bits(two_workers, tmp_path):
    whole = run(pieces.study, tmp_path / "whole", executor=two_workers).out
    shutil.copytree(whole, tmp_path / "resumed")
    sums = tmp_path / "resumed" / "shards" / "SHA256SUMS"
    # Workers finish in any order, and so do these.
    kept = sums.read_text().splitlines()[1::3]
    sums.write_text("\n".join(kept) + "\n")
    for name in FILES:
        (tmp_path / "resumed" / name).unlink(missing_ok=True)
    run(pieces.study, tmp_path / "resumed")
    assert contents(whole) == contents(tmp_path / "resumed")


def test_a_mistake_in_a_study_is_told_from_a_worker_as_from_here(two_workers, tmp_path):
    nonsense = replace(toys.study, compute=lambda cell, key, parameters: 3)
    with pytest.raises(EarnshawError, match=r"must compute an xarray\.Dataset"):
        run(nonsense, tmp_path / "nonsense", executor=two_workers)
    with pytest.raises(ValueError, match="sleep length must be non-negative"):
        run(pieces.study, tmp_path / "broken", settings={"seconds": -1.0}, executor=two_workers)


@pytest.mark.slow
def test_a_cluster_by_its_address(ships, tmp_path):
    with Place(dask=ships.address).open() as executor:
        there = run(pieces.study, tmp_path / "there", executor=executor)
    assert contents(there.out) == contents(run(pieces.study, tmp_path / "here").out)


def test_a_worker_with_other_software_is_refused(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "other" / "earnshaw", ignore=shutil.ignore_patterns("__pycache__"))
    with open(tmp_path / "other" / "earnshaw" / "plain.py", "a") as file:
        file.write("\n# another state of the code\n")
    path = os.pathsep.join([str(tmp_path / "other"), str(fleet.TESTS)])
    with (
        fleet.Fleet(tmp_path / "log", workers=1, PYTHONPATH=path) as ships,
        Place(dask=ships.address).open() as executor,
        pytest.raises(EarnshawError, match=r"the worker on .* has Earnshaw's source .* one run never mixes versions"),
    ):
        run(pieces.study, tmp_path / "run", executor=executor)
    assert not list((tmp_path / "run" / "shards").glob("*.nc"))


@pytest.mark.slow
def test_a_worker_that_lacks_the_study_is_a_sentence(tmp_path):
    with (
        fleet.Fleet(tmp_path / "log", workers=1, PYTHONPATH=str(SOURCE.parent)) as ships,
        Place(dask=ships.address).open() as executor,
        pytest.raises(EarnshawError, match="cannot load what it should compute: No module named 'pieces'"),
    ):
        run(pieces.study, tmp_path / "run", executor=executor)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl")
def test_tls_is_passed_through(tmp_path):
    ca, cert, key = (tmp_path / name for name in ("ca.pem", "cert.pem", "key.pem"))
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run([*command.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    shutil.copy(cert, ca)
    options = ["--tls-ca-file", str(ca), "--tls-cert", str(cert), "--tls-key", str(key)]
    place = {"certificates": Certificates(ca, cert, key)}
    with fleet.Fleet(tmp_path / "log", *options, workers=1) as ships:
        assert ships.address.startswith("tls://")
        with Place(dask=ships.address, **place).open() as executor:
            assert run(pieces.study, tmp_path / "run", executor=executor).starts == 8 * pieces.SHARDS
    with pytest.raises(EarnshawError, match="needs certificates"):
        Place(dask=ships.address).open()
    with pytest.raises(EarnshawError, match="is none"):
        Place(dask="tcp://127.0.0.1:1", **place).open()
    key.unlink()
    with pytest.raises(EarnshawError, match=r"key\.pem is no file"):
        Place(dask=ships.address, **place).open()
