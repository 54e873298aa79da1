"""Pieces of HTML: escaped text, values, tables, pictures."""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from earnshaw.report.collect import Picture
from earnshaw.report.numbers import number
from earnshaw.report.words import words

MOST_ROWS = 1000
#: A table of more rows than this scrolls in a frame of its own height.
LONG = 30
_LONGEST = 2000
_PROSE = 60
_INFINITE = {"inf": "∞", "-inf": "−∞"}


@dataclass(frozen=True)
class Cell:
    """A table cell that is HTML already, with the number it is sorted by."""

    html: str
    sort: float | int | None = None


def element(tag: str, *children: str, **attributes: str) -> str:
    """An element; `children` are HTML already, attribute values are escaped. A trailing underscore is dropped.

    >>> element("p", "a &amp; b", class_="note")
    '<p class="note">a &amp; b</p>'
    """
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def value(thing: Any) -> str:
    """A plain value as HTML: short numbers, dicts as pairs, lists as compact JSON.

    >>> value(1 / 3), value("a<b"), value(None), value(True)
    ('0.3333', 'a&lt;b', '–', 'yes')
    """
    if thing is None or thing == "":
        return "–"
    if isinstance(thing, bool):
        return "yes" if thing else "no"
    if isinstance(thing, int | float):
        return number(thing)
    if isinstance(thing, dict):
        pairs = [element("dt", escape(str(name))) + element("dd", value(item)) for name, item in thing.items()]
        return element("dl", *pairs, class_="values") if pairs else "–"
    if isinstance(thing, list) and len(thing) <= 24 and all(_is_number(item) for item in thing):
        return ", ".join(number(item) for item in thing)
    text = _INFINITE.get(thing, thing) if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]} … ({len(text)} characters; the run's files have all of them)"
    return words(text)


def table(
    caption: str,
    columns: Sequence[str | Cell],
    rows: Iterable[Sequence[Any]],
    *,
    show_caption: bool = True,
    class_: str = "",
    label: str = "",
    named_rows: bool = False,
) -> str:
    """A table that scrolls sideways in its own frame where the window is narrow; numbers are aligned to the right.

    With `named_rows` the first cell of a row is its heading. `label` names the frame where the caption alone would not
    tell it from others on the page. What is longer than `MOST_ROWS` ends with a remark.
    """
    rows = list(rows)
    shown = rows[:MOST_ROWS]
    numeric = [_all_numbers([row[place] for row in rows]) for place in range(len(columns))]
    head = [
        element(
            "th",
            escape(name) if isinstance(name, str) else name.html,
            scope="col",
            **({"class": "number"} if right else {}),
        )
        for name, right in zip(columns, numeric, strict=True)
    ]
    body = []
    for row in shown:
        cells = [_cell(cell, heading=named_rows and place == 0, right=numeric[place]) for place, cell in enumerate(row)]
        body.append(element("tr", *cells))
    titled = element("caption", escape(caption), **({} if show_caption else {"class": "unseen"}))
    drawn = element("table", titled, element("thead", element("tr", *head)), element("tbody", *body))
    classes = " ".join(filter(None, ("scroll", "long" if len(shown) > LONG else "", class_)))
    frame = element("div", drawn, class_=classes, role="region", aria_label=label or caption, tabindex="0")
    if len(rows) > len(shown):
        frame += element("p", f"The first {len(shown)} of {len(rows)} rows; table.csv has them all.", class_="remark")
    return frame


def picture(image: Picture, description: str) -> str:
    """A picture that is part of the page itself."""
    data = base64.b64encode(image.content).decode()
    return f'<img src="data:{image.media_type};base64,{data}" alt="{escape(description)}">'


def paragraph(text: str, class_: str = "") -> str:
    """A paragraph of plain text."""
    return element("p", words(text), **({"class": class_} if class_ else {}))


def slug(text: str) -> str:
    """Text as part of an id: whatever a name may contain, the id is a plain one.

    >>> slug("dual-table"), slug("a <b>")
    ('dual-table', 'a--b-')
    """
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in text)


def _cell(cell: Any, *, heading: bool, right: bool) -> str:
    html = cell.html if isinstance(cell, Cell) else value(cell)
    sort = cell.sort if isinstance(cell, Cell) else _order(cell)
    attributes = {"class": "number"} if right or sort is not None else {}
    if isinstance(cell, str) and len(cell) > _PROSE:
        attributes = {"class": "prose"}
    if sort is not None:
        attributes["data-value"] = repr(sort)
    if heading:
        return element("th", html, scope="row", **attributes)
    return element("td", html, **attributes)


def _order(cell: Any) -> float | int | None:
    if _is_number(cell):
        return cell
    return {"inf": float("inf"), "-inf": float("-inf")}.get(cell) if isinstance(cell, str) else None


def _is_number(thing: Any) -> bool:
    return isinstance(thing, int | float) and not isinstance(thing, bool)


def _all_numbers(cells: Sequence[Any]) -> bool:
    sorts = [cell.sort if isinstance(cell, Cell) else _order(cell) for cell in cells if cell not in (None, "")]
    return bool(sorts) and all(sort is not None for sort in sorts)
