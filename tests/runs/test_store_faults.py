"""A full disk, a quota, and two drivers in one directory."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

import fleet
import pieces
from earnshaw.errors import EarnshawError
from earnshaw.runs import lock, run
from earnshaw.runs.store import Store

MOUNT = "mount -t tmpfs -o size=140k tmpfs {place}"
MAY_MOUNT = subprocess.run(
    ["unshare", "-rm", "sh", "-c", MOUNT.format(place="/mnt")], capture_output=True, check=False
) if shutil.which("unshare") else None  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return (run(pieces.study, tmp_path_factory.mktemp("whole") / "run").out / "results.nc").read_bytes()


@pytest.mark.skipif(MAY_MOUNT is None or MAY_MOUNT.returncode != 0, reason="mounting is not permitted here")
def test_a_full_disk(tmp_path, results):
    """A tmpfs that is too small for the run, and that is then made larger."""
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / "program.py").write_text(fleet.PROGRAM)
    drive = f"{sys.executable} {tmp_path}/program.py run pieces --set seconds=0.0 --out {disk}/run"
    script = (
        f"{MOUNT.format(place=disk)}\n{drive} > /dev/null 2> {tmp_path}/said; echo $? > {tmp_path}/code\n"
        f"(cd {disk}/run/shards && sha256sum -c SHA256SUMS | wc -l) > {tmp_path}/whole\n"
        f"mount -o remount,size=8m {disk} && {drive} > /dev/null 2>&1\n"
        f"cp {disk}/run/results.nc {tmp_path}\n"
    )
    log = tmp_path / "log"
    environment = fleet.environment(**{pieces.LOG: str(log)})
    subprocess.run(["unshare", "-rm", "sh", "-c", script], env=environment, check=True, timeout=fleet.PATIENCE)
    said = (tmp_path / "said").read_text()
    assert (tmp_path / "code").read_text() == "2\n", said
    assert "no space is left for" in said.splitlines()[-1]
    assert "everything stored so far is kept" in said
    stored = int((tmp_path / "whole").read_text())
    assert 0 < stored < pieces.SHARDS
    # One shard was computed and found no room; only that one is computed again.
    assert len(log.read_text().split()) == pieces.SHARDS + 1
    # How long a shard sleeps is no part of the results, so these are the same bytes.
    assert (tmp_path / "results.nc").read_bytes() == results


@pytest.mark.slow
def test_a_quota_on_files(tmp_path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))\n"
    driver = fleet.drive(tmp_path / "run", "--set", "seconds=0.0", before=limit)
    _, said = driver.communicate(timeout=fleet.PATIENCE)
    assert driver.returncode == 2
    assert "no space is left for" in said
    assert "Traceback" not in said
    assert not list((tmp_path / "run").rglob("*.unfinished"))


def test_the_second_driver_is_told(tmp_path):
    first = fleet.drive(tmp_path / "run", "--set", "seconds=0.15")
    fleet.wait_for_shards(first, tmp_path / "run", 1)
    second = fleet.drive(tmp_path / "run", "--set", "seconds=0.15")
    _, said = second.communicate(timeout=fleet.PATIENCE)
    assert second.returncode == 2
    assert f"another process is running in {tmp_path / 'run'} (process {first.pid} on {socket.gethostname()})" in said
    fleet.kill(first)
    first.communicate()
    # Nobody tidied up, and yet nobody is in the way.
    assert json.loads((tmp_path / "run" / lock.LOCK).read_text())["pid"] == first.pid
    assert lock.living_holder(tmp_path / "run") is None
    assert run(pieces.study, tmp_path / "run", settings={"seconds": 0.15}).starts == 8 * pieces.SHARDS


def hold(directory, **record):
    path = directory / lock.LOCK
    path.write_text(json.dumps(record))
    return path


def test_a_living_process_on_another_machine_is_respected(tmp_path):
    path = hold(tmp_path, host="elsewhere", pid=7, born="1")
    with pytest.raises(EarnshawError, match="process 7 on elsewhere"), Store(tmp_path).opened():
        pass
    assert json.loads(path.read_text())["host"] == "elsewhere"
    silent = time.time() - 2 * lock.SECONDS_UNTIL_DEAD
    os.utime(path, (silent, silent))
    with Store(tmp_path).opened():
        assert json.loads(path.read_text())["pid"] == os.getpid()
    assert path.read_text() == ""


@pytest.mark.parametrize("born", ["1", ""])
def test_a_number_that_was_given_to_another_process_is_nobody(tmp_path, born):
    hold(tmp_path, host=socket.gethostname(), pid=os.getppid(), born=born)
    with Store(tmp_path).opened():
        pass


def test_a_file_system_without_locks_goes_by_the_record(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise OSError(lock.errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock.fcntl, "flock", refuse)
    child = subprocess.Popen(["sleep", "60"])
    hold(tmp_path, host=socket.gethostname(), pid=child.pid, born=lock._born(child.pid))
    with pytest.raises(EarnshawError, match=f"process {child.pid} on"), Store(tmp_path).opened():
        pass
    child.send_signal(signal.SIGKILL)
    child.wait()
    with Store(tmp_path).opened():
        pass


def test_a_driver_shows_that_it_is_alive(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "SECONDS_BETWEEN_SIGNS", 0.02)
    with Store(tmp_path).opened():
        os.utime(tmp_path / lock.LOCK, (0, 0))
        fleet.wait_until(lambda: (tmp_path / lock.LOCK).stat().st_mtime > 0, "a sign of life")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"host": "a"}', '{"host": "a", "pid": "x", "born": ""}'])
def test_a_record_that_makes_no_sense_is_nobody(tmp_path, text):
    (tmp_path / lock.LOCK).write_text(text)
    assert lock.living_holder(tmp_path) is None
