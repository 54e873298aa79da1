from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import toys
from earnshaw.errors import EarnshawError
from earnshaw.runs.merge import merge
from earnshaw.runs.shards import Shard, key_of


def pieces(*datasets, shards=1):
    """Datasets as shards of cells called n = 0, 1, …"""
    return [
        (Shard(index, index // shards, index % shards, {"n": index // shards}), dataset)
        for index, dataset in enumerate(datasets)
    ]


@given(st.permutations(range(6)))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_the_order_of_completion_does_not_matter(order):
    draws = np.random.default_rng(0).normal(size=(6, 4))
    whole = pieces(*(xr.Dataset({"x": ("start", draw)}) for draw in draws), shards=2)
    merged = merge(toys.study, [whole[place] for place in order])
    xr.testing.assert_identical(merged, merge(toys.study, whole))
    np.testing.assert_array_equal(merged.x.values, draws.reshape(3, 8))
    assert merged.n.values.tolist() == [0, 1, 2]
    assert merged.attrs["starts"] == 24


def test_cells_of_one_length_keep_their_types():
    merged = merge(toys.study, pieces(*(xr.Dataset({"i": ("x", [1, n]), "b": n > 0, "s": "a" * n}) for n in range(3))))
    assert [merged[name].dtype.kind for name in "ibs"] == ["i", "b", "U"]
    assert merged.s.values.tolist() == ["", "a", "aa"]
    assert merged.attrs["starts"] == 3


def test_shorter_cells_are_padded_with_missing_values():
    long = xr.Dataset({"i": ("x", [1, 2, 3]), "s": ("x", ["a", "b", "c"]), "t": ("x", np.array([0, 1, 2], "M8[D]"))})
    merged = merge(toys.study, pieces(long.isel(x=[0]), long))
    np.testing.assert_array_equal(merged.i.values, [[1, np.nan, np.nan], [1, 2, 3]])
    assert merged.s.values.tolist() == [["a", "", ""], ["a", "b", "c"]]
    assert np.isnat(merged.t.values[0]).tolist() == [False, True, True]


def test_a_variable_that_only_some_cells_have_is_missing_in_the_others():
    merged = merge(toys.study, pieces(xr.Dataset({"x": 1.0}), xr.Dataset({"x": 2.0, "y": 3})))
    np.testing.assert_array_equal(merged.y.values, [np.nan, 3])


def test_an_axis_is_shared_as_far_as_it_goes():
    cells = [xr.Dataset({"x": ("step", np.ones(n))}, {"step": 10.0 * np.arange(n)}) for n in (2, 4)]
    assert merge(toys.study, pieces(*cells)).step.values.tolist() == [0, 10, 20, 30]


def test_units_survive():
    dataset = xr.Dataset({"x": ("start", [1.0], {"units": "1", "long_name": "loss"})})
    assert merge(toys.study, pieces(dataset, dataset)).x.attrs == {"units": "1", "long_name": "loss"}


def test_shards_along_another_dimension():
    study = replace(toys.study, shard_dimension="draw")
    merged = merge(study, pieces(*(xr.Dataset({"x": ("draw", [float(n)])}) for n in range(4)), shards=2))
    assert merged.x.values.tolist() == [[0, 1], [2, 3]]


def test_a_name_cannot_be_used_twice():
    with pytest.raises(EarnshawError, match="both a cell's coordinate and a variable 'n'"):
        merge(toys.study, pieces(xr.Dataset({"n": 1.0})))


def test_keys_differ_in_each_of_their_parts():
    one = Shard(0, 0, 0, {"d": 2, "kind": "a"})
    variations = [
        key_of("toy", 0, one),
        key_of("toy", 1, one),
        key_of("other", 0, one),
        key_of("toy", 0, replace(one, number=1)),
        key_of("toy", 0, replace(one, cell={"d": 3, "kind": "a"})),
    ]
    assert len({str(key) for key in variations}) == len(variations)
    moved = Shard(7, 3, 0, {"kind": "a", "d": 2})
    assert str(key_of("toy", 0, moved)) == str(variations[0])
