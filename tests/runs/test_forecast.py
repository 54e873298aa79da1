from dataclasses import replace

import jax
import jax.numpy as jnp
import pytest

import toys
from earnshaw.runs import Observer, compiling, run
from earnshaw.runs.forecast import seconds_at_paper_scale
from earnshaw.runs.shards import count_shards, shards_of


class Listener(Observer):
    def __init__(self):
        self.heard = []

    def estimated(self, study, seconds, parallel):
        self.heard.append((seconds, parallel))


def test_time_grows_with_starts_and_cells():
    parameters = toys.study.settings("quick")
    shard = shards_of(toys.study, parameters)[0]
    # Half of a cell of 4 starts took 3 s; at paper scale there are 6 cells of 8 starts.
    assert seconds_at_paper_scale(toys.study, {}, parameters, shard, 3.0) == pytest.approx(3.0 / 2 * 6 * 8)
    # Only one value of d instead of three.
    assert seconds_at_paper_scale(toys.study, {"d": [1]}, parameters, shard, 3.0) == pytest.approx(3.0 / 2 * 2 * 8)
    cubic = replace(toys.study, cost=lambda cell, parameters: cell["d"] ** 3)
    assert seconds_at_paper_scale(cubic, {}, parameters, shard, 3.0) == pytest.approx(3.0 * 2 * 2 * (1 + 8 + 27))


def test_time_to_compile_is_paid_once_for_each_cell():
    parameters = toys.study.settings("quick")
    shard = shards_of(toys.study, parameters)[0]
    # Of 3 s two were spent compiling; at paper scale 6 cells compile, and 48 starts take as long as before.
    assert seconds_at_paper_scale(toys.study, {}, parameters, shard, 3.0, 2.0) == pytest.approx(6 * 2 + 1.0 / 2 * 6 * 8)
    assert seconds_at_paper_scale(toys.study, {}, parameters, shard, 3.0, 9.0) == pytest.approx(6 * 3)


def test_compiling_is_noticed():
    before = compiling.seconds()
    jax.jit(lambda x: jnp.sin(x) + 0.123)(jnp.ones(7)).block_until_ready()
    assert compiling.seconds() > before


@pytest.mark.parametrize("scale", ["quick", "paper"])
def test_it_is_told_once_and_only_when_something_is_left_to_compute(tmp_path, scale):
    listener = Listener()
    run(toys.study, tmp_path, scale=scale, observer=listener)
    ((seconds, parallel),) = listener.heard
    assert seconds > 0
    assert parallel == 1
    run(toys.study, tmp_path, scale=scale, observer=listener)
    assert len(listener.heard) == 1


def test_shards_are_counted():
    assert count_shards(toys.study, "quick") == len(shards_of(toys.study, toys.study.settings("quick"))) == 12
