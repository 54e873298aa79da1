"""The one look of all figures: colour-blind safe, vector, legible at the width of one column."""

import base64
import io
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


class PaperFigure(Figure):
    """A Matplotlib figure that Jupyter shows as what is printed: vectors, in the style of the papers."""

    def _repr_html_(self) -> str:
        content = io.BytesIO()
        with paper():
            self.savefig(content, format="svg", metadata={"Date": None})
        data = base64.b64encode(content.getvalue()).decode()
        width, height = self.get_size_inches()
        # Twice the printed size, so that the text is as large as a notebook's.
        style = f"width: {2 * width:g}in; max-width: 100%; aspect-ratio: {width:g} / {height:g}"
        return f'<img alt="Figure" style="{style}" src="data:image/svg+xml;base64,{data}">'


def subplots(rows: int = 1, columns: int = 1, *, width: float = COLUMN, height: float = 2.4, **settings: Any):
    """A figure and its axes, without the global state of `pyplot`, so that a study's `figure` stays pure.

    >>> figure, axes = subplots(1, 2, width=PAGE)
    >>> figure.get_size_inches().tolist(), len(axes)
    ([7.0, 2.4], 2)
    """
    with paper():
        figure = PaperFigure(figsize=(width, height))
        return figure, figure.subplots(rows, columns, **settings)
