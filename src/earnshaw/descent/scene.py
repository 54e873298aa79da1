"""Where electrons and protons are, and how that is drawn: on a dark ground, in the plane, in space or on a globe."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere
from earnshaw.landscapes.landscape import Landscape

GROUND, LINES, INK = "#0d1321", "#2f4a73", "#c9d4e8"
ELECTRON, PROTON, OTHER_PROTON = "#66ccee", "#ee6677", "#ccbb44"
LEVELS = 18
#: Points along an edge at which the potential is evaluated.
GRID = 200
#: The picture shows the protons and this much more on every side, as a share of their extent, where electrons go there.
MARGIN, FARTHEST = 0.15, 1.0


class Scene:
    """The paths of the electrons of some starts, shape (records, particles, d), and what they move among."""

    def __init__(self, trajectory: xr.Dataset, landscape: Landscape, starts: int | Sequence[int]):
        protons = getattr(landscape, "protons", None)
        if protons is None:
            raise EarnshawError(
                f"a picture needs a landscape of electrons and protons, such as Particles, "
                f"not {type(landscape).__name__}"
            )
        self.landscape, self.protons = landscape, np.asarray(protons)
        self.d = self.protons.shape[1]
        if self.d not in (2, 3):
            raise EarnshawError(f"electrons and protons are drawn in 2 and 3 dimensions, not in {self.d}")
        if "path" not in trajectory:
            raise EarnshawError(
                "the trajectory has no record of where its electrons were; descend with "
                'probes=[earnshaw.probes.get("path")]'
            )
        chosen = [starts] if isinstance(starts, int | np.integer) else list(starts)
        count = trajectory.sizes["start"]
        if not chosen or any(not isinstance(one, int | np.integer) or not 0 <= one < count for one in chosen):
            raise EarnshawError(f"the trajectory has the starts 0 to {count - 1}, not {starts!r}")
        paths = trajectory["path"].transpose("start", "step", ...).values[chosen]
        if paths.ndim != 4 or paths.shape[-1] != self.d:
            raise EarnshawError(
                f"the recorded paths have shape {paths.shape[2:]} at each step and the protons have {self.d} "
                "coordinates, so they do not belong together"
            )
        if not np.all(np.isfinite(paths)):
            raise EarnshawError("an electron of these starts was lost: its position is not a number")
        self.paths = np.concatenate(list(paths), axis=1)
        self.steps = trajectory["step"].values
        self.globe = isinstance(getattr(landscape, "place", None), Sphere) and self.d == 3

    def at(self, moment: float) -> np.ndarray:
        """Positions at a place between 0 and 1 of the way that all electrons together make, and all before it."""
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.paths, axis=0), axis=-1).sum(axis=1))])
        goal = moment * way[-1]
        after = int(np.searchsorted(way, goal, side="left"))
        if after == 0:
            return self.paths[:1]
        share = (goal - way[after - 1]) / max(way[after] - way[after - 1], np.finfo(float).tiny)
        now = self.paths[after - 1] + share * (self.paths[after] - self.paths[after - 1])
        return np.concatenate([self.paths[:after], now[None]])

    def limits(self) -> np.ndarray:
        """The least and largest coordinate that is shown, shape (2, d)."""
        low, high = self.protons.min(axis=0), self.protons.max(axis=0)
        extent = max(float(np.max(high - low)), 1e-3)
        seen = self.paths.reshape(-1, self.d)
        low = np.clip(np.minimum(low, seen.min(axis=0)), low - FARTHEST * extent, None)
        high = np.clip(np.maximum(high, seen.max(axis=0)), None, high + FARTHEST * extent)
        return np.stack([low - MARGIN * extent, high + MARGIN * extent])

    def canvas(self, width: float | int, height: float | int | None, dpi: int) -> tuple[Any, Any]:
        """A figure with all that stands still; without a height it has the shape of what is shown."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        low, high = self.limits()
        tall = height
        if tall is None:
            tall = width * (np.clip((high - low)[1] / (high - low)[0], 0.4, 1.2) if self.d == 2 else 0.8)
        # Whole and even numbers of pixels, which films need.
        width, height = (2 * round(size * dpi / 2) / dpi for size in (width, tall))
        figure = Figure(figsize=(width, height), dpi=dpi, facecolor=GROUND)
        FigureCanvasAgg(figure)
        room: Any = {"projection": "3d", "computed_zorder": False} if self.d == 3 else {}
        axes: Any = figure.add_axes((0.0, 0.06 if room and not self.globe else 0.0, 1.0, 1.0), facecolor=GROUND, **room)
        axes.set_axis_off()
        if self.d == 2:
            self._plane(axes, low, high, height / width)
        else:
            self._space(axes, low, high)
        return figure, axes

    def _plane(self, axes: Any, low: np.ndarray, high: np.ndarray, shape: float) -> None:
        middle, half = (low + high) / 2, (high - low) / 2
        half = np.maximum(half, [half[1] / shape, half[0] * shape])
        (left, bottom), (right, top) = middle - half, middle + half
        axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
        x, y = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
        energy = self._energy(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)).reshape(GRID, GRID)
        known = energy[np.isfinite(energy)]
        levels = np.unique(np.quantile(known, np.linspace(0.02, 0.985, LEVELS))) if known.size else []
        if len(levels) > 1:
            axes.contour(x, y, energy, levels=levels, colors=LINES, linewidths=0.7, linestyles="solid")
        self._protons(lambda chosen, **look: axes.scatter(*chosen.T, **look))

    def _space(self, axes: Any, low: np.ndarray, high: np.ndarray) -> None:
        half = np.max(high - low) / 2
        for name, middle in zip("xyz", (low + high) / 2, strict=True):
            axes.set(**{f"{name}lim": (middle - half, middle + half)})
        axes.set_box_aspect((1, 1, 1), zoom=1.45 if self.globe else 1.2)
        if self.globe:
            turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(-np.pi / 2, np.pi / 2, 19))
            ball = np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)
            axes.plot_wireframe(*ball, color=LINES, linewidth=0.4, rstride=2, cstride=2)
        else:
            # Stems to a floor, without which nobody sees how far away a point is.
            floor = (low + high)[2] / 2 - half
            for one in self.protons:
                axes.plot(*np.array([one, [*one[:2], floor]]).T, color=LINES, linewidth=0.7, zorder=1)
            for place in np.linspace(-half, half, 9):
                for line in ([[place, -half], [place, half]], [[-half, place], [half, place]]):
                    ends = np.array(line) + (low + high)[:2] / 2
                    axes.plot(*ends.T, [floor, floor], color=LINES, linewidth=0.4, alpha=0.6, zorder=0)
        self._protons(lambda chosen, **look: axes.scatter(*chosen.T, depthshade=False, **look))

    def _protons(self, scatter: Any) -> None:
        """A glow and a disc for each, in another colour where the charge is negative."""
        charges = np.asarray(getattr(self.landscape, "charges", np.ones(len(self.protons))))
        for sign, colour in ((charges >= 0, PROTON), (charges < 0, OTHER_PROTON)):
            for size, alpha in ((520, 0.14), (260, 0.25), (90, 1.0)):
                if sign.any():
                    scatter(self.protons[sign], s=size, color=colour, alpha=alpha, linewidths=0, zorder=3)

    def _energy(self, points: np.ndarray) -> np.ndarray:
        potential: Any = getattr(self.landscape, "potential", None)
        if potential is None:
            return np.full(len(points), np.nan)
        charges = jnp.asarray(getattr(self.landscape, "charges", jnp.ones(len(self.protons))))
        return np.asarray(potential.matrix(jnp.asarray(points), jnp.asarray(self.protons)) @ charges)

    def electrons(self, axes: Any) -> "Electrons":
        """The artists that move."""
        return Electrons(axes, self.paths.shape[1], self.d)


class Electrons:
    """Trails and heads of all electrons on an axes."""

    def __init__(self, axes: Any, count: int, d: int):
        nothing = np.empty((d, 0))
        self.trails = [
            axes.plot(*nothing, color=ELECTRON, linewidth=1.1, alpha=0.55, solid_capstyle="round", zorder=4)[0]
            for _ in range(count)
        ]
        self.heads = [
            axes.plot(*nothing, "o", color=ELECTRON, markersize=size, alpha=alpha, markeredgewidth=0, zorder=5)[0]
            for size, alpha in ((11, 0.2), (7.5, 0.35), (4.5, 1.0))
        ]

    def move(self, past: np.ndarray) -> None:
        """Show electrons that have been at `past`, shape (records, particles, d), and are at its end."""
        for trail, path in zip(self.trails, past.transpose(1, 2, 0), strict=True):
            _place(trail, path)
        for head in self.heads:
            _place(head, past[-1].T)

    @property
    def artists(self) -> list[Any]:
        """All of them."""
        return [*self.trails, *self.heads]


def _place(line: Any, coordinates: np.ndarray) -> None:
    if len(coordinates) == 3:
        line.set_data_3d(*coordinates)
    else:
        line.set_data(*coordinates)
