"""Reading `--set NAME=VALUE`: numbers, true and false, names, and lists of these. Nothing is evaluated."""

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

from earnshaw.errors import EarnshawError

_WORDS = {"true": True, "false": False, "none": None, "null": None}
_LARGEST = 2**63 - 1


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """All settings of a command line.

    >>> parse_settings(["d=5", "step=1e-3", "potential=gaussian", "fixed=false", "widths=5,10", "ks=[1, 2]"])
    {'d': 5, 'step': 0.001, 'potential': 'gaussian', 'fixed': False, 'widths': [5, 10], 'ks': [1, 2]}
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise EarnshawError(f"--set needs NAME=VALUE, such as d=5, not {text!r}")
        if name in settings:
            raise EarnshawError(f"--set gives {name!r} twice")
        settings[name] = parse_value(name, value.strip())
    return settings


def parse_value(name: str, text: str) -> Any:
    """One value; anything that is not a number, a truth value or a list is a name.

    >>> parse_value("d", "3"), parse_value("d", "3."), parse_value("d", "three")
    (3, 3.0, 'three')
    """
    if text.startswith(("[", "{", '"')):
        return _json(name, text)
    if "," in text:
        parts = text.removesuffix(",").split(",")
        return [_scalar(name, part.strip()) for part in parts]
    return _scalar(name, text)


def _scalar(name: str, text: str) -> Any:
    if not text:
        raise EarnshawError(f"--set gives no value for {name!r}")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return _finite(name, text, kind(text))
        except ValueError as error:
            if isinstance(error, EarnshawError):
                raise
    return text


def _json(name: str, text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=lambda constant: _refuse(name, constant))
    except EarnshawError:
        raise
    except (ValueError, RecursionError):
        raise EarnshawError(f"--set {name}: {text!r} is not a list that JSON can read, such as [1, 2]") from None
    return _looked_over(name, text, value)


def _looked_over(name: str, text: str, value: Any) -> Any:
    if isinstance(value, dict):
        raise EarnshawError(f"--set {name} takes a number, true or false, a name or a list of these, not {text!r}")
    if isinstance(value, list):
        return [_looked_over(name, text, item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _finite(name, text, value)
    return value


def _finite(name: str, text: str, number: int | float) -> int | float:
    if isinstance(number, float) and not math.isfinite(number):
        _refuse(name, text)
    if isinstance(number, int) and abs(number) > _LARGEST:
        raise EarnshawError(f"--set {name}: {text!r} does not fit in 64 bits")
    return number


def _refuse(name: str, text: str) -> NoReturn:
    raise EarnshawError(f"--set {name} needs a finite number, not {text!r}")
