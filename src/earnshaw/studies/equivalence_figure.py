"""The figure of the study `equivalence`: paths of both dynamics on top of each other, and how far apart they are."""

from typing import Any

import numpy as np
import xarray as xr

from earnshaw.studies import style
from earnshaw.studies.curve import Curve

MANIFOLDS = {"euclidean": "ℝ", "sphere": "S"}
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Below this, differences are drawn at the foot of a logarithmic axis.
FOOT = 1e-17
#: How strongly the far side of the sphere is drawn.
FAR = 0.35
PRINTED_COLOUR = "#AA3377"


def figure(results: xr.Dataset, rows: list[dict[str, Any]]) -> Any:
    """Three panels of paths in a plane and one of the distances between them along time."""
    canvas, axes = style.subplots(2, 2, width=style.PAGE, height=6.2)
    panels = axes.ravel()
    for panel, row in zip(panels, _shown(rows), strict=False):
        _draw_paths(panel, results.isel(cell=row), rows[row])
    for panel in panels[len(_shown(rows)) : -1]:
        panel.set_axis_off()
    _draw_distances(panels[-1], results, rows)
    for letter, panel in zip("abcd", panels, strict=True):
        panel.set_title(f"({letter}) {panel.get_title()}", loc="left")
        panel.set_title("")
    handles, labels = panels[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return canvas


def curves(results: xr.Dataset) -> list[Curve]:
    """The distances of panel (d), for every cell."""
    drawn = []
    for row in range(results.sizes["cell"]):
        cell = results.isel(cell=row)
        name = f"{_title(cell)}, {int(cell['d'])}-dim., {int(cell['moving'])} moving, {int(cell['fixed'])} fixed"
        for variable, chart in (("difference", "particles under Φ"), ("printed_difference", "particles under 2Φ")):
            drawn.append(
                Curve(
                    name,
                    x=results["time"].values,
                    y=_largest(cell[variable].values),
                    chart=f"Distance from the flow on ½L: {chart}",
                    xlabel="time",
                    ylabel="largest distance",
                    ylog=True,
                )
            )
    return drawn


def _shown(rows: list[dict[str, Any]]) -> list[int]:
    """Cells whose paths are drawn: two potentials of the least R^d, the second with fixed electrons, and a sphere."""
    flat = sorted((row["d"], place) for place, row in enumerate(rows) if row["manifold"] == "euclidean")
    round_ = sorted((row["d"], place) for place, row in enumerate(rows) if row["manifold"] == "sphere")
    chosen: list[int] = []
    for candidates, some_fixed in ((flat, False), (flat, True), (round_, True)):
        left = [place for _, place in candidates if not _potential_shown(rows, chosen, place)]
        wanted = [place for place in left if (rows[place]["fixed"] > 0) == some_fixed] or left
        chosen += wanted[:1]
    return chosen


def _potential_shown(rows: list[dict[str, Any]], chosen: list[int], place: int) -> bool:
    return any(rows[other]["potential"] == rows[place]["potential"] for other in chosen)


def _draw_paths(panel: Any, cell: xr.Dataset, row: dict[str, Any]) -> None:
    on_sphere = row["manifold"] == "sphere"
    start = int(np.argmax(np.isfinite(cell["difference"].values).sum(axis=1)))
    flow, particles = cell["flow"].values[start], cell["particles"].values[start]
    # Of the two sides of a sphere, the one on which more electrons start is turned to the reader.
    side = 0.0
    if on_sphere and row["d"] > 2:
        side = 1.0 if np.sum(np.sign(flow[0, : row["moving"], 2])) >= 0 else -1.0
    styles = (
        (slice(None), flow, {"color": "C0", "lw": 4.5, "solid_capstyle": "round", "zorder": 2}, "gradient flow on ½L"),
        (slice(None), particles, {"color": "black", "lw": 0.9, "ls": (0, (4, 2)), "zorder": 3}, "particles under Φ"),
        (slice(1), flow, {"marker": "o", "ms": 5, "mfc": "white", "mec": "C0", "mew": 1.2, "ls": "", "zorder": 4},
         "electron at the start"),
    )  # fmt: skip
    for times, paths, look, name in styles:
        for electron in range(row["moving"]):
            far = _is_far(paths[:1, electron], side)[0]
            strength = (0.5 if look["zorder"] == 2 else 1.0) * (FAR if far else 1.0)
            panel.plot(*_plane(paths[times, electron]), alpha=strength, **look)
        panel.plot([], [], alpha=0.5 if look["zorder"] == 2 else 1.0, label=name, **look)
    charges = cell["rest_charge"].values
    for sign, marker, colour, name in ((1, "P", "C1", "proton"), (-1, "s", "C0", "fixed electron")):
        look = {"marker": marker, "ms": 6, "mfc": colour, "mec": "white", "mew": 0.6, "ls": "", "zorder": 5}
        for site in cell["rest"].values[charges * sign > 0]:
            panel.plot(*_plane(site[None]), alpha=FAR if _is_far(site[None], side)[0] else 1.0, **look)
        panel.plot([], [], label=name, **look)
    panel.set_title(_title(cell) + (" (far side pale)" if on_sphere else ""))
    if on_sphere:
        _draw_globe(panel)
    else:
        panel.set_aspect("equal", adjustable="datalim")
        panel.set(xlabel=r"$\theta_1$", ylabel=r"$\theta_2$")


def _draw_globe(panel: Any) -> None:
    """The outline of the sphere and two parallels, seen along its third axis, in place of a frame."""
    angles = np.linspace(0, 2 * np.pi, 200)
    panel.fill(np.cos(angles), np.sin(angles), fc="#f4f4f4", ec="#999999", lw=0.8, zorder=0)
    for height in (0.5, 0.866):
        ring = np.sqrt(1 - height**2)
        panel.plot(ring * np.cos(angles), ring * np.sin(angles), color="#dddddd", lw=0.5, zorder=1)
    panel.set_aspect("equal")
    panel.set_axis_off()


def _is_far(points: np.ndarray, side: float) -> np.ndarray:
    """Whether points are on the half of the sphere that is turned away; nothing is where `side` is 0."""
    return points[:, 2] * side < 0 if side else np.zeros(len(points), bool)


def _plane(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first two coordinates (one coordinate is drawn on a line)."""
    second = points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))
    return points[:, 0], second


def _draw_distances(panel: Any, results: xr.Dataset, rows: list[dict[str, Any]]) -> None:
    times = results["time"].values
    for place in range(len(rows)):
        cell = results.isel(cell=place)
        first = place == 0
        panel.plot(
            times, _largest(cell["printed_difference"].values), color=PRINTED_COLOUR, lw=0.9,
            label="under 2Φ, as printed" if first else None,
        )  # fmt: skip
        panel.plot(
            times, _largest(cell["allowed"].values), color="#999999", lw=0.9, ls=":",
            label="allowed by the integrations" if first else None,
        )  # fmt: skip
        panel.plot(
            times, _largest(cell["difference"].values), color="black", lw=0.9,
            label="under Φ" if first else None,
        )  # fmt: skip
    panel.set_yscale("log")
    panel.set(
        xlabel="time", ylabel="largest distance from the flow on ½L", title="Particles beside the flow, every cell"
    )
    panel.legend(loc="center right", bbox_to_anchor=(1.0, 0.72))


def _largest(distances: np.ndarray) -> np.ndarray:
    """The largest over the starts that are there, at every time but the first, where all paths are together."""
    known = np.isfinite(distances)
    largest = np.max(distances, axis=0, where=known, initial=FOOT)
    return np.where(known.any(axis=0) & (np.arange(largest.size) > 0), largest, np.nan)


def _title(cell: xr.Dataset) -> str:
    d, manifold = int(cell["d"]), str(cell["manifold"].values)
    power = str(d - (manifold == "sphere")).translate(POWERS)
    held = f", {fixed} fixed" if (fixed := int(cell["fixed"])) else ""
    name = str(cell["potential"].values).replace("_", " ").capitalize()
    return f"{name} on {MANIFOLDS[manifold]}{power}{held}"
