"""Two-layer students of many widths along gradient descent: prsz18 Figure 1.

Sigmoid from −1 to 1 at every node, the output included. Weights of teacher and student, inputs, steps and iterations
are the paper's; the dimension d, the number n of examples and all else that it leaves out are chosen as in
`depth_width`. The figure's curves are not printed as numbers; the text says that errors fall below 0.002 at all widths
up to 125.

The quick scale has fewer widths, fewer examples and a hundredth of the flow time in larger steps. All of it is computed
in float32.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from earnshaw.studies import deep_networks, style
from earnshaw.studies.curve import Curve
from earnshaw.studies.study import Cell, Parameters, Study
from earnshaw.theorems.verdict import Verdict

SOURCE = "prsz18 Figure 1"


def _cells(parameters: Parameters) -> Sequence[Cell]:
    return [{"depth": 2, "width": width} for width in parameters["widths"]]


def _compute(cell: Cell, key: Any, parameters: Parameters) -> xr.Dataset:
    found = deep_networks.compute(cell, key, parameters)
    return found.assign(learned=parameters["learned"], level=parameters["level"])


def iterations_to(level: float, steps: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """When each start's error (start, step) is first at most `level`, between records along a line in logarithms.

    A start that never gets there counts with its last iteration, which is a lower bound.

    >>> iterations_to(1.0, np.array([0, 10, 1000]), np.array([[10.0, 10.0, 0.1], [3.0, 3.0, 3.0]])).round(6).tolist()
    [100.0, 1000.0]
    """
    times = []
    for one in errors:
        reached = np.flatnonzero(one <= level)
        place = int(reached[0]) if reached.size else len(steps) - 1
        if not reached.size or place == 0:
            times.append(float(max(steps[place], 1)))
            continue
        ends = np.log(np.maximum(one[[place, place - 1]], deep_networks.FLOOR))
        moments = np.log(np.maximum(steps[[place, place - 1]], 1))
        times.append(float(np.exp(np.interp(np.log(level), ends, moments))))
    return np.array(times)


def _times(results: xr.Dataset) -> np.ndarray:
    """The iterations to the level, shape (cell, start)."""
    level, steps = float(results["level"].values.flat[0]), results["step"].values
    return np.stack([iterations_to(level, steps, one) for one in results["test_error"].values])


def _rows(results: xr.Dataset) -> list[dict[str, Any]]:
    level = float(results["level"].values.flat[0])
    rows = []
    for place, times in enumerate(_times(results)):
        one = results.isel(cell=place)
        reached = np.any(one["test_error"].values <= level, axis=1)
        facts = {"level": level, "reached": int(reached.sum()), "iterations_to_level": float(np.mean(times))}
        rows.append({"width": int(one["width"]), **deep_networks.summary(one), **facts})
    return rows


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    """The error falls below the threshold at every width, and the wider the network the later it is small."""
    widths = [int(width) for width in results["width"].values]
    threshold = float(results["learned"].values.flat[0])
    final = results["test_error"].values[:, :, -1]
    verdicts = [
        deep_networks.below(SOURCE, f"depth 2 is learned at width {width}", errors, threshold)
        for width, errors in zip(widths, final, strict=True)
    ]
    what = "wider networks take more iterations to the same error"
    slower = deep_networks.growth(SOURCE, what, widths, _times(results), "an exponent above 0")
    return [*verdicts, slower]


def _figure(results: xr.Dataset) -> Any:
    threshold = float(results["learned"].values.flat[0])
    axes: Any
    with style.paper():
        figure, axes = style.subplots(height=2.8)
        steps = results["step"].values[1:]
        for place in range(results.sizes["cell"]):
            errors = results["test_error"].values[place][:, 1:]
            (line,) = axes.plot(steps, np.mean(errors, axis=0), label=str(int(results["width"].values[place])))
            axes.fill_between(steps, errors.min(axis=0), errors.max(axis=0), color=line.get_color(), alpha=0.12, lw=0)
        axes.axhline(threshold, color="#777777", lw=0.7, ls="--")
        axes.annotate(f"{threshold:g}", (steps[0], threshold), color="#777777", fontsize=7, va="bottom")
        axes.set(xscale="log", yscale="log", xlabel="iteration", ylabel="test error (mean, extremes)")
        axes.legend(title="width", loc="lower left", bbox_to_anchor=(0, 0.12), ncols=2)
    return figure


def _curves(results: xr.Dataset) -> list[Curve]:
    steps = results["step"].values[1:]
    curves = []
    for place in range(results.sizes["cell"]):
        errors = results["test_error"].values[place][:, 1:]
        curves.append(
            Curve(
                f"width {int(results['width'].values[place])}",
                x=steps,
                y=np.mean(errors, axis=0),
                low=np.min(errors, axis=0),
                high=np.max(errors, axis=0),
                chart="Test error along the iterations",
                xlabel="iteration",
                ylabel="test error (mean, extremes)",
                xlog=True,
                ylog=True,
            )
        )
    return curves


study = Study(
    name="width",
    artefact="prsz18 Figure 1",
    question="Does gradient descent learn a two-layer network with a non-linear output, however wide it is?",
    parameters={
        "quick": {
            "widths": [5, 25, 125],
            "starts": 16,
            "together": 16,
            "d": 3,
            "n": 400,
            "test": 1000,
            "slope": 1.0,
            "step": 2.5e-4,
            "iterations": 1000,
            "learned": 0.05,
            "level": 0.03,
            "padded": 0,
        },
        "paper": {
            "widths": [5, 10, 25, 50, 75, 100, 125],
            "starts": 10,
            "together": 2,
            "d": 3,
            "n": 1000,
            "test": 5000,
            "slope": 1.0,
            "step": 1e-5,
            "iterations": 10**6,
            "learned": 0.002,
            "level": 0.01,
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
)
