"""The figure of the study `nodewise-gaussian`: electrons on their way, the loss, and how many teachers are found."""

from typing import Any

import numpy as np
import xarray as xr

from earnshaw.studies import style
from earnshaw.studies.curve import Curve


def figure(results: xr.Dataset, rows: list[dict[str, Any]]) -> Any:
    """Paths among the contours of the potential, the loss along the way, and the share of teachers found."""
    canvas, axes = style.subplots(1, 3, width=style.PAGE, height=2.6)
    flat = [place for place, row in enumerate(rows) if row["d"] == 2]
    if flat:
        _draw_paths(axes[0], results.isel(cell=flat[0]), rows[flat[0]])
    else:
        axes[0].set_axis_off()
    for place, row in enumerate(rows):
        steps, excess = _loss(results.isel(cell=place))
        axes[1].plot(steps, excess, lw=1.0, label=f"{row['potential']}, d = {row['d']}")
    axes[1].set(xlabel="step, all nodes", ylabel="median loss above the minimum")
    axes[1].legend(fontsize=5.5)
    for number, (name, ours) in enumerate(_by_potential(rows).items()):
        shares = np.array([row["share"] for row in ours])
        ends = np.array([[row["low"], row["high"]] for row in ours])
        bars = np.maximum(np.abs(ends - shares[:, None]).T, 0)
        at = np.array([row["d"] for row in ours]) * (1 + 0.03 * number)
        axes[2].errorbar(at, shares, yerr=bars, marker="o", ms=3.5, lw=1.0, capsize=2, label=name)
    axes[2].set_xscale("log")
    axes[2].set_xticks(sorted({row["d"] for row in rows}), [str(d) for d in sorted({row["d"] for row in rows})])
    axes[2].minorticks_off()
    axes[2].set(xlabel="d", ylabel="share of teachers found", ylim=(-0.05, 1.05))
    axes[2].legend(fontsize=5.5, loc="lower right")
    for letter, panel in zip("abc", axes, strict=True):
        panel.set_title(f"({letter})", loc="left")
    return canvas


def curves(results: xr.Dataset, rows: list[dict[str, Any]]) -> list[Curve]:
    """The numbers of panels (b) and (c)."""
    drawn = []
    for place, row in enumerate(rows):
        steps, excess = _loss(results.isel(cell=place))
        drawn.append(
            Curve(
                f"{row['potential']}, d = {row['d']}", x=steps, y=excess, chart="Loss above the global minimum",
                xlabel="step, all nodes", ylabel="median over the teachers",
            )
        )  # fmt: skip
    for name, ours in _by_potential(rows).items():
        drawn.append(
            Curve(
                name, x=[row["d"] for row in ours], y=[row["share"] for row in ours],
                low=[row["low"] for row in ours], high=[row["high"] for row in ours],
                chart="Teachers found", xlabel="d", ylabel="share, 95 %", xlog=True, points=True,
            )
        )  # fmt: skip
    return drawn


def _by_potential(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(row["potential"], []).append(row)
    return grouped


def _loss(cell: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The median over the teachers, without the steps that other cells make more."""
    excess = cell["excess"].values
    known = np.isfinite(excess).any(axis=0)
    return cell["step"].values[known], np.nanmedian(excess[:, known], axis=0)


def _draw_paths(panel: Any, cell: xr.Dataset, row: dict[str, Any]) -> None:
    """Contours of the protons' potential, the way of each electron, and the protons."""
    teacher = int(np.nanargmin(cell["distance"].values))
    known = np.isfinite(cell["path"].values[teacher, :, 0, 0])
    path, protons = cell["path"].values[teacher, known][:, :, :2], cell["protons"].values[teacher][:, :2]
    around = np.concatenate([protons, path.reshape(-1, 2)])
    low, high = around.min() - 0.8, around.max() + 0.8
    x, y = np.meshgrid(np.linspace(low, high, 160), np.linspace(low, high, 160))
    squares = (x[..., None] - protons[:, 0]) ** 2 + (y[..., None] - protons[:, 1]) ** 2
    # The potential spans many orders of magnitude, and a descent feels all of them.
    scale = row["c"] if "narrow" in row["potential"] else 1.0
    level = np.log10(np.sum(np.exp(-scale * squares / 2), axis=-1) + 1e-30)
    panel.contour(x, y, level, levels=12, colors="#bbbbbb", linewidths=0.5)
    for electron in range(path.shape[1]):
        panel.plot(path[:, electron, 0], path[:, electron, 1], color=f"C{electron}", lw=1.4)
    panel.plot(*protons.T, marker="P", ms=6, mfc="black", mec="white", mew=0.6, ls="", label="proton")
    panel.plot(*path[0, :1].T, marker="o", ms=4, mfc="white", mec="black", ls="", label="start")
    panel.set_aspect("equal")
    panel.set(xlabel=r"$\theta_1$", ylabel=r"$\theta_2$")
    panel.legend(fontsize=5.5)
