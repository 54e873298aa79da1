"""Datasets as the bytes of NetCDF files and back; reading runs no code that is in a file.

Reading ten thousand small files through xarray takes minutes, nearly all of it spent in layers that look after cases
which a shard does not have. What a shard has (numbers, truth values and strings) is read here with h5py alone, and a
file with anything else (dates, complex numbers, groups) is left to xarray.
"""

import io
from typing import Any

import h5py
import numpy as np
import xarray as xr
from xarray.backends import H5NetCDFStore

_NEVER_READ = frozenset(["CLASS", "DIMENSION_LIST", "REFERENCE_LIST", "_NCProperties", "_nc3_strict"])
_LEFT_TO_XARRAY = frozenset(
    ["scale_factor", "add_offset", "missing_value", "calendar", "units_metadata", "_Unsigned", "bounds"]
)
#: The title of a dimension without values.
_PLACEHOLDER = b"This is a netCDF dimension but not a netCDF variable."


def encode(dataset: xr.Dataset) -> bytes:
    """A dataset as the bytes of a NetCDF file, the same for the same dataset on every day."""
    content = io.BytesIO()
    # Without a lock of its own: within a Dask worker xarray would ask the scheduler for one.
    file = H5NetCDFStore.open(content, mode="w", format="NETCDF4", lock=False)
    dataset.dump_to_store(file)
    file.close()
    return content.getvalue()


def decode(content: bytes) -> xr.Dataset:
    """The dataset that `encode` wrote; strings come back as NumPy's own.

    >>> import xarray as xr
    >>> before = xr.Dataset({"loss": ("start", [1.0, 2.0]), "kind": "relu"}, attrs={"shard": "{} #0"})
    >>> decode(encode(before)).identical(before)
    True
    """
    if not content:
        raise OSError("an empty file is no NetCDF file")
    with h5py.File.in_memory(content) as file:
        try:
            return _read(file)
        except _Unusual:
            pass
    return xr.load_dataset(io.BytesIO(content), engine="h5netcdf")


class _Unusual(Exception):
    """Something that only xarray knows how to read."""


def _read(file: Any) -> xr.Dataset:
    scales: dict[int, str] = {}
    found: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name, item in file.items():
        if not isinstance(item, h5py.Dataset):
            raise _Unusual
        # Every attribute costs a good part of a file's time, so each is read once and only if somebody needs it.
        attributes: dict[str, Any] = {key: item.attrs[key] for key in item.attrs if key not in _NEVER_READ}
        number = attributes.pop("_Netcdf4Dimid", None)
        title = attributes.pop("NAME", None)
        if title is not None and number is not None:
            scales[int(number)] = name
            if bytes(title).startswith(_PLACEHOLDER):
                continue
        found[name] = (item, attributes)
    variables: dict[str, xr.Variable] = {}
    coordinates: set[str] = set(scales.values()) & set(found)
    for name, (item, attributes) in found.items():
        coordinates |= set(str(attributes.pop("coordinates", "")).split())
        variables[name] = _variable(name, item, attributes, scales)
    everywhere: dict[str, Any] = {key: _attribute(value) for key, value in file.attrs.items() if key not in _NEVER_READ}
    coordinates |= set(str(everywhere.pop("coordinates", "")).split())
    return xr.Dataset(variables, attrs=everywhere).set_coords(sorted(coordinates))


def _variable(name: str, item: Any, attributes: dict[str, Any], scales: dict[int, str]) -> xr.Variable:
    attributes = {key: _attribute(value) for key, value in attributes.items()}
    dimensions = _dimensions(name, item, attributes.pop("_Netcdf4Coordinates", None), scales)
    if not _LEFT_TO_XARRAY.isdisjoint(attributes) or _is_time(attributes):
        raise _Unusual
    dtype = item.dtype
    fill = attributes.pop("_FillValue", None)
    if fill is not None and not (dtype.kind == "f" and np.isnan(fill)):
        raise _Unusual
    stored = attributes.pop("dtype", None)
    values = item[()]
    if dtype.kind == "O" and h5py.check_string_dtype(dtype) is not None and stored is None:
        values = _strings(values)
    elif stored == "bool":
        values = np.asarray(values, dtype=bool)
    elif dtype.kind not in "fiu" or stored is not None:
        raise _Unusual
    return xr.Variable(dimensions, values, attributes)


def _dimensions(name: str, item: Any, numbers: Any, scales: dict[int, str]) -> tuple[str, ...]:
    rank = len(item.shape)
    if rank == 0:
        return ()
    if numbers is not None and np.size(numbers) == rank:
        return tuple(scales[int(number)] for number in np.atleast_1d(numbers))
    if rank == 1 and name in scales.values():
        return (name,)
    raise _Unusual


def _is_time(attributes: dict[str, Any]) -> bool:
    units = attributes.get("units")
    return isinstance(units, str) and (" since " in units or "dtype" in attributes)


def _strings(values: Any) -> np.ndarray:
    def text(value: Any) -> str:
        return value.decode() if isinstance(value, bytes) else value

    array = np.asarray(values, dtype=object)
    return np.array([text(value) for value in array.ravel()], dtype=str).reshape(array.shape)


def _attribute(value: Any) -> Any:
    """An attribute as xarray gives it: one number instead of a list of one."""
    if isinstance(value, np.ndarray) and value.shape == (1,):
        return value[0]
    if isinstance(value, bytes):
        return value.decode()
    return value
