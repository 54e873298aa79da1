"""References: the numbers that a paper prints, and where in a study's table the same quantity stands."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reference:
    """One printed number.

    Ours is the value in `column` of the row whose other columns are `where`. `low` and `high` name the columns with the
    ends of our error bar, if the table has them. `within` is the largest difference that counts as agreement; without
    it the two numbers are shown and not judged.
    """

    column: str
    where: Mapping[str, Any]
    value: float
    source: str = ""
    within: float | None = None
    low: str = "low"
    high: str = "high"


def grid(
    column: str,
    rows: tuple[str, Sequence[Any]],
    columns: tuple[str, Sequence[Any]],
    values: Sequence[Sequence[float]],
    *,
    source: str = "",
    within: float | None = None,
) -> tuple[Reference, ...]:
    """A printed table with a quantity's values over two parameters.

    >>> printed = grid("error", ("depth", [2, 3]), ("width", [5, 10]), [[0.0015, 0.0017], [0.0033, 0.0264]])
    >>> printed[-1].where, printed[-1].value
    ({'depth': 3, 'width': 10}, 0.0264)
    """
    return tuple(
        Reference(column, {rows[0]: down, columns[0]: across}, value, source=source, within=within)
        for down, line in zip(rows[1], values, strict=True)
        for across, value in zip(columns[1], line, strict=True)
    )


def compare(references: Iterable[Reference], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every printed number beside ours, as plain JSON; `ours` is `None` where the table has no such row.

    >>> rows = [{"k": 25, "probability": 0.52, "low": 0.50, "high": 0.54}]
    >>> (both,) = compare([Reference("probability", {"k": 25}, 0.5, within=0.04)], rows)
    >>> both["ours"], both["low"], both["agrees"]
    (0.52, 0.5, True)
    """
    return [_beside(reference, rows) for reference in references]


def _beside(reference: Reference, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    row = _row(reference, rows)
    ours = row.get(reference.column)
    return {
        "source": reference.source,
        "column": reference.column,
        "where": dict(reference.where),
        "theirs": reference.value,
        "ours": ours,
        "low": row.get(reference.low),
        "high": row.get(reference.high),
        "within": reference.within,
        "agrees": _agrees(ours, reference),
    }


def _row(reference: Reference, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    found = [row for row in rows if all(_same(row.get(name), value) for name, value in reference.where.items())]
    if len(found) > 1:
        raise ValueError(f"{len(found)} rows are at {dict(reference.where)}, so no one value stands beside the paper's")
    return found[0] if found else {}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return isinstance(one, int | float) and isinstance(other, int | float) and math.isclose(one, other)
    return one == other


def _agrees(ours: Any, reference: Reference) -> bool | None:
    if reference.within is None or ours is None:
        return None
    return isinstance(ours, int | float) and abs(ours - reference.value) <= reference.within
