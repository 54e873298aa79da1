"""The one look of all figures: colour-blind safe, vector, legible at the width of one column."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

COLUMN = 3.4
PAGE = 7.0

_STYLE_FILE = Path(__file__).with_name("earnshaw.mplstyle")


@contextmanager
def paper() -> Iterator[None]:
    """Draw and save in the style of the papers; Matplotlib's settings are as before afterwards."""
    with matplotlib.rc_context(fname=_STYLE_FILE):
        yield


def subplots(rows: int = 1, columns: int = 1, *, width: float = COLUMN, height: float = 2.4, **settings: Any):
    """A figure and its axes, without the global state of `pyplot`, so that a study's `figure` stays pure.

    >>> figure, axes = subplots(1, 2, width=PAGE)
    >>> figure.get_size_inches().tolist(), len(axes)
    ([7.0, 2.4], 2)
    """
    with paper():
        figure = Figure(figsize=(width, height))
        return figure, figure.subplots(rows, columns, **settings)
