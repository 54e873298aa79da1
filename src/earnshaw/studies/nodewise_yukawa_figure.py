"""The figure of the study `nodewise-yukawa`: the loss falls node by node, and every charge finds its opposite."""

from typing import Any

import numpy as np
import xarray as xr

from earnshaw.studies import style
from earnshaw.studies.curve import Curve

#: Losses below this are rounding, and are drawn at the foot of a logarithmic axis.
FOOT = 1e-16
#: At most so many teachers are drawn one by one.
SHOWN = 10
LABELS = {"one by one": "one by one", "one by one, printed": "one by one, as printed", "all at once": "all at once"}


def figure(results: xr.Dataset) -> Any:
    """Losses against steps, and the charges that were found against those of the nearest protons."""
    canvas, (left, right) = style.subplots(1, 2, width=style.PAGE, height=2.9)
    for place in range(results.sizes["cell"]):
        cell, colour = results.isel(cell=place), f"C{place % 7}"
        steps, losses = _losses(cell)
        left.plot(steps, losses.T, color=colour, linewidth=0.8, alpha=0.6)
        left.plot([], [], color=colour, label=_name(cell))
        theirs, ours = _charges(cell)
        right.plot(theirs, ours, ".", color=colour, markersize=4, alpha=0.8)
    left.set(xscale="log", yscale="log", xlabel="step", ylabel="loss / loss at the start")
    left.set_title("(a) The loss of single teachers", loc="left")
    right.axline((0, 0), slope=1, color="0.6", linewidth=0.8, zorder=0)
    right.set(xlabel="charge b of the nearest proton", ylabel="charge −a of the electron", xlim=(-1.1, 1.1))
    right.set_title("(b) Every electron, at the end", loc="left")
    canvas.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return canvas


def curves(results: xr.Dataset) -> list[Curve]:
    """The median loss of every cell, with its quartiles; and all charges."""
    drawn = []
    for place in range(results.sizes["cell"]):
        cell = results.isel(cell=place)
        steps, losses = _losses(cell, everyone=True)
        low, middle, high = np.quantile(losses, [0.25, 0.5, 0.75], axis=0)
        drawn.append(
            Curve(
                _name(cell), steps, middle, low, high, chart="Loss (median and quartiles of the teachers)",
                xlabel="step", ylabel="loss / loss at the start", xlog=True, ylog=True,
            )
        )  # fmt: skip
    for place in range(results.sizes["cell"]):
        cell = results.isel(cell=place)
        theirs, ours = _charges(cell)
        drawn.append(
            Curve(
                _name(cell), theirs, ours, chart="Charges at the end", xlabel="charge of the nearest proton",
                ylabel="minus the charge of the electron", points=True,
            )
        )  # fmt: skip
    return drawn


def _name(cell: xr.Dataset) -> str:
    return f"{LABELS[str(cell['algorithm'].values)]}, d = {int(cell['d'])}, k = {int(cell['k'])}"


def _losses(cell: xr.Dataset, everyone: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Steps from 1, and losses relative to the one at the start."""
    losses = cell["loss"].values
    losses = losses[np.isfinite(losses).all(axis=1)]
    relative = np.maximum(losses / losses[:, :1], FOOT)
    return cell["step"].values + 1, relative if everyone else relative[:SHOWN]


def _charges(cell: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The charge of the proton nearest to every electron, and minus the electron's own."""
    theirs, ours = [], []
    for start in range(cell.sizes["start"]):
        one = cell.isel(start=start)
        positions, protons = (one[name].values[:, : int(cell["d"])] for name in ("positions", "protons"))
        electrons, there = (np.isfinite(each).all(axis=1) for each in (positions, protons))
        if not electrons.any():
            continue
        apart = np.linalg.norm(positions[electrons][:, None] - protons[there], axis=-1)
        theirs.append(one["proton_charges"].values[there][np.argmin(apart, axis=1)])
        ours.append(-one["charges"].values[electrons])
    return np.concatenate(theirs), np.concatenate(ours)
