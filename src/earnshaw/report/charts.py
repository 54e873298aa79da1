"""Charts for hovering: their numbers as JSON in the page, thinned to what a screen can show."""

import json
import math
from collections.abc import Sequence
from typing import Any

from earnshaw.report.parts import element
from earnshaw.report.words import simple

MOST_POINTS = 1200
LEAST_POINTS = 60
#: What all charts of a page may weigh together, in numbers of some nine bytes each.
MOST_NUMBERS = 220_000


def charts(drawn: Sequence[dict[str, Any]], name: str, of: int = 1) -> str:
    """Places for the charts of a study, unseen until the page's script fills them; it is one of so many on its page."""
    if not drawn:
        return ""
    most = points_for_each(drawn, of)
    places = [_chart(chart, f"{name}:chart{place}", name, most) for place, chart in enumerate(drawn, 1)]
    return element(
        "div", element("p", "The curves, to hover and zoom", class_="over"), *places, class_="charts", hidden=""
    )


def points_for_each(drawn: Sequence[dict[str, Any]], of: int) -> int:
    """How many points a curve may have, so that the page stays one that can be sent."""
    axes = sum(len(_axes(curve)) for chart in drawn for curve in chart["curves"])
    return max(LEAST_POINTS, min(MOST_POINTS, MOST_NUMBERS // max(1, of * axes)))


def _chart(chart: dict[str, Any], identity: str, name: str, most: int) -> str:
    thinned = {**chart, **{name: simple(chart[name]) for name in ("title", "xlabel", "ylabel")}}
    thinned["curves"] = [{**thin(curve, most), "name": simple(curve["name"])} for curve in chart["curves"]]
    data = f'<script type="application/json">{embedded(thinned)}</script>'
    label = f"Chart of {name}" + (f": {chart['title']}" if chart["title"] else "")
    return element("div", data, class_="chart", id=identity, data_label=label)


def embedded(data: Any) -> str:
    r"""JSON that no text in it can break out of its script element.

    >>> embedded({"name": "</script><!--"})
    '{"name":"\\u003c/script\\u003e\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def thin(curve: dict[str, Any], most: int = MOST_POINTS) -> dict[str, Any]:
    """A curve with at most `most` points: the lowest and the highest of each stretch, so no spike is lost."""
    count = len(curve["x"])
    if count <= most:
        return {**curve, **{axis: _short(curve[axis]) for axis in _axes(curve)}}
    stretches = (most - 2) // 2
    kept = {0, count - 1}
    for stretch in range(stretches):
        places = range(stretch * count // stretches, (stretch + 1) * count // stretches)
        known = [place for place in places if isinstance(curve["y"][place], int | float)]
        kept |= {pick(known, key=lambda place: curve["y"][place]) for pick in (min, max) if known}
    return {**curve, **{axis: _short([curve[axis][place] for place in sorted(kept)]) for axis in _axes(curve)}}


def _axes(curve: dict[str, Any]) -> list[str]:
    return [axis for axis in ("x", "y", "low", "high") if curve.get(axis) is not None]


def _short(values: list[Any]) -> list[Any]:
    """Seven digits are more than a screen shows; what is no number is a gap."""
    return [
        float(f"{item:.7g}") if isinstance(item, float) and math.isfinite(item) else _whole(item) for item in values
    ]


def _whole(item: Any) -> int | None:
    return item if isinstance(item, int) and not isinstance(item, bool) else None
