"""Ctrl-C at a terminal, which reaches a driver and everything it has started."""

import os
import re
import signal
import time

import pytest

import fleet

PLACES = [pytest.param([], id="here"), pytest.param(["--workers", "2"], id="workers")]
FAST_HERE = [PLACES[0], pytest.param(["--workers", "2"], id="workers", marks=pytest.mark.slow)]


def begun(log):
    return len(log.read_text().split())


def start(tmp_path, place, seconds):
    out, log = tmp_path / "run", tmp_path / "log"
    driver = fleet.drive(out, "--set", f"seconds={seconds}", *place, log=log, start_new_session=True)
    fleet.wait_for_shards(driver, out, 1)
    return driver, out, log


@pytest.mark.parametrize("place", PLACES)
def test_once_lets_the_running_shards_finish(tmp_path, place):
    driver, out, log = start(tmp_path, place, 0.4)
    os.killpg(driver.pid, signal.SIGINT)
    _, said = driver.communicate(timeout=fleet.PATIENCE)
    assert driver.returncode == 130, said
    assert "Traceback" not in said
    assert 0 < fleet.stored(out) == begun(log) < 24
    assert "press Ctrl-C again to stop at once" in said
    last = said.splitlines()[-1]
    assert last.endswith(" ".join(["--set seconds=0.4 --out", str(out), *place]))
    assert "earnshaw run pieces --scale quick --seed 0" in last


@pytest.mark.parametrize("place", FAST_HERE)
def test_twice_stops_at_once(tmp_path, place):
    driver, out, log = start(tmp_path, place, 3)
    fleet.wait_until(lambda: begun(log) > fleet.stored(out), "the next shard to begin")
    stored = fleet.stored(out)
    os.killpg(driver.pid, signal.SIGINT)
    time.sleep(0.3)
    began = time.monotonic()
    os.killpg(driver.pid, signal.SIGINT)
    _, said = driver.communicate(timeout=fleet.PATIENCE)
    assert driver.returncode == 130, said
    assert time.monotonic() - began < 2.5
    assert "Traceback" not in said
    assert stored <= fleet.stored(out) < begun(log)
    assert not list(out.rglob("*.unfinished"))
    assert re.search(r"goes on with it: earnshaw run pieces", said)
