"""Electrons fall onto protons in the plane, over the level lines of the protons' potential.

    python examples/electrons_and_protons.py [FILE]

draws the picture of the README and writes it to FILE (docs/assets/readme.png unless given).
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import earnshaw as es
from earnshaw.landscapes import Electrons
from earnshaw.studies import style

PROTONS = jnp.array([[-7.0, -2.2], [-3.6, 3.4], [0.4, -3.6], [2.0, 2.6], [6.0, -2.4], [8.0, 3.0]])
STARTS = 16
BLUE, RED, PURPLE = "#4477AA", "#EE6677", "#AA3377"


def descended():
    """The landscape, and where its electrons are at every recorded step."""
    potential = es.potentials.get("inverse_multiquadric")
    landscape = es.Particles(potential, PROTONS)
    corner = jnp.array([10.5, 5.5])
    starts = Electrons(jax.random.uniform(jax.random.key(0), (STARTS, len(PROTONS), 2), minval=-corner, maxval=corner))
    trajectory = es.descend(
        landscape,
        es.GradientDescent(0.2),
        starts,
        stop=es.Stop(steps=20_000, gradient_norm=1e-9),
        probes=[es.Probe("path", lambda landscape, state: state.params.positions)],
        schedule=es.Logarithmic(64),
    )
    return landscape, trajectory


def draw(landscape, trajectory):
    """The figure."""
    x, y = np.linspace(-11, 11, 301), np.linspace(-6, 6, 165)
    points = jnp.stack(jnp.meshgrid(x, y), axis=-1).reshape(-1, 2)
    energy = landscape.potential.matrix(points, PROTONS).sum(axis=1).reshape(len(y), len(x))
    found = trajectory.final_loss.values < 1e-6
    with style.paper():
        figure, axes = style.subplots(width=style.PAGE, height=style.PAGE * 12 / 22)
        axes.contour(x, y, energy, levels=np.geomspace(energy.min(), energy.max(), 22), cmap="cividis", linewidths=0.6)
        axes.plot(*PROTONS.T, "o", color=RED, markersize=13, alpha=0.8, label="protons")
        for chosen, colour, label in (
            (found, BLUE, "the minimum, one on each proton"),
            (~found, PURPLE, "a spurious minimum"),
        ):
            paths = trajectory.path.values[chosen].transpose(3, 1, 0, 2).reshape(2, trajectory.sizes["step"], -1)
            axes.plot(*paths, color=colour, linewidth=0.9, alpha=0.6)
            axes.plot(*paths[:, -1], "o", color=colour, markersize=4, label=f"electrons that end in {label}")
        axes.set(xlim=(-11, 11), ylim=(-6, 6), aspect="equal", xticks=[], yticks=[])
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.legend(loc="upper left", fontsize=8, frameon=True, edgecolor="none")
    return figure


def main() -> None:
    """Draw and write the picture."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/assets/readme.png")
    landscape, trajectory = descended()
    ended, times = np.unique(trajectory.outcome.values, return_counts=True)
    print(f"{STARTS} starts: {dict(zip(ended.tolist(), times.tolist(), strict=True))}")
    with style.paper():
        draw(landscape, trajectory).savefig(out, dpi=180)
    print(out)


if __name__ == "__main__":
    main()
