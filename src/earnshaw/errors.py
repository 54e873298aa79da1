"""The one error a user of Earnshaw meets: a sentence that says what was wrong and what would be right."""

import difflib
from collections.abc import Iterable


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
        hint = "known: " + ", ".join(names)
    return EarnshawError(f"unknown {kind} {str(name)!r}; {hint}")
