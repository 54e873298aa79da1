"""Where a run is computed, as options: what excludes what, and what cannot be reached."""

import importlib.util
import socket
import subprocess
import sys
import threading
import time

import pytest

import fleet
from earnshaw.runs import Place, dask_address

BAD = [
    (["--workers", "0"], "--workers must be at least 1, not 0"),
    (["--workers", "two"], "--workers"),
    (["--workers", "100000"], "is more than this machine can bear; choose at most"),
    (["--workers", "2", "--dask", "tcp://127.0.0.1:1"], "--workers and --dask exclude each other"),
    (["--cluster", "slurm", "--dask", "tcp://127.0.0.1:1"], "--dask and --cluster exclude each other"),
    (["--cluster", "slrum", "--workers", "2"], "unknown kind of cluster 'slrum'; did you mean 'slurm'"),
    (["--cluster", "slurm"], "needs the number of workers, such as --workers 20"),
    (["--cluster", "pbs", "--workers", "2"], "needs the memory of a job, such as --cluster-set memory=4GB"),
    (["--cluster-set", "memory=4GB"], "--cluster-set belongs to --cluster"),
    (["--cluster", "slurm", "--workers", "2", "--cluster-set", "memory"], "--cluster-set needs NAME=VALUE"),
    (["--cluster", "slurm", "--workers", "2", "--cluster-set", "a=1", "--cluster-set", "a=2"], "gives 'a' twice"),
    (["--cluster", "slurm", "--workers", "2", "--cluster-set", "a=[1"], "not a list that JSON can read"),
    (["--dask-ca", "x"], "TLS needs all of --dask-ca, --dask-cert and --dask-key"),
    (["--dask-ca", "x", "--dask-cert", "x", "--dask-key", "x"], "belong to --dask or --cluster"),
    (["--dask", "10.0.0.1:8786"], "--dask needs an address such as tcp://10.0.0.1:8786"),
    (["--dask", "tcp://host:99999"], "--dask needs an address"),
    (["--dask", "tcp://[::1"], "--dask needs an address"),
    (["--dask", "tls://127.0.0.1:1"], "needs certificates"),
]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(dask_address, "SECONDS_TO_ANSWER", 1.0)


@pytest.mark.parametrize(("options", "sentence"), BAD, ids=[" ".join(case[0]) for case in BAD])
@pytest.mark.parametrize("command", [["run", "toy"], ["reproduce"]], ids=["run", "reproduce"])
def test_options_that_make_no_sense(earnshaw, command, options, sentence, tmp_path):
    answer = earnshaw(*command, *options, "--out", "out", "--json")
    assert answer.code == 2
    assert not answer.stdout
    assert answer.stderr.count("\n") == 1
    assert sentence in answer.stderr
    assert not (tmp_path / "out").exists()


def refused(earnshaw, address):
    began = time.monotonic()
    answer = earnshaw("run", "toy", "--out", "out", "--dask", address)
    assert answer.code == 2
    assert f"no Dask scheduler answers at {address}" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert time.monotonic() - began < 10


def test_a_dead_address(earnshaw):
    refused(earnshaw, "tcp://127.0.0.1:1")
    refused(earnshaw, "tcp://no-such-host.invalid:8786")


def test_the_address_of_a_worker(earnshaw, tmp_path):
    with Place(workers=1).open() as executor:
        (worker,) = executor._client.nthreads()
        answer = earnshaw("run", "toy", "--out", "out", "--dask", worker)
    assert answer.code == 2
    assert "is the address of a Dask worker, and a scheduler's is needed" in answer.stderr


def test_something_else_at_the_address(earnshaw):
    """A server that answers, but is no scheduler; and one that never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        refused(earnshaw, f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_talk, args=(server,), daemon=True).start()
        refused(earnshaw, f"tcp://127.0.0.1:{server.getsockname()[1]}")


def _talk(server):
    while True:
        try:
            client, _ = server.accept()
        except OSError:
            return
        with client:
            client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_without_dask_the_extra_is_named(earnshaw, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "dask" else find(name, *rest))
    answer = earnshaw("run", "toy", "--workers", "2")
    assert answer.code == 2
    assert 'pip install "earnshaw[cluster]"' in answer.stderr


def test_only_workers_load_dask(tmp_path):
    code = (
        "import atexit, sys\n"
        "loaded = lambda: [name for name in ('distributed', 'dask_jobqueue') if name in sys.modules]\n"
        f"atexit.register(lambda: print(loaded(), file=sys.stderr))\n{fleet.PROGRAM}"
    )
    arguments = ["run", "pieces", "--set", "seconds=0.0", "--out", str(tmp_path / "run")]
    shown = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=fleet.environment(), capture_output=True, text=True, check=True
    )
    assert shown.stderr.splitlines()[-1] == "[]"


def test_runs_lists_what_has_become_of_them(earnshaw, tmp_path):
    assert earnshaw("run", "toy", "--out", "all/complete").code == 0
    assert earnshaw("run", "toy", "--seed", "1", "--out", "all/damaged").code == 0
    (tmp_path / "all/damaged/shards/000003.nc").write_bytes(b"")
    assert earnshaw("run", "toy", "--seed", "2", "--out", "all/below/partial").code == 0
    sums = tmp_path / "all/below/partial/shards/SHA256SUMS"
    sums.write_text("".join(sums.read_text().splitlines(keepends=True)[:5]))
    (tmp_path / "all/unreadable").mkdir()
    (tmp_path / "all/unreadable/manifest.json").write_text("[")
    (tmp_path / "all/link").symlink_to(tmp_path / "all/complete")
    (tmp_path / "all/no-run").mkdir()
    driver = fleet.drive(tmp_path / "all/running", "--set", "seconds=5")
    try:
        fleet.wait_until((tmp_path / "all/running/manifest.json").exists, "the run to begin")
        listed = {run["path"].removeprefix("all/"): run for run in earnshaw("runs", "all", "--json").json["runs"]}
        answer = earnshaw("runs", "all")
    finally:
        fleet.kill(driver)
        driver.communicate()
    assert {name: run["state"] for name, run in listed.items()} == {
        "below/partial": "partial",
        "complete": "complete",
        "damaged": "damaged",
        "running": "running",
        "unreadable": "damaged",
    }
    assert listed["below/partial"]["stored"] == 5
    assert listed["below/partial"]["shards"] == 12
    assert listed["damaged"]["stored"] == 11
    assert listed["complete"]["seed"] == 0
    assert 0 <= listed["complete"]["age"] < 60
    assert listed["complete"]["size"] > 10_000
    assert answer.code == 0, answer.stderr
    rows = [line.split("\t") for line in answer.stdout.splitlines()]
    assert ["all/below/partial", "toy", "partial 5 of 12"] in [row[:3] for row in rows]
    assert any(row[2].startswith(f"running: process {driver.pid} on ") for row in rows)
    # A run whose driver was killed is no longer running.
    assert [run["state"] for run in earnshaw("runs", "all/running", "--json").json["runs"]] == ["partial"]
    assert earnshaw("runs", "nowhere").code == 2
