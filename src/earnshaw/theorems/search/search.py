"""Descend from many starts, and say what every end point is."""

from typing import Any

from jaxtyping import PRNGKeyArray, PyTree

from earnshaw.descent import Algorithm, SaddleFreeDescent, Stop, descend, endpoints
from earnshaw.landscapes.landscape import Landscape
from earnshaw.theorems.search.end_points import EndPoints, classify


def search(
    landscape: Landscape,
    starts: int | PyTree,
    key: int | PRNGKeyArray = 0,
    *,
    algorithm: Algorithm | None = None,
    stop: Stop | None = None,
    collision: float = 0.0,
    threads: int | None = None,
    **settings: Any,
) -> EndPoints:
    """Descend from `starts` (a number, or a batch of parameters) and `classify` the end points.

    Unless another `algorithm` is given it is `SaddleFreeDescent`, which finds minima fast and heeds `collision`: set
    this above 0 for potentials with a pole or a kink. With another algorithm an electron that ends within `collision`
    of another particle has collapsed all the same. `settings` are those of `classify`.

    >>> from earnshaw.landscapes import DoubleWell
    >>> search(DoubleWell(), 4).counts()
    {'minimum': 4}
    """
    algorithm = SaddleFreeDescent(collision=collision) if algorithm is None else algorithm
    stop = Stop(steps=500, gradient_norm=1e-12) if stop is None else stop
    trajectory = descend(landscape, algorithm, starts, stop=stop, key=key, progress=False, threads=threads)
    points = endpoints(trajectory, landscape)
    return classify(landscape, points, collision=collision, outcome=trajectory.outcome.values, **settings)
