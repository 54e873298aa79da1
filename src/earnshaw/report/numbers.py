"""Numbers as a reader wants them: four digits, a true minus, powers of ten; the exact value stays in the page."""

import math
from html import escape

_DIGITS = 4


def number(value: int | float) -> str:
    """A number as HTML.

    >>> number(0.123456789), number(-3), number(1.5e-12), number(12345.6)
    ('0.1235', '−3', '1.5 × 10<sup>−12</sup>', '12346')
    """
    if isinstance(value, int):
        return str(value).replace("-", "−")
    if not math.isfinite(value):
        return escape({"inf": "∞", "-inf": "−∞"}.get(str(value), "not a number"))
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        decimals = max(0, _DIGITS - 1 - math.floor(math.log10(abs(value))))
        text = f"{value:.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace("-", "−")
    mantissa, exponent = f"{value:.{_DIGITS - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    front = {"1": "", "-1": "−"}.get(mantissa, f"{mantissa} × ")
    return f"{front}10<sup>{int(exponent)}</sup>".replace("-", "−")


def duration(seconds: float | int) -> str:
    """A time as text.

    >>> duration(0.0421), duration(75), duration(7300)
    ('0.04 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "study", "studies"), counted(3, "verdict")
    ('1 study', '3 verdicts')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
