"""Critical points of every kind, by Newton's method on the gradient: the saddles that no descent ends in."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import PyTree

from earnshaw.landscapes.landscape import Landscape
from earnshaw.theorems.search.end_points import EndPoints, classify
from earnshaw.theorems.search.local import ACCURACY, look


def critical_points(
    landscape: Landscape,
    starts: PyTree,
    *,
    steps: int = 60,
    longest: float = 0.5,
    collision: float = 0.0,
    accuracy: float = ACCURACY,
    **settings: Any,
) -> EndPoints:
    """Where Newton's method, with steps of at most `longest`, leads from a batch of points; all of them, classified.

    Those that lead nowhere are labelled "not critical". Saddles attract this method as much as minima do, so it finds
    the critical points at which a theorem has something to say.

    >>> from earnshaw.landscapes import DoubleWell
    >>> critical_points(DoubleWell(), jnp.array([[0.2, 0.3], [1.2, 0.3]])).label.tolist()
    ['saddle', 'minimum']
    """
    points = jax.tree.map(jnp.asarray, starts)
    room = (jnp.asarray(longest, float), jnp.asarray(0.5 if collision > 0 else 0.0), jnp.asarray(accuracy, float))
    for _ in range(steps):
        points = look(landscape.adapt(points), points, *room).newton
    return classify(landscape, points, collision=collision, accuracy=accuracy, **settings)
