"""Processes are killed at random moments; nothing that was stored is lost or computed again, and no bit differs."""

import random
import signal

import pytest

import fleet
import pieces
from earnshaw.runs import run

FILES = ("results.nc", "table.csv", "verdicts.json")
VICTIMS = ("a worker", "all workers", "the scheduler", "the driver")
SLOW_ROUNDS = [(victim, number) for number in range(1, 14) for victim in VICTIMS]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of a run that nothing happened to, in this process."""
    out = tmp_path_factory.mktemp("whole") / "run"
    run(pieces.study, out)
    return contents(out)


def contents(out):
    return [(out / name).read_bytes() for name in FILES]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("log") / "begun"


@pytest.fixture(scope="module")
def ships(log):
    """A cluster that outlives its drivers; every test mends what the one before it broke."""
    with fleet.Fleet(log) as ships:
        yield ships


def begun(log):
    """Which shards were begun since the log was cleared; a shard is known by its first draw."""
    return log.read_text().split() if log.exists() else []


def fingerprints(out):
    """What the log says of each shard that is stored."""
    from earnshaw.runs.netcdf import decode
    from earnshaw.runs.store import read_sums

    names = read_sums(out / "shards")
    return {repr(decode((out / "shards" / name).read_bytes()).draw.values[0, 0]) for name in names}


def strike(ships, victim, chance, tmp_path, whole, log, monkeypatch):
    """Kill the victim in the middle of a run on a cluster; then go on until the run is complete."""
    ships.mend()
    log.write_text("")
    out = tmp_path / "run"
    driver = fleet.drive(out, "--dask", ships.address, log=log)
    try:
        fleet.wait_for_shards(driver, out, chance.randrange(1, pieces.SHARDS - 4))
        if victim == "a worker":
            fleet.kill(chance.choice(ships.workers))
        elif victim == "all workers":
            for worker in ships.workers:
                fleet.kill(worker)
            ships.mend()
        elif victim == "the scheduler":
            fleet.kill(ships.scheduler)
        else:
            fleet.kill(driver)
        _, said = driver.communicate(timeout=fleet.PATIENCE)
    finally:
        if driver.poll() is None:
            fleet.kill(driver)
    assert "Traceback" not in said
    if victim == "the scheduler" and driver.returncode != 0:
        assert driver.returncode == 2, said
        assert "is lost; what was stored is kept" in said.splitlines()[-1]
    elif victim == "the driver":
        assert driver.returncode in (-signal.SIGKILL, 0)
    else:
        assert driver.returncode == 0, said
    resume(out, whole, log, monkeypatch)


def resume(out, whole, log, monkeypatch):
    """Complete the run in this process and compare."""
    # Workers that survive their driver may still be busy with its last shards.
    kept = fingerprints(out)
    mine = log.with_name("resumed")
    mine.write_text("")
    monkeypatch.setenv(pieces.LOG, str(mine))
    run(pieces.study, out)
    assert not kept & set(begun(mine))
    assert len(begun(mine)) == pieces.SHARDS - len(kept)
    assert contents(out) == whole


@pytest.mark.parametrize("victim", ["all workers", "the scheduler", "the driver"])
def test_a_killed_process_costs_no_stored_shard(ships, victim, tmp_path, whole, log, monkeypatch):
    strike(ships, victim, random.Random(victim), tmp_path, whole, log, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(("victim", "number"), SLOW_ROUNDS)
def test_round_after_round(ships, victim, number, tmp_path, whole, log, monkeypatch):
    strike(ships, victim, random.Random(f"{victim} {number}"), tmp_path, whole, log, monkeypatch)


@pytest.mark.slow
def test_workers_of_this_machine_are_replaced_when_they_die(tmp_path, whole, log, monkeypatch):
    log.write_text("")
    out = tmp_path / "run"
    driver = fleet.drive(out, "--workers", "2", log=log)
    fleet.wait_for_shards(driver, out, 3)
    for worker in fleet.workers_of(driver):
        worker.kill()
    _, said = driver.communicate(timeout=fleet.PATIENCE)
    assert driver.returncode == 0, said
    # What two workers were computing is computed again, and perhaps what they had finished but not handed over.
    assert pieces.SHARDS <= len(begun(log)) <= pieces.SHARDS + 6
    resume(out, whole, log, monkeypatch)
