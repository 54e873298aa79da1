"""Studies that show everything a report can show, without computing anything that takes time."""

from dataclasses import replace

import numpy as np
import xarray as xr

import toys
from earnshaw.studies import Curve, Study, grid, style
from earnshaw.theorems import Hypothesis, Verdict, decide

HOSTILE = "<script>alert('Φ & co')</script>"

DEPTHS, WIDTHS = [2, 3, 5, 9], [5, 10, 20]


def compute(cell: dict, key, parameters: dict) -> xr.Dataset:
    step = np.arange(parameters["steps"])
    rate = 0.02 / cell["depth"] / np.sqrt(cell["width"] / 5)
    loss = 0.5 * np.exp(-rate * step) * (1 + 0.05 * np.sin(step / 7)) + 1e-6
    return xr.Dataset({"loss": (("step",), loss)}, coords={"step": step})


def rows(results: xr.Dataset) -> list[dict]:
    cells = zip(results.depth.values, results.width.values, results.loss.values, strict=True)
    return [
        {"depth": int(depth), "width": int(width), "error": loss[-1], "low": 0.9 * loss[-1], "high": 1.1 * loss[-1]}
        for depth, width, loss in cells
    ]


_SUSPECT = {"seed": 7, "positions": [[0.5, 0.25]], "smallest eigenvalue in the smooth directions of the suspect": 1.5}


def verdicts(results: xr.Dataset) -> list[Verdict]:
    ends = [row["error"] for row in rows(results)]
    odd = Hypothesis("the dimension d is odd", met=True, value=3)
    even = Hypothesis("every weight is drawn from N(0, 1)", met=False, value={"law": "uniform", "range": [-1, 1]})
    return [
        decide("prsz18-2.3", (odd,), "paths agree within the tolerance of the integrator", 3.2e-9, 1e-8 - 3.2e-9),
        decide("prsz18-4.6", (odd,), "every electron ends on a proton", {"matched": 3, "of": 3}, 0.25),
        Verdict("zps17-3.13", "refuted", (odd,), 0.0, max(ends), -max(ends), _SUSPECT),
        Verdict("zps17-4.2", "not-applicable", (odd, even), note="Only Gaussian weights are covered."),
        Verdict("zps17-4.3", "inconclusive", (odd,), "a local minimum", float("nan")),
    ]


def curves(results: xr.Dataset) -> list[Curve]:
    axes = {"chart": "Training", "xlabel": "step", "ylabel": "loss", "ylog": True}
    names = [f"depth {d}, width {w}" for d, w in zip(results.depth.values, results.width.values, strict=True)]
    lines = [
        Curve(name, results.step.values, y, low=0.8 * y, high=1.25 * y, **axes)
        for name, y in zip(names[::3], results.loss.values[::3], strict=True)
    ]
    table = rows(results)
    ends = {name: [row[name] for row in table if row["width"] == 10] for name in ("depth", "error", "low", "high")}
    final = Curve(
        "width 10",
        ends["depth"],
        ends["error"],
        ends["low"],
        ends["high"],
        chart="Final error",
        xlabel="depth",
        ylabel="error",
    )
    return [*lines, final]


def figure(results: xr.Dataset):
    figure, axes = style.subplots(width=style.PAGE)
    for curve in curves(results)[:-1]:
        axes.semilogy(curve.x, curve.y, label=curve.name)
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    return figure


PRINTED = [[0.0015, 0.0017, 0.0018], [0.0033, 0.0264, 0.1503], [0.0036, 0.0579, 0.2400], [0.0085, 0.1662, 0.4171]]

rich = Study(
    name="depth-width",
    artefact="Table 2 and Figure 2 of the second paper",
    question="Does the error that training leaves behind grow with depth, at every width?",
    parameters={scale: {"depth": DEPTHS, "width": WIDTHS, "steps": 400} for scale in ("quick", "paper")},
    cells=lambda parameters: [{"depth": d, "width": w} for d in parameters["depth"] for w in parameters["width"]],
    compute=compute,
    rows=rows,
    verdicts=verdicts,
    figure=figure,
    curves=curves,
    references=grid("error", ("depth", [*DEPTHS[:-1], 17]), ("width", WIDTHS), PRINTED, source="Table 2", within=0.05),
)


