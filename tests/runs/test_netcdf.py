"""Our reader of shards against xarray's."""

import io
import pickle

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import toys
from earnshaw.runs import run
from earnshaw.runs.netcdf import decode, encode

DIMENSIONS = {"start": 3, "axis": 2, "step": 4}
KINDS = st.sampled_from([np.float64, np.float32, np.int64, np.int8, np.uint16, np.bool_, "U3", "M8[ns]", "m8[ns]"])
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["long_name", "legend", "flag_values", "count"]),
    st.sampled_from(["σ", "loss of a start", 3, 0.5, [1, 2]]),
)


@st.composite
def variables(draw):
    names = draw(st.lists(st.sampled_from(sorted(DIMENSIONS)), unique=True))
    shape = tuple(DIMENSIONS[name] for name in names)
    kind = np.dtype(draw(KINDS))
    if kind.kind == "U":
        values = np.array(draw(st.lists(st.text("aσ ", max_size=3), min_size=24, max_size=24)))[: int(np.prod(shape))]
        values = values.reshape(shape)
    elif kind.kind in "mM":
        values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(kind)
    else:
        values = draw(arrays.arrays(kind, shape))
    return xr.Variable(names, values, draw(ATTRIBUTES))


@st.composite
def datasets(draw):
    data = draw(st.dictionaries(st.sampled_from(["loss", "outcome", "kind", "params"]), variables(), min_size=1))
    dataset = xr.Dataset(data, attrs=draw(ATTRIBUTES))
    if draw(st.booleans()) and "step" in dataset.dims:
        dataset = dataset.assign_coords(step=("step", [1, 2, 4, 8], {"units": "1"}))
    if draw(st.booleans()) and "start" in dataset.dims:
        dataset = dataset.assign_coords(label=("start", ["a", "b", "c"]))
    return dataset


@given(datasets())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_it_reads_what_xarray_reads(dataset):
    content = encode(dataset)
    assert content == encode(dataset)
    mine = decode(content)
    theirs = xr.load_dataset(io.BytesIO(content), engine="h5netcdf")
    xr.testing.assert_identical(mine, theirs)
    for name, variable in theirs.variables.items():
        if variable.dtype != object:
            assert mine[name].dtype == variable.dtype
    # What was read is stored again with the same bits.
    assert encode(decode(encode(mine))) == encode(mine)


def test_empty_dimensions_and_the_attributes_of_a_shard():
    dataset = xr.Dataset({"x": ("start", np.zeros(0)), "y": 3}, attrs={"shard": '{"d": 2} #0', "seconds": 0.25})
    xr.testing.assert_identical(decode(encode(dataset)), dataset)


@pytest.mark.parametrize("content", [b"", b"not a file", encode(xr.Dataset({"x": 1.0}))[:200]])
def test_what_is_no_file_is_an_error_and_no_crash(content):
    with pytest.raises((OSError, ValueError)):
        decode(content)


def test_reading_a_run_unpickles_nothing(tmp_path, monkeypatch):
    whole = run(toys.study, tmp_path)

    def refuse(*arguments, **settings):
        raise AssertionError("unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)
    xr.testing.assert_identical(run(toys.study, tmp_path).results, whole.results)
