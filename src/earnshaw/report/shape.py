"""What the files of a run must look like, so that a damaged one is told apart before a page is half written."""

from typing import Any

from earnshaw.theorems.verdict import WORDS

# A type or a tuple of them, a list with the one shape of its items, a dict of the names that must be there, or a set of
# the values that are allowed.
_NUMBER = (int, float)
MANIFEST = {
    "format": int,
    "study": str,
    "artefact": str,
    "question": str,
    "scale": str,
    "seed": int,
    "settings": dict,
    "parameters": dict,
    "versions": dict,
    "platform": dict,
}
SUMMARY = {"rows": [dict], "starts": int, "seconds": _NUMBER, "computing_seconds": _NUMBER}
VERDICTS = [{"theorem": str, "verdict": set(WORDS), "hypotheses": [{"text": str, "met": bool}]}]
COMPARISONS = [{"column": str, "where": dict, "source": str, "theirs": _NUMBER}]
CHARTS = [{"title": str, "xlabel": str, "ylabel": str, "curves": [{"name": str, "x": list, "y": list}]}]


def misfit(content: Any, shape: Any, name: str = "it") -> str | None:
    """Where `content` has not the given shape, in a few words; `None` if it has.

    >>> misfit({"study": 3}, {"study": str})
    "'study' is not what it should be"
    >>> misfit([{}], [{"study": str}])
    "'study' is missing"
    """
    if shape is None:
        return None
    if isinstance(shape, dict):
        if not isinstance(content, dict):
            return f"{name} is not what it should be"
        missing = next((key for key in shape if key not in content), None)
        if missing is not None:
            return f"{missing!r} is missing"
        return _first(misfit(content[key], inner, repr(key)) for key, inner in shape.items())
    if isinstance(shape, list):
        if not isinstance(content, list):
            return f"{name} is not what it should be"
        return _first(misfit(item, shape[0], name) for item in content)
    fits = content in shape if isinstance(shape, set) and isinstance(content, str) else _is(content, shape)
    return None if fits else f"{name} is not what it should be"


def _is(content: Any, shape: Any) -> bool:
    if isinstance(shape, set) or (isinstance(content, bool) and shape is not bool):
        return False
    return isinstance(content, shape)


def _first(found: Any) -> str | None:
    return next((wrong for wrong in found if wrong), None)
