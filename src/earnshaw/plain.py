"""Any value as plain JSON: what verdicts, tables and manifests are written with."""

import math
from collections.abc import Mapping
from typing import Any


def plain(value: object) -> Any:
    """`value` as something strict JSON can hold: dicts, lists, strings, numbers, booleans and `None`.

    NumPy and JAX scalars and arrays become numbers and nested lists (by their own `tolist`, so nothing numeric is
    imported here). JSON has no NaN and no infinity: NaN becomes `None`, the infinities the strings `"inf"` and
    `"-inf"`. Complex numbers become `{"re", "im"}`; what has no plain form is written as its `str`.

    >>> plain({"r": (1.0, float("nan"), float("inf")), 3: 1 + 2j})
    {'r': [1.0, None, 'inf'], '3': {'re': 1.0, 'im': 2.0}}
    """
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _plain_float(float(value))
    if isinstance(value, complex):
        return {"re": _plain_float(value.real), "im": _plain_float(value.imag)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return [plain(item) for item in sorted(value, key=str)]
    if hasattr(value, "tolist"):
        return _plain_array(value)
    return str(value)


def _plain_float(number: float) -> float | str | None:
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def _plain_array(array: Any) -> Any:
    listed = array.tolist()
    # An extension type (a NumPy `longdouble`, a random key) may hand itself back: its text is then all that is plain.
    return str(array) if type(listed) is type(array) else plain(listed)
