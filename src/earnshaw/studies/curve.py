"""Curves: the numbers behind a figure, for a page where they can be hovered and zoomed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from earnshaw.plain import plain

_AXES = ("xlabel", "ylabel", "xlog", "ylog")


@dataclass(frozen=True)
class Curve:
    """One line of a chart, or separate points where `points` is true.

    `low` and `high`, if given, are the ends of the error bar at every point. Curves with the same `chart` (its title)
    are drawn together; they must agree on their axes. Values that are not finite are gaps.

    >>> Curve("loss", x=[0, 1, 2], y=[1.0, 0.1, 0.01], xlabel="step", ylog=True).name
    'loss'
    """

    name: str
    x: Any
    y: Any
    low: Any = None
    high: Any = None
    chart: str = ""
    xlabel: str = ""
    ylabel: str = ""
    xlog: bool = False
    ylog: bool = False
    points: bool = False

    def __post_init__(self):
        if (self.low is None) != (self.high is None):
            raise ValueError(f"curve {self.name} needs both ends of its error bar, or none")
        given = [values for values in (self.x, self.y, self.low, self.high) if values is not None]
        if len({len(values) for values in given}) != 1:
            raise ValueError(f"curve {self.name} needs as many values of x as of y and of its error bar")


def charts(curves: Iterable[Curve]) -> list[dict[str, Any]]:
    """Curves grouped by their chart, as plain JSON.

    >>> [(chart["title"], len(chart["curves"])) for chart in charts([Curve("a", [0], [1]), Curve("b", [0], [2])])]
    [('', 2)]
    """
    grouped: dict[str, list[Curve]] = {}
    for curve in curves:
        grouped.setdefault(curve.chart, []).append(curve)
    return [_chart(title, together) for title, together in grouped.items()]


def _chart(title: str, curves: list[Curve]) -> dict[str, Any]:
    axes = {name: getattr(curves[0], name) for name in _AXES}
    for curve in curves:
        if any(getattr(curve, name) != value for name, value in axes.items()):
            raise ValueError(f"curve {curve.name} has other axes than {curves[0].name}; give it another chart")
    drawn = [
        {name: plain(getattr(curve, name)) for name in ("name", "x", "y", "low", "high", "points")} for curve in curves
    ]
    return {"title": title, **axes, "curves": drawn}
