"""Pieces of HTML: escaped text, values, tables, pictures."""

import base64
import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from earnshaw.report.collect import Picture


def element(tag: str, *children: str, **attributes: str) -> str:
    """An element; `children` are HTML already, attribute values are escaped. A trailing underscore is dropped.

    >>> element("p", "a &amp; b", class_="note")
    '<p class="note">a &amp; b</p>'
    """
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def value(thing: Any) -> str:
    """A plain value as HTML: short numbers, dicts and lists as compact JSON.

    >>> value(1 / 3), value("a<b"), value(None), value(True)
    ('0.333333', 'a&lt;b', '–', 'yes')
    """
    if thing is None or thing == "":
        return "–"
    if isinstance(thing, bool):
        return "yes" if thing else "no"
    if isinstance(thing, float):
        return f"{thing:.6g}"
    if isinstance(thing, dict):
        pairs = [element("dt", escape(str(name))) + element("dd", value(item)) for name, item in thing.items()]
        return element("dl", *pairs, class_="values")
    return escape(thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False))


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table that scrolls sideways in its own frame where the window is narrow; numbers are aligned to the right."""
    head = element("tr", *(element("th", escape(column), scope="col") for column in columns))
    body = [element("tr", *(_cell(cell) for cell in row)) for row in rows]
    drawn = element("table", element("caption", escape(caption)), element("thead", head), element("tbody", *body))
    return element("div", drawn, class_="scroll", role="region", aria_label=caption, tabindex="0")


def picture(image: Picture, description: str) -> str:
    """A picture that is part of the page itself."""
    data = base64.b64encode(image.content).decode()
    return f'<img src="data:{image.media_type};base64,{data}" alt="{escape(description)}">'


def _cell(cell: Any) -> str:
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    return element("td", value(cell), class_="number") if is_number else element("td", value(cell))
