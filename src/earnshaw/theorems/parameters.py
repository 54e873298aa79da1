"""Overriding the parameters of a theorem or a study: names that exist, values of the right kind."""

from collections.abc import Mapping
from typing import Any

from earnshaw.errors import EarnshawError, unknown_name

_KINDS = {bool: "true or false", int: "an integer", float: "a number", str: "a name", list: "a list"}


def override(owner: str, defaults: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """`defaults` with `settings` put over them.

    A setting must exist and be of its default's kind: an integer passes for a number, a tuple for a list, and where
    the default is a name (of a potential or an activation, say) an object may be given in its place. A default of
    `None` accepts anything.

    >>> override("zps17-2.2", {"d": 3, "potential": "gaussian"}, {"d": 5})
    {'d': 5, 'potential': 'gaussian'}
    """
    merged = dict(defaults)
    for name, value in settings.items():
        if name not in defaults:
            if not defaults:
                raise EarnshawError(f"{owner} has no parameters, so {name!r} cannot be set")
            raise unknown_name(f"parameter of {owner}", name, defaults)
        merged[name] = _of_kind(owner, name, defaults[name], value)
    return merged


def _of_kind(owner: str, name: str, default: Any, value: Any) -> Any:
    value = _python_scalar(value)
    if default is None or _matches(default, value):
        return float(value) if isinstance(default, float) else value
    kind = next((text for kind, text in _KINDS.items() if isinstance(default, kind)), type(default).__name__)
    if isinstance(default, list | tuple) and isinstance(value, list | tuple):
        kind = f"a list like {list(default)}"
    raise EarnshawError(f"parameter {name!r} of {owner} must be {kind} (its default is {default!r}), not {value!r}")


def _matches(default: Any, value: Any) -> bool:
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, int):
        return isinstance(value, int)
    if isinstance(default, float):
        return isinstance(value, int | float)
    if isinstance(default, str):
        return not isinstance(value, int | float | list | tuple | dict | None)
    if isinstance(default, list | tuple):
        return isinstance(value, list | tuple) and (not default or all(_matches(default[0], item) for item in value))
    return isinstance(value, type(default))


def _python_scalar(value: Any) -> Any:
    """NumPy and JAX scalars as Python's own numbers; everything else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "dtype") and hasattr(value, "item")
    return value.item() if is_scalar else value
