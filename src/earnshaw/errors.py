"""The one error a user of Earnshaw meets: a sentence that says what was wrong and what would be right."""

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping


class EarnshawError(ValueError):
    """Bad input, said in one sentence. The command line prints it and exits with code 2."""


def unknown_name(kind: str, name: object, known: Iterable[str]) -> EarnshawError:
    """The error for a name that is not in a list, with the nearest names that are.

    >>> str(unknown_name("activation", "rellu", ["relu", "tanh"]))
    "unknown activation 'rellu'; did you mean 'relu'?"
    """
    names = sorted(known)
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if close:
        hint = "did you mean " + " or ".join(repr(c) for c in close) + "?"
    else:
        hint = "known: " + (", ".join(names) or "none")
    return EarnshawError(f"unknown {kind} {str(name)!r}; {hint}")


def check_settings(kind: str, name: str, maker: Callable, settings: Mapping[str, object]) -> None:
    """Refuse settings that `maker` does not have, and the lack of those that it must have.

    >>> check_settings("potential", "gaussian", lambda c=1.0: c, {"c": 2.0})
    """
    parameters = inspect.signature(maker).parameters
    for setting in settings:
        if setting not in parameters:
            raise unknown_name(f"setting of the {kind} {name!r}", setting, parameters)
    by_name = [p for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    missing = [p.name for p in by_name if p.default is p.empty and p.name not in settings]
    if missing:
        raise EarnshawError(f"the {kind} {name!r} needs a value for {' and '.join(missing)}")
