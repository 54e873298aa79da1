"""A run as a process of its own, stopped by real signals."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import xarray as xr

import toys
from earnshaw.runs import run

PROGRAM = """
import signal, sys, time
from dataclasses import replace
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background of a shell inherits as ignored
sys.path.insert(0, {tests!r})
import toys
from earnshaw.cli.main import main
from earnshaw.studies.registry import REGISTRY, Entry

def slowly(cell, key, parameters):
    time.sleep(0.4)  # so that a signal arrives in the middle also on a busy machine
    return toys.compute(cell, key, parameters)

toys.study = replace(toys.study, compute=slowly)
REGISTRY["toy"] = Entry("toys", toys.study.artefact)
main()
"""


def start(out):
    code = PROGRAM.format(tests=str(Path(__file__).parent.parent))
    arguments = [sys.executable, "-c", code, "run", "toy", "--out", str(out)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_run_loses_nothing_that_was_stored(tmp_path, number):
    process = start(tmp_path / "toy")
    assert process.stderr is not None
    while "of 12 shards stored" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert said.splitlines()[-1].endswith(f"earnshaw run toy --scale quick --seed 0 --out {tmp_path / 'toy'}")
        assert "Traceback" not in said
    else:
        assert process.returncode == -signal.SIGKILL
    toys.computed.clear()
    resumed = run(toys.study, tmp_path / "toy")
    assert len(toys.computed) < 12
    xr.testing.assert_identical(resumed.results, run(toys.study, tmp_path / "whole").results)
