"""Electrons fall onto protons: in the plane over the level lines of the protons' potential, in space and on a sphere.

    python examples/electrons_and_protons.py [DIRECTORY]

writes the pictures and films of the README and of the page "Electrons and protons" into DIRECTORY (docs/assets unless
given): readme.png, electrons-plane.gif, electrons-space.gif, electrons-sphere.png.
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


def descended(landscape, starts, step_size):
    """Where the electrons are at every recorded step."""
    return es.descend(
        landscape,
        es.GradientDescent(step_size),
        starts,
        stop=es.Stop(steps=20_000, gradient_norm=1e-9),
        probes=[es.probes.get("path")],
        schedule=es.Logarithmic(64),
    )


def in_the_plane():
    """Six protons, and electrons that start anywhere among them."""
    landscape = es.Particles(es.potentials.get("inverse_multiquadric"), PROTONS)
    corner = jnp.array([10.5, 5.5])
    starts = Electrons(jax.random.uniform(jax.random.key(0), (STARTS, len(PROTONS), 2), minval=-corner, maxval=corner))
    return landscape, descended(landscape, starts, 0.2)


def in_space():
    """Seven protons in R^3, under the same potential."""
    protons = 2.5 * jax.random.normal(jax.random.key(5), (7, 3))
    landscape = es.Particles(es.potentials.get("inverse_multiquadric"), protons)
    starts = Electrons(3.5 * jax.random.normal(jax.random.key(6), (STARTS, 7, 3)))
    return landscape, descended(landscape, starts, 0.1)


def on_a_sphere():
    """Four ReLU units with weights of norm 1, seen as charges."""
    weights = jnp.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-0.6, -0.64, 0.48]])
    landscape = es.Particles.teacher_student("relu", weights, manifold=es.Sphere())
    return landscape, descended(landscape, STARTS, 0.1)


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
            paths = trajectory["path"].values[chosen].transpose(3, 1, 0, 2).reshape(2, trajectory.sizes["step"], -1)
            axes.plot(*paths, color=colour, linewidth=0.9, alpha=0.6)
            axes.plot(*paths[:, -1], "o", color=colour, markersize=4, label=f"electrons that end in {label}")
        axes.set(xlim=(-11, 11), ylim=(-6, 6), aspect="equal", xticks=[], yticks=[])
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.legend(loc="upper left", fontsize=8, frameon=True, edgecolor="none")
    return figure


def first_that_found(trajectory):
    """A start whose electrons all end on protons, the one whose electrons go farthest."""
    way = np.linalg.norm(np.diff(trajectory["path"].values, axis=1), axis=-1).sum(axis=(1, 2))
    return int(np.argmax(np.where(trajectory.final_loss.values < 1e-6, way, -1.0)))


def main() -> None:
    """Draw and write the pictures."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/assets")
    landscape, trajectory = in_the_plane()
    ended, times = np.unique(trajectory.outcome.values, return_counts=True)
    print(f"{STARTS} starts: {dict(zip(ended.tolist(), times.tolist(), strict=True))}")
    with style.paper():
        draw(landscape, trajectory).savefig(out / "readme.png", dpi=180)
    print(trajectory.animate(out / "electrons-plane.gif", landscape, starts=first_that_found(trajectory), width=7.2))
    landscape, trajectory = in_space()
    print(trajectory.animate(out / "electrons-space.gif", landscape, starts=first_that_found(trajectory), width=4.8))
    landscape, trajectory = on_a_sphere()
    trajectory.draw(landscape, starts=first_that_found(trajectory), width=4.8).savefig(out / "electrons-sphere.png")


if __name__ == "__main__":
    main()
