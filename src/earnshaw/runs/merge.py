"""Joining shards into the results of a study: pieces along the cell's own dimension, cells along `cell`."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.runs.shards import Shard
from earnshaw.studies.study import Study

CELL = "cell"


def merge(study: Study, pieces: Iterable[tuple[Shard, xr.Dataset]]) -> xr.Dataset:
    """The results of a study from all its shards, in any order.

    The dimension `cell` comes first; what a cell is called (`potential`, `d`, …) are coordinates along it. Where cells
    differ in length the shorter are padded: with NaN (which makes integers and booleans floats), with NaT, or with the
    empty string. The attribute `starts` counts the starts of all shards, a shard without the dimension `start` as one.
    """
    ordered = sorted(pieces, key=lambda piece: piece[0].index)
    cells = [shard.cell for shard, _ in ordered if shard.number == 0]
    grouped: list[list[xr.Dataset]] = [[] for _ in cells]
    for shard, dataset in ordered:
        grouped[shard.row].append(dataset)
    joined = [_join_pieces(study, group) for group in grouped]
    merged = xr.Dataset(_stacked(study, joined), attrs={"starts": sum(_starts(dataset) for _, dataset in ordered)})
    return _with_cell_names(study, merged, cells)


def _starts(dataset: xr.Dataset) -> int:
    return int(dataset.sizes.get("start", 1))


def _join_pieces(study: Study, group: Sequence[xr.Dataset]) -> xr.Dataset:
    if len(group) == 1:
        return group[0]
    dimension = study.shard_dimension
    if any(dimension not in dataset.dims for dataset in group):
        raise EarnshawError(
            f"study {study.name} has several shards in a cell, so each needs the dimension {dimension!r}"
        )
    # Variables without the dimension are the same in every piece of a cell; the first piece's are kept.
    return xr.concat(group, dim=dimension, data_vars="minimal", coords="minimal", compat="override", join="override")


def _stacked(study: Study, joined: Sequence[xr.Dataset]) -> dict[Any, xr.Variable]:
    """Every variable of the cells along the new first dimension `cell`; values along other dimensions are shared."""
    names = list(dict.fromkeys(name for dataset in joined for name in dataset.variables))
    stacked: dict[Any, xr.Variable] = {}
    for name in names:
        versions = [dataset.variables.get(name) for dataset in joined]
        present = [version for version in versions if version is not None]
        if len({version.dims for version in present}) > 1:
            raise EarnshawError(f"variable {name!r} of study {study.name} has other dimensions in another cell")
        if present[0].dims == (name,):
            stacked[name] = _shared_axis(study, name, present)
        else:
            stacked[name] = _stack(versions, present)
    return stacked


def _shared_axis(study: Study, name: Any, axes: Sequence[xr.Variable]) -> xr.Variable:
    """The values along a dimension, the same for every cell as far as each goes."""
    longest = max(axes, key=lambda axis: axis.size)
    if any(not np.array_equal(axis.values, longest.values[: axis.size]) for axis in axes):
        raise EarnshawError(
            f"the cells of study {study.name} disagree on the values along {name!r}; "
            "let them be a variable of another name"
        )
    return longest.to_base_variable()


def _stack(versions: Sequence[xr.Variable | None], present: Sequence[xr.Variable]) -> xr.Variable:
    shape = tuple(max(sizes) for sizes in zip(*(version.shape for version in present), strict=True))
    dtype = np.result_type(*(version.dtype for version in present))
    ragged = any(version is None or version.shape != shape for version in versions)
    if ragged and dtype.kind in "iub":
        dtype = np.dtype(np.float64)
    stacked = np.full((len(versions), *shape), _missing(dtype) if ragged else np.zeros((), dtype), dtype=dtype)
    for row, version in enumerate(versions):
        if version is not None:
            stacked[(row, *(slice(size) for size in version.shape))] = version.values
    return xr.Variable((CELL, *present[0].dims), stacked, attrs=present[0].attrs)


def _missing(dtype: np.dtype) -> Any:
    if dtype.kind in "fc":
        return np.nan
    if dtype.kind in "mM":
        return np.array("NaT", dtype=dtype)
    return ""


def _with_cell_names(study: Study, merged: xr.Dataset, cells: Sequence[dict[str, Any]]) -> xr.Dataset:
    for name in cells[0]:
        if name in merged.variables or name in merged.dims:
            raise EarnshawError(f"study {study.name} calls both a cell's coordinate and a variable {name!r}")
        merged = merged.assign_coords({name: (CELL, np.array([cell[name] for cell in cells]))})
    return merged
