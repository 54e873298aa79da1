"""The only loop of the package: run any algorithm on a landscape from many starts at once."""

from collections.abc import Iterable

import jax
from jaxtyping import PRNGKeyArray, PyTree

from earnshaw.descent.algorithm import Algorithm
from earnshaw.descent.devices import device_count
from earnshaw.descent.probe import ALWAYS, Probe
from earnshaw.descent.progress import Listener, listener
from earnshaw.descent.run import Run
from earnshaw.descent.schedule import Logarithmic, Schedule
from earnshaw.descent.starts import as_key, draw
from earnshaw.descent.stop import Stop
from earnshaw.descent.trajectory import Trajectory, assemble, check_names
from earnshaw.errors import EarnshawError
from earnshaw.landscapes.batch import cores
from earnshaw.landscapes.landscape import Landscape


def descend(
    landscape: Landscape,
    algorithm: Algorithm,
    starts: int | PyTree,
    *,
    stop: Stop | None = None,
    probes: Iterable[Probe] = (),
    schedule: Schedule | None = None,
    key: int | PRNGKeyArray = 0,
    progress: bool | Listener | None = None,
    threads: int | None = None,
) -> Trajectory:
    """Descend from every start until a stop rule ends it, and return what was recorded.

    `starts` is a number of random starts (start i is drawn with a key folded from `key` and i, so it does not depend
    on how many others there are) or a batch of parameters with a leading axis. `probes` look at the steps of
    `schedule` (default: 16 records per decade of steps), at step 0, and where each start ends; loss, gradient norm and
    time are always recorded. A start that has ended keeps its last record.

    Starts that have ended leave the batch. Neither the number of `threads` (default: one per core) nor the speed of
    the machine has any influence on the result. Ctrl-C ends the running starts as "interrupted" and returns what there
    is. `progress` is a function that is told now and then, True or False for a bar on stderr, or None for a bar if
    stderr is a terminal.

    Returns a `Trajectory`, an `xarray.Dataset` as described in `earnshaw.descent.trajectory`.

    >>> import jax.numpy as jnp
    >>> from earnshaw.descent import GradientDescent
    >>> from earnshaw.landscapes import Quadratic
    >>> trajectory = descend(Quadratic(jnp.eye(2)), GradientDescent(0.5), 3, stop=Stop(steps=100, gradient_norm=1e-3))
    >>> trajectory.outcome.values.tolist()
    ['converged', 'converged', 'converged']
    >>> lines = trajectory.loss.plot.line(x="step", add_legend=False)
    """
    if stop is None and isinstance(algorithm, Algorithm):
        stop = algorithm.default_stop()
    schedule = Logarithmic(16) if schedule is None else schedule
    _check(landscape, algorithm, stop, schedule, threads)
    assert stop is not None
    watched = _with_the_usual(tuple(probes))
    root = as_key(key)
    params, keys = draw(landscape, starts, root)
    run = Run(landscape.adapt(params), algorithm, stop, watched, schedule.marks(stop.steps), params, keys)
    check_names(run.recorded, params)
    with listener(progress) as tell:
        run.to_the_end(tell, max(threads or cores(), device_count()))
    seed = int(key) if isinstance(key, int) else jax.random.key_data(root).tolist()
    return assemble(run.result(), landscape=landscape, algorithm=algorithm, stop=stop, probes=watched, seed=seed)


def _with_the_usual(probes: tuple[Probe, ...]) -> tuple[Probe, ...]:
    names = [probe.name for probe in probes]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise EarnshawError(f"two probes are called {twice!r}; every probe needs a name of its own")
    return tuple(probe for probe in ALWAYS if probe.name not in names) + probes


def _check(landscape: object, algorithm: object, stop: object, schedule: object, threads: object) -> None:
    expected = {
        "landscape": (landscape, Landscape, "a Landscape"),
        "algorithm": (algorithm, Algorithm, "an Algorithm, such as GradientDescent(0.1)"),
        "stop": (stop, Stop, "a Stop"),
        "schedule": (schedule, Schedule, "a Schedule, such as Every(10)"),
    }
    for name, (value, kind, wanted) in expected.items():
        if not isinstance(value, kind):
            raise EarnshawError(f"{name} must be {wanted}, not {value!r}")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise EarnshawError(f"threads must be a whole number of at least 1, not {threads!r}")
