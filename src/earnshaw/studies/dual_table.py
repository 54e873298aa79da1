"""Study `dual-table`: activations and potentials, each computed from the other (zps17 Table 1, prsz18 Table 1)."""

from typing import Any

import numpy as np
import xarray as xr

from earnshaw.duality import Zonal
from earnshaw.duality.activation import Activation
from earnshaw.duality.fourier import on_arrays
from earnshaw.duality.harmonicity import harmonicity
from earnshaw.duality.realizability import realizability
from earnshaw.studies import dual_rows, style
from earnshaw.studies.curve import Curve
from earnshaw.studies.dual_rows import MAKERS, DualRow, Sizes, rebuilt_values
from earnshaw.studies.study import Study
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

SMOOTH_TOLERANCE = 1e-10
#: A rebuilt activation whose transform falls off like a power is known to fewer digits.
REBUILT_TOLERANCE = 1e-4
INNER_COSINES = np.linspace(-0.5, 0.5, 21)


def _cells(parameters: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"row": name} for name in MAKERS]


def _compute(cell: dict[str, Any], key: Any, parameters: dict[str, Any]) -> xr.Dataset:
    sizes = Sizes(**{name: parameters[name] for name in ("dimension", "sphere_dimension", "degree", "eps")})
    row = dual_rows.row(cell["row"], sizes)
    zonal = isinstance(row.closed_form, Zonal)
    count = parameters["points"]
    grid = np.linspace(-0.95, 0.95, count) if zonal else np.linspace(0.2, 4.0, count)
    closed = on_arrays(row.closed_form.profile)(grid)  # pyright: ignore[reportAttributeAccessIssue]
    from_activation = np.full(count, np.nan) if row.from_activation is None else row.from_activation(grid)
    answer = realizability(row.closed_form, row.dimension)
    classes = harmonicity(row.closed_form, row.dimension)
    residual = classes.one_harmonic_residual
    return xr.Dataset(
        {
            "grid": ("point", grid),
            "closed_form": ("point", closed),
            "from_activation": ("point", from_activation),
            "difference": float(np.max(np.abs(from_activation - closed))),
            "rebuilt_difference": _rebuilt_difference(row, answer.activation, answer.mismatch),
            "sphere": zonal,
            "realizable": {True: 1, False: 0, None: -1}[answer.realizable],
            "activation": row.activation,
            "formula": row.formula,
            "reason": answer.reason,
            "harmonic": classes.summary(),
            "one_harmonic_residual": np.nan if residual is None else residual,
        }
    )


def _rebuilt_difference(row: DualRow, activation: Any, mismatch: float | None) -> float:
    """How far E σσ of the rebuilt σ is from Φ; on the sphere for |ρ| ≤ ½, where the measured coefficients suffice."""
    if activation is None or mismatch is None:
        return float("nan")
    if isinstance(activation, Activation) and activation.expansion is not None:
        again = rebuilt_values(activation.expansion)(INNER_COSINES)
        closed = on_arrays(row.closed_form.profile)(INNER_COSINES)  # pyright: ignore[reportAttributeAccessIssue]
        return float(np.max(np.abs(again - closed)))
    return float(mismatch)


def _table(results: xr.Dataset) -> list[dict[str, Any]]:
    words = {1: "yes", 0: "no", -1: "undecided"}
    return [
        {
            "activation": str(one.activation.item()),
            "potential": str(one.formula.item()),
            "space": "sphere" if bool(one.sphere) else "R^d",
            "difference": float(one.difference),
            "rebuilt difference": float(one.rebuilt_difference),
            "realizable": words[int(one.realizable)],
            "harmonic": str(one.harmonic.item()),
            "1-harmonic residual": float(one.one_harmonic_residual),
            "reason": str(one.reason.item()),
        }
        for one in _cells_of(results)
    ]


def _verdicts(results: xr.Dataset) -> list[Verdict]:
    verdicts = []
    for one in _cells_of(results):
        theorem = "zps17-2.5" if bool(one.sphere) else "prsz18-2.1"
        realizable = int(one.realizable)
        differences = [float(one.difference), float(one.rebuilt_difference)]
        slack = [
            tolerance - difference
            for tolerance, difference in zip((SMOOTH_TOLERANCE, REBUILT_TOLERANCE), differences, strict=True)
            if np.isfinite(difference)
        ]
        verdicts.append(
            decide(
                theorem,
                (Hypothesis("the potential is realizable", realizable == 1, str(one.reason.item())),),
                f"E σσ = {one.formula.item()}",
                {"from σ": differences[0], "from the rebuilt σ": differences[1]},
                min(slack, default=float("nan")),
                note=str(one.row.item()),
            )
        )
    return verdicts


def _cells_of(results: xr.Dataset) -> list[xr.Dataset]:
    return [results.isel(cell=i) for i in range(results.sizes["cell"])]


def _figure(results: xr.Dataset) -> Any:
    with style.paper():
        figure, axes = style.subplots(1, 2, width=style.PAGE, height=3.1)
        for panel, sphere, label in ((axes[0], True, "inner product θᵀw"), (axes[1], False, "distance ‖θ − w‖")):
            for one in _cells_of(results):
                if bool(one.sphere) == sphere:
                    (line,) = panel.plot(one.grid, one.closed_form, label=str(one.row.item()))
                    panel.plot(one.grid[::3], one.from_activation[::3], "o", color=line.get_color(), markersize=3)
            panel.set_xlabel(label)
            panel.set_ylabel("potential Φ (dots: from σ)")
            panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)
        axes[0].set_title("on the sphere")
        axes[1].set_title("in space")
        axes[1].set_ylim(0.0, 2.0)
    return figure


def _curves(results: xr.Dataset) -> list[Curve]:
    curves = []
    for one in _cells_of(results):
        chart, label = ("on the sphere", "inner product θᵀw") if bool(one.sphere) else ("in R^d", "distance ‖θ − w‖")
        name, x = str(one.row.item()), one.grid.values
        curves.append(Curve(name, x, one.closed_form.values, chart=chart, xlabel=label, ylabel="potential Φ"))
    return curves


study = Study(
    name="dual-table",
    artefact="zps17 Table 1, prsz18 Table 1",
    question="Which activation belongs to which potential, and can each be computed from the other?",
    parameters={
        "quick": {"dimension": 3, "sphere_dimension": 5, "degree": 10, "eps": 0.2, "points": 49},
        "paper": {"dimension": 3, "sphere_dimension": 5, "degree": 40, "eps": 0.05, "points": 201},
    },
    cells=_cells,
    compute=_compute,
    rows=_table,
    verdicts=_verdicts,
    figure=_figure,
    curves=_curves,
)
