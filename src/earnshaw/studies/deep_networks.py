"""What the studies `width` and `depth-width` share: deep students that learn deep teachers, and trends over sizes."""

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jax.tree_util import Partial
from jaxtyping import Array, PRNGKeyArray

from earnshaw.descent import GradientDescent, Logarithmic, Probe, State, Stop, descend
from earnshaw.errors import EarnshawError
from earnshaw.landscapes import DeepStudent, Empirical, Landscape, deep_teachers, draw_layers, narrowed
from earnshaw.numerics.intervals import mean_interval
from earnshaw.studies.study import Cell, Parameters
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: float32: errors of a network on data are not asked to more digits, and twice as many of them fit a register.
PRECISION = jnp.float32
RECORDS_PER_DECADE = 8
#: Errors below this are drawn and fitted as this, so that their logarithm is finite.
FLOOR = 1e-9


def starts_and_shards(parameters: Parameters) -> tuple[int, int]:
    """How many starts a shard has, and how many shards a cell."""
    starts, together = parameters["starts"], parameters["together"]
    if starts < 2:
        raise EarnshawError(f"error bars need at least 2 starts, not {starts}")
    if together < 1 or starts % together:
        raise EarnshawError(f"{starts} starts cannot be divided into shards of {together}")
    return together, starts // together


def shards(cell: Cell, parameters: Parameters) -> int:
    """As many as there are groups of `together` starts."""
    return starts_and_shards(parameters)[1]


def cost(cell: Cell, parameters: Parameters) -> float:
    """Multiplications of all the steps; a tanh counts as forty."""
    width = max(cell["width"], parameters["padded"])
    layers = cell["depth"] - 2
    each = width * (parameters["d"] + 40) + layers * width * (width + 40) + width + 40
    return float(parameters["starts"]) * parameters["iterations"] * (parameters["n"] * each + 1e4)


def compute(cell: Cell, key: PRNGKeyArray, parameters: Parameters) -> xr.Dataset:
    """Test and training errors of `together` students along gradient descent, each with a teacher and data of its own.

    The loss that descends is Σᵢ (student(xᵢ) − teacher(xᵢ))² over the n examples, so that a step of size α on it is
    one of size αn on the mean, which is what `Empirical` computes.
    """
    together, _ = starts_and_shards(parameters)
    training, test, students = drawn(cell, key, parameters, together)
    trajectory = descend(
        training,
        GradientDescent(parameters["step"] * parameters["n"]),
        students,
        stop=Stop(steps=parameters["iterations"], gradient_norm=None),
        probes=[Probe("test_error", Partial(_error_on, test), long_name="mean squared error on fresh examples")],
        schedule=Logarithmic(RECORDS_PER_DECADE),
        progress=False,
    )
    axes = ("start", "step")
    answers = np.asarray(test.inputs)[:, :, -1]
    return xr.Dataset(
        {
            "test_error": (axes, trajectory["test_error"].values, {"long_name": "mean squared error, fresh examples"}),
            "train_error": (axes, trajectory["loss"].values, {"long_name": "mean squared error, training examples"}),
            "variance": ("start", np.var(answers, axis=0), {"long_name": "variance of the teacher's answers"}),
            "outcome": ("start", trajectory["outcome"].values),
        },
        coords={"step": ("step", trajectory["step"].values, {"long_name": "iteration", "units": "1"})},
    )


def drawn(
    cell: Cell, key: PRNGKeyArray, parameters: Parameters, count: int
) -> tuple[Empirical, Empirical, DeepStudent]:
    """The training loss, the test loss and the starts of so many students."""
    widest = max(cell["width"], parameters["padded"])
    shape = {"depth": cell["depth"], "width": widest, "d": parameters["d"]}
    used = jnp.asarray(cell["width"])
    of_teachers, of_students, *of_data = jax.random.split(key, 4)
    teachers = _networks(jax.random.split(of_teachers, count), used, shape)
    training, test = (
        deep_teachers(
            teachers,
            jax.random.normal(one, (count, parameters[size], parameters["d"]), PRECISION),
            slope=parameters["slope"],
        )
        for one, size in zip(of_data, ("n", "test"), strict=True)
    )
    students = _networks(jax.random.split(of_students, count), used, shape)
    return training, test, DeepStudent(students, jnp.arange(count, dtype=PRECISION))


@eqx.filter_jit
def _networks(keys: Array, width: Array, shape: dict[str, int]) -> tuple[Array, ...]:
    """A network of that shape for each key, with weights for a part of its width."""
    return jax.vmap(lambda key: narrowed(draw_layers(key, **shape, dtype=PRECISION), width))(keys)


def summary(one: xr.Dataset) -> dict[str, Any]:
    """The columns of a cell that both tables have."""
    final = one["test_error"].values[:, -1]
    low, high = mean_interval(final)
    return {
        "starts": len(final),
        "test_error": float(np.mean(final)),
        "low": low,
        "high": high,
        "train_error": float(np.mean(one["train_error"].values[:, -1])),
        "at_start": float(np.mean(one["test_error"].values[:, 0])),
        "variance": float(np.mean(one["variance"].values)),
        "not_finite": int(np.sum(one["outcome"].values == "not finite")),
    }


def exponent(sizes: Sequence[int], values: np.ndarray) -> tuple[float, float, float]:
    """The p of values ∝ sizeᵖ with its 95 % interval; `values` has shape (sizes, starts).

    Each start gives one p, by least squares in logarithms over the sizes; starts are independent, so Student's interval
    of their mean needs neither equal spreads at all sizes nor a true power law.
    """
    logs = np.log(np.asarray(sizes, float))
    centred = logs - logs.mean()
    slopes = centred @ np.log(np.maximum(values, FLOOR)) / (centred @ centred)
    return (float(np.mean(slopes)), *mean_interval(slopes))


def growth(source: str, what: str, sizes: Sequence[int], values: np.ndarray, theirs: str) -> Verdict:
    """Whether values of shape (sizes, starts) grow with the size: as a trend, which one step down does not refute."""
    finite = bool(np.all(np.isfinite(values)))
    needed = (
        Hypothesis("two sizes at least", len(sizes) > 1, len(sizes)),
        Hypothesis("every error is a number", finite, int(np.sum(~np.isfinite(values)))),
    )
    if not all(hypothesis.met for hypothesis in needed):
        return decide(source, needed, theirs, None, float("nan"), note=what)
    p, low, high = exponent(sizes, values)
    margin = low if low > 0 else high if high < 0 else float("nan")
    measured = {"exponent": p, "low": low, "high": high}
    return decide(source, needed, theirs, measured, margin, note=what)


def below(source: str, what: str, values: np.ndarray, threshold: float) -> Verdict:
    """Whether the mean of these errors is below a threshold: `inconclusive` while its interval contains it."""
    needed = (Hypothesis("every error is a number", bool(np.all(np.isfinite(values))), None),)
    low, high = mean_interval(values)
    margin = threshold - high if high <= threshold else threshold - low if low > threshold else float("nan")
    measured = {"mean": float(np.mean(values)), "low": low, "high": high}
    return decide(source, needed, f"mean error at most {threshold:g}", measured, margin, note=what)


def _error_on(test: Empirical, landscape: Landscape, state: State) -> Array:
    return test.loss(state.params)
