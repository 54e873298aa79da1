"""Text as HTML: escaped, with exponents and indices where a formula writes them with ^ and _{…}."""

import re
from html import escape

_RAISED = re.compile(r"\^(?:\{([^{}]*)\}|([−-]?\w))")
_LOWERED = re.compile(r"_\{([^{}]*)\}")


def words(text: str) -> str:
    """Escaped text.

    >>> words("e^{−r}/r in R^d, a < b, c_{n+1}, snake_case")
    'e<sup>−r</sup>/r in R<sup>d</sup>, a &lt; b, c<sub>n+1</sub>, snake_case'
    """
    raised = _RAISED.sub(lambda found: f"<sup>{found[1] if found[1] is not None else found[2]}</sup>", escape(text))
    return _LOWERED.sub(r"<sub>\1</sub>", raised)
