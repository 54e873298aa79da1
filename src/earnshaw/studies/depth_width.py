"""Errors of deep students over depth and width: prsz18 Table 2 and Figure 2, zps17 Table 2.

The papers draw teacher and student with N(0, 1) weights and inputs from a Gaussian, and descend with steps of about
10⁻⁵ for 10⁶ iterations. They leave out the dimension d, the number n of examples, whether a loss is a sum or a mean,
how many networks an entry stands for, and which sigmoid goes from −1 to 1. Ours: d = 3, n = 1000, the sum, 10 pairs,
tanh.

The sum, because steps of 10⁻⁵ on a mean would have come to a flow time of 10 after 10⁶ iterations, when depth 2 is not
learned. The dimension matters: in higher ones the same examples say less about a wide network, also at depth 2. With
the other sigmoid, `--set slope=0.5`, deep narrow teachers are nearly constant, and at width 5 the error can fall with
depth.

The quick scale is another experiment of the same kind: fewer and shallower networks, fewer examples, and a fiftieth of
the flow time in larger steps. The paper's scale takes days of one core. All of it is computed in float32.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from earnshaw.studies import deep_networks, style
from earnshaw.studies.curve import Curve
from earnshaw.studies.reference import grid
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.verdict import Verdict

DEPTHS, WIDTHS = (2, 3, 5, 9, 17), (5, 10, 20, 40)
PRINTED = (
    (0.0015, 0.0017, 0.0018, 0.0019),
    (0.0033, 0.0264, 0.1503, 0.2362),
    (0.0036, 0.0579, 0.2400, 0.4397),
    (0.0085, 0.1662, 0.4171, 0.6071),
    (0.0845, 0.3862, 0.4934, 0.5777),
)
SOURCE = "prsz18 Table 2"


def _cells(parameters: Parameters) -> Sequence[Cell]:
    return [{"depth": depth, "width": width} for depth in parameters["depths"] for width in parameters["widths"]]


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for place in range(results.sizes["cell"]):
        one = results.isel(cell=place)
        rows.append({"depth": int(one["depth"]), "width": int(one["width"]), **deep_networks.summary(one)})
    return rows


def _final(results: xr.Dataset) -> dict[tuple[int, int], np.ndarray]:
    """The last test error of every start, for each depth and width."""
    last = results["test_error"].values[:, :, -1]
    return dict(zip(zip(_whole(results, "depth"), _whole(results, "width"), strict=True), last, strict=True))


def _whole(results: xr.Dataset, name: str) -> list[int]:
    return [int(value) for value in results[name].values]


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """Depth 2 is learned at every width; elsewhere errors grow along every row and every column of the table."""
    final = _final(results)
    depths, widths = sorted({depth for depth, _ in final}), sorted({width for _, width in final})
    threshold = float(results["learned"].values.flat[0])
    verdicts = []
    for width in widths if 2 in depths else ():
        what = f"depth 2 is learned at width {width}"
        verdicts.append(deep_networks.below(SOURCE, what, final[2, width], threshold))
    for width in widths:
        errors = np.stack([final[depth, width] for depth in depths])
        what = f"the error grows with depth at width {width}"
        verdicts.append(deep_networks.growth(SOURCE, what, depths, errors, _printed_growth(width=width)))
    for depth in depths:
        if depth > 2:
            errors = np.stack([final[depth, width] for width in widths])
            what = f"the error grows with width at depth {depth}"
            verdicts.append(deep_networks.growth(SOURCE, what, widths, errors, _printed_growth(depth=depth)))
    return verdicts


def _printed_growth(depth: int | None = None, width: int | None = None) -> str:
    """The claim, and the exponent that the printed row or column has, if there is one."""
    if width in WIDTHS:
        sizes, printed = DEPTHS, np.array(PRINTED)[:, WIDTHS.index(width)]
    elif depth in DEPTHS:
        sizes, printed = WIDTHS, np.array(PRINTED)[DEPTHS.index(depth)]
    else:
        return "an exponent above 0"
    slope = np.polyfit(np.log(sizes), np.log(printed), 1)[0]
    return f"an exponent above 0 (the printed numbers have {slope:.2f})"


def _compute(cell: Cell, key: Any, parameters: Parameters) -> xr.Dataset:
    return deep_networks.compute(cell, key, parameters).assign(learned=parameters["learned"])


def _figure(results: xr.Dataset) -> Any:
    """Error against width for every depth, ours and theirs, and along the iterations at the largest width."""
    rows = _rows(results)
    depths = sorted({row["depth"] for row in rows})
    with style.paper():
        figure, (left, right) = style.subplots(1, 2, width=style.PAGE, height=2.9)
        for number, depth in enumerate(depths):
            colour = f"C{number}"
            own = [row for row in rows if row["depth"] == depth]
            widths, means = [row["width"] for row in own], np.array([row["test_error"] for row in own])
            # The interval of a mean may reach below 0, where a logarithmic axis has no place for it.
            below = np.maximum(means - [row["low"] for row in own], 0)
            bars = [np.minimum(below, 0.9 * means), np.array([row["high"] for row in own]) - means]
            left.errorbar(widths, means, bars, fmt="o-", color=colour, capsize=2, label=f"depth {depth}")
            if depth in DEPTHS:
                left.plot(WIDTHS, PRINTED[DEPTHS.index(depth)], "x--", color=colour, lw=0.7, alpha=0.7)
        left.plot([], [], "x--", color="#777777", lw=0.7, label="as printed")
        left.set(xscale="log", yscale="log", xlabel="width", ylabel="test error", title="(a) At the end")
        shown = sorted({*[row["width"] for row in rows], *WIDTHS})
        left.set_xticks(shown, [str(width) for width in shown])
        left.minorticks_off()
        widest = max(row["width"] for row in rows)
        steps = results["step"].values
        for number, depth in enumerate(depths):
            one = _cell(results, depth, widest)
            test, train = (np.mean(one[name].values, axis=0) for name in ("test_error", "train_error"))
            right.plot(steps[1:], test[1:], color=f"C{number}")
            right.plot(steps[1:], train[1:], ":", color=f"C{number}")
        right.plot([], [], "-", color="#777777", label="fresh examples")
        right.plot([], [], ":", color="#777777", label="training examples")
        right.set(xscale="log", yscale="log", xlabel="iteration", ylabel="error", title=f"(b) Width {widest}")
        left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3)
        right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    return figure


def _cell(results: xr.Dataset, depth: int, width: int) -> xr.Dataset:
    places = zip(_whole(results, "depth"), _whole(results, "width"), strict=True)
    return results.isel(cell=list(places).index((depth, width)))


def _curves(results: xr.Dataset) -> list[Curve]:
    rows = _rows(results)
    curves = []
    for depth in sorted({row["depth"] for row in rows}):
        own = [row for row in rows if row["depth"] == depth]
        columns = {name: [row[name] for row in own] for name in ("width", "test_error", "low", "high")}
        bar = {"low": np.maximum(columns["low"], deep_networks.FLOOR), "high": columns["high"]}
        axes: dict[str, Any] = {"xlabel": "width", "ylabel": "test error", "xlog": True, "ylog": True}
        chart = "Test error against width"
        curves.append(Curve(f"depth {depth}", columns["width"], columns["test_error"], **bar, chart=chart, **axes))
        if depth in DEPTHS:
            curves.append(Curve(f"depth {depth}, printed", WIDTHS, PRINTED[DEPTHS.index(depth)], chart=chart, **axes))
    return curves


study = Study(
    name="depth-width",
    artefact="prsz18 Table 2 and Figure 2, zps17 Table 2",
    question="Does gradient descent learn a deep network from one of its own kind, whatever the depth and width?",
    parameters={
        "quick": {
            "depths": [2, 3, 5, 9],
            "widths": [5, 10, 20],
            "starts": 8,
            "together": 8,
            "d": 3,
            "n": 300,
            "test": 1000,
            "slope": 1.0,
            "step": 6.7e-4,
            "iterations": 1000,
            "learned": 0.05,
            "padded": 20,
        },
        "paper": {
            "depths": list(DEPTHS),
            "widths": list(WIDTHS),
            "starts": 10,
            "together": 2,
            "d": 3,
            "n": 1000,
            "test": 5000,
            "slope": 1.0,
            "step": 1e-5,
            "iterations": 10**6,
            "learned": 0.002,
            "padded": 0,
        },
    },
    cells=_cells,
    compute=_compute,
    rows=_rows,
    verdicts=_verdicts,
    figure=_figure,
    curves=_curves,
    shards=deep_networks.shards,
    cost=deep_networks.cost,
    references=grid(
        "test_error", ("depth", DEPTHS), ("width", WIDTHS), PRINTED, source="prsz18 Table 2, zps17 Table 2"
    ),
)