def hostile_verdicts(results: xr.Dataset) -> list[Verdict]:
    unmet = Hypothesis(HOSTILE, met=False, value={HOSTILE: HOSTILE, "list": [HOSTILE, 2.0]})
    return [
        Verdict(HOSTILE, "refuted", predicted=HOSTILE, measured=0.123456789, margin=-1, counterexample={"x": HOSTILE}),
        Verdict("toy-1.2", "not-applicable", (unmet,), note=HOSTILE),
        Verdict("toy-1.3", "inconclusive"),
    ]


# Every word that a study, a cell or a verdict may bring is one that must not reach the page as it is.
hostile = replace(
    toys.study,
    name="other",
    artefact=f"Table {HOSTILE}",
    question=f"{HOSTILE}?",
    parameters={scale: {"d": [1], "starts": 2, HOSTILE: HOSTILE} for scale in ("quick", "paper")},
    rows=lambda results: [{HOSTILE: HOSTILE, "p": 0.5}, {HOSTILE: "b", "p": 0.25}],
    verdicts=hostile_verdicts,
    curves=lambda results: [Curve(HOSTILE, [1, 2], [1, 2], chart=HOSTILE, xlabel=HOSTILE, ylabel=HOSTILE)],
    references=grid("p", (HOSTILE, [HOSTILE]), ("nowhere", [None]), [[0.5]], source=HOSTILE),
)
bare = replace(toys.study, name="bare", figure=lambda results: None)


def many_verdicts(results: xr.Dataset) -> list[Verdict]:
    """Sixty-six verdicts about four theorems, most of which hold."""
    met = Hypothesis("the potential is realizable and its dimension is odd", met=True, value=3)
    unmet = Hypothesis("the step is below the theorem's bound", met=False, value=0.25)
    found = []
    for number in range(66):
        theorem = ("zps17-2.2", "zps17-2.5", "prsz18-2.1", "prsz18-2.3")[number % 4]
        facts = {"predicted": "every electron ends on a proton", "measured": {"distance": 1e-3 / (number + 1), "of": 7}}
        note = f"d = {number}, k = {7 + number}"
        if number % 22 == 5:
            found.append(
                Verdict(theorem, "refuted", (met,), margin=-0.5, counterexample={"seed": 7}, note=note, **facts)
            )
        elif number % 22 == 6:
            found.append(Verdict(theorem, "not-applicable", (met, unmet), note=note, **facts))
        elif number % 22 == 7:
            found.append(Verdict(theorem, "inconclusive", (met,), note=note, **facts))
        else:
            found.append(Verdict(theorem, "holds", (met, met, met), margin=0.25 + number, note=note, **facts))
    return found


def many_rows(results: xr.Dataset) -> list[dict]:
    names = ("probability", "low", "high", "mean loss", "median loss", "steps", "seconds")
    return [
        {"potential": "almost λ-harmonic", "d": d, "k": k}
        | {name: (d * k + place) / 97 for place, name in enumerate(names)}
        for d in range(3, 10)
        for k in range(2, 10)
    ]


def many_curves(results: xr.Dataset) -> list[Curve]:
    x = np.arange(600)
    return [
        Curve(
            f"d = {d}, k = 12",
            x,
            (y := np.exp(-x / (40 + 9 * d)) + 1e-4 * d),
            0.9 * y,
            1.1 * y,
            chart,
            "step",
            "loss",
            ylog=True,
        )
        for chart in ("in space", "on the sphere", "in the plane")
        for d in range(16)
    ]


def many_panels(results: xr.Dataset):
    figure, axes = style.subplots(2, 2, width=style.PAGE, height=5.0)
    for place, panel in enumerate(axes.flat):
        for curve in many_curves(results)[place : place + 6]:
            panel.semilogy(curve.x, curve.y, label=curve.name)
        panel.set(xlabel="step", ylabel="loss", title=f"panel {place}")
    return figure


def crowded(name: str) -> Study:
    """A study with as much in it as a large one of ours has."""
    return replace(
        rich,
        name=name,
        parameters={scale: {"depth": [2], "width": [5], "steps": 4} for scale in ("quick", "paper")},
        rows=many_rows,
        verdicts=many_verdicts,
        figure=many_panels,
        curves=many_curves,
        references=grid("probability", ("d", [3, 4]), ("k", [2, 3]), [[0.1, 0.2], [0.3, 0.4]], source="T", within=0.1),
    )
