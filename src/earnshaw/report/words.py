"""Text as HTML: escaped, with exponents and indices where a formula writes them with ^ and _{…}."""

import re
from html import escape

_RAISED = re.compile(r"\^(?:\{([^{}]*)\}|([−-]?\w))")
_LOWERED = re.compile(r"_\{([^{}]*)\}")


_SUPERSCRIPTS = dict(zip("0123456789−-dkmn", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻ᵈᵏᵐⁿ", strict=True))


def simple(text: str) -> str:
    """Text for where there are no elements: exponents become the characters for them, if there are any.

    >>> simple("in R^d, r^{2−d}, x^y")
    'in Rᵈ, r²⁻ᵈ, x^y'
    """
    return _RAISED.sub(_superscript, text)


def _superscript(found: re.Match[str]) -> str:
    raised = found[1] or found[2] or ""
    return "".join(_SUPERSCRIPTS[c] for c in raised) if raised and set(raised) <= set(_SUPERSCRIPTS) else found[0]


def words(text: str) -> str:
    """Escaped text.

    >>> words("e^{−r}/r in R^d, a < b, c_{n+1}, snake_case")
    'e<sup>−r</sup>/r in R<sup>d</sup>, a &lt; b, c<sub>n+1</sub>, snake_case'
    """
    raised = _RAISED.sub(lambda found: f"<sup>{found[1] if found[1] is not None else found[2]}</sup>", escape(text))
    return _LOWERED.sub(r"<sub>\1</sub>", raised)
