"""What a descent returns: one labelled dataset, and the way back from it to parameters.

Dimensions are `start` and `step` (the recorded steps) and the axes of whatever else was recorded. For each start:
`outcome` (words), `steps`, `final_loss`, `final_gradient_norm`, `final_time`, and the final parameters under the names
of the landscape's leaves (`positions(start, particle, coordinate)`, `charges(start, particle)`; a bare array is called
`parameters`). For each start and recorded step: `loss`, `gradient_norm`, `time`, and each probe. A start that has ended
keeps its last values.

A trajectory of electrons whose paths were recorded (probe `path`) makes pictures of itself (`draw`, `animate`).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import PyTree

import earnshaw
from earnshaw.descent.outcomes import labels
from earnshaw.descent.probe import ALWAYS, Probe
from earnshaw.descent.run import Result
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape

#: Names for the axes of parameters that many landscapes have.
AXES = {"positions": ("particle", "coordinate"), "charges": ("particle",)}
PER_START = ("outcome", "steps", "final_loss", "final_gradient_norm", "final_time", "start", "step")


class Trajectory(xr.Dataset):
    """What `descend` returns: an `xarray.Dataset` that also makes pictures of electrons and protons.

    One that was read from a file is a plain dataset, and a trajectory again as `Trajectory.of(dataset)`.
    """

    __slots__ = ()

    @classmethod
    def of(cls, dataset: xr.Dataset) -> "Trajectory":
        """The same data as a trajectory.

        >>> type(Trajectory.of(xr.Dataset({"loss": ("start", [1.0])}))).__name__
        'Trajectory'
        """
        return cls(dict(dataset.data_vars), dict(dataset.coords), dataset.attrs)

    def draw(
        self,
        landscape: Landscape,
        *,
        starts: int | Sequence[int] = 0,
        width: float | int = 6.4,
        height: float | int | None = None,
    ) -> Any:
        """A figure of the electrons' paths among the protons, in the plane over the level lines of the potential.

        It needs the probe `path` and d = 2 or 3. `starts` are the ones that are shown; sizes are in inches, and without
        a height the figure has the shape of what it shows. Negative protons have a colour of their own.

        >>> from earnshaw import probes
        >>> from earnshaw.descent import GradientDescent, Stop, descend
        >>> from earnshaw.landscapes import Particles
        >>> from earnshaw.duality import potentials
        >>> landscape = Particles(potentials.get("gaussian"), jnp.array([[-1.0, 0.0], [1.0, 0.5]]))
        >>> seen = [probes.get("path")]
        >>> trajectory = descend(landscape, GradientDescent(0.1), 1, stop=Stop(steps=20), probes=seen)
        >>> type(trajectory.draw(landscape)).__name__
        'Figure'
        """
        from earnshaw.descent.animation import picture
        from earnshaw.descent.scene import Scene

        return picture(Scene(self, landscape, starts), width, height)

    def animate(
        self,
        path: str | Path,
        landscape: Landscape,
        *,
        starts: int | Sequence[int] = 0,
        seconds: float | int = 5.0,
        rate: int = 20,
        width: float | int = 6.4,
        height: float | int | None = None,
    ) -> Path:
        """Write a film of the electrons' way to the protons: a GIF, or an MP4 where ffmpeg is installed.

        Every picture is as much farther along the way of all electrons together as the one before, whatever the number
        of steps between them, so that slow ends take no time. In space the camera turns. Sizes are in inches of 100
        pixels; the rest is as in `draw`. Returns the path that was written.
        """
        from earnshaw.descent.animation import animate
        from earnshaw.descent.scene import Scene

        scene = Scene(self, landscape, starts)
        return animate(scene, Path(path), seconds=seconds, rate=rate, width=width, height=height)


def assemble(
    result: Result,
    *,
    landscape: Landscape,
    algorithm: eqx.Module,
    stop: eqx.Module,
    probes: tuple[Probe, ...],
    seed: Any,
) -> Trajectory:
    """The dataset of a finished descent."""
    variables: dict[str, Any] = {}
    described = {probe.name: probe for probe in probes}
    for name, values in result.records.items():
        variables[name] = _recorded(name, values, described.get(name))
    usual = {probe.name: probe for probe in ALWAYS}
    variables["outcome"] = ("start", labels(result.outcomes), {"long_name": "how the descent ended"})
    variables["steps"] = ("start", result.steps, {"long_name": "steps made", "units": "1"})
    for name in ("loss", "gradient_norm", "time"):
        attributes = {"long_name": f"final {usual[name].long_name}", "units": "1"}
        variables[f"final_{name}"] = ("start", result.final[name], attributes)
    for name, leaf in zip(_leaf_names(result.params), jax.tree.leaves(result.params), strict=True):
        dims = ("start", *_axes(name, leaf.ndim - 1))
        variables[name] = (dims, leaf, {"long_name": f"final {name.replace('_', ' ')}", "units": "1"})
    coordinates = {
        "start": ("start", np.arange(len(result.steps)), {"long_name": "start"}),
        "step": ("step", result.marks, {"long_name": "step", "units": "1"}),
    }
    attributes = {
        "landscape": _described(landscape),
        "algorithm": _described(algorithm),
        "stop": _described(stop),
        "seed": seed,
        "earnshaw_version": earnshaw.__version__,
        "jax_version": jax.__version__,
    }
    return Trajectory(variables, coordinates, attributes)


def endpoints(trajectory: xr.Dataset, landscape: Landscape) -> PyTree:
    """The final parameters of all starts, as the batched pytree that the landscape works on.

    >>> from earnshaw.descent import GradientDescent, Stop, descend
    >>> from earnshaw.landscapes import Quadratic
    >>> bowl = Quadratic(jnp.eye(2))
    >>> trajectory = descend(bowl, GradientDescent(0.5), jnp.ones((1, 2)), stop=Stop(steps=2))
    >>> endpoints(trajectory, bowl).tolist()
    [[0.25, 0.25]]
    """
    shape = jax.eval_shape(landscape.init, jax.random.key(0))
    leaves = []
    for name, leaf in zip(_leaf_names(shape), jax.tree.leaves(shape), strict=True):
        if name not in trajectory:
            raise EarnshawError(f"the trajectory has no parameters {name!r}, so it does not belong to this landscape")
        found = trajectory[name].transpose("start", ...).values
        if found.shape[1:] != leaf.shape:
            raise EarnshawError(
                f"the trajectory's {name} have shape {found.shape[1:]} for each start "
                f"and the landscape's {leaf.shape}, so they do not belong together"
            )
        leaves.append(jnp.asarray(found, leaf.dtype))
    return jax.tree.unflatten(jax.tree.structure(shape), leaves)


def check_names(recorded: Iterable[str], params: PyTree) -> None:
    """Refuse probes that record something under a name that every trajectory has."""
    taken = set(recorded) & {*PER_START, *_leaf_names(params)}
    if taken:
        raise EarnshawError(f"no probe may record {min(taken)!r}, because every trajectory has something of that name")


def _recorded(name: str, values: np.ndarray, probe: Probe | None) -> tuple[tuple[str, ...], np.ndarray, dict[str, str]]:
    axes = tuple(f"{name}_axis_{i}" for i in range(values.ndim - 2))
    attributes = {"long_name": name.replace("_", " "), "units": "1"}
    if probe is not None:
        if probe.dims is not None and len(probe.dims) == len(axes):
            axes = probe.dims
        attributes = {"long_name": probe.long_name or attributes["long_name"], "units": probe.units}
    return ("start", "step", *axes), values, attributes


def _leaf_names(params: PyTree) -> list[str]:
    names = []
    for path, _ in jax.tree_util.tree_leaves_with_path(params):
        words = [str(getattr(entry, "name", getattr(entry, "key", getattr(entry, "idx", "")))) for entry in path]
        if not words or not words[0].isidentifier():
            words.insert(0, "parameters")
        names.append("_".join(words))
    return names


def _axes(name: str, count: int) -> tuple[str, ...]:
    known = AXES.get(name, ())
    return known if len(known) == count else tuple(f"{name}_axis_{i}" for i in range(count))


def _described(module: eqx.Module) -> str:
    # Numbers such as a step size are worth reading; arrays only by their shape.
    plain = jax.tree.map(lambda leaf: leaf.item() if eqx.is_array(leaf) and leaf.ndim == 0 else leaf, module)
    return " ".join(eqx.tree_pformat(plain, short_arrays=True).split())
