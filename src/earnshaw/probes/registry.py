"""Ready-made probes by name."""

from collections.abc import Callable
from typing import Any

from earnshaw.descent.probe import Probe
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.probes.almost_critical import almost_critical
from earnshaw.probes.distance_from_start import distance_from_start
from earnshaw.probes.gradient_norm import gradient_norm
from earnshaw.probes.hessian_eigenvalues import largest_hessian_eigenvalue, smallest_hessian_eigenvalue
from earnshaw.probes.loss import loss
from earnshaw.probes.matching import matching
from earnshaw.probes.nodes import nodes
from earnshaw.probes.path import path

_PROBES: dict[str, Probe | Callable[..., Probe]] = {
    "almost_critical": almost_critical,
    "distance_from_start": distance_from_start,
    "gradient_norm": gradient_norm,
    "largest_hessian_eigenvalue": largest_hessian_eigenvalue,
    "loss": loss,
    "matching": matching,
    "path": path,
    "nodes": nodes,
    "smallest_hessian_eigenvalue": smallest_hessian_eigenvalue,
}


def get(name: str, **settings: Any) -> Probe:
    """The ready-made probe of that name, with its settings if it has any.

    >>> get("loss").name
    'loss'
    >>> get("los")
    Traceback (most recent call last):
        ...
    earnshaw.errors.EarnshawError: unknown probe 'los'; did you mean 'loss' or 'nodes'?
    """
    if name not in _PROBES:
        raise unknown_name("probe", name, _PROBES)
    found = _PROBES[name]
    if isinstance(found, Probe):
        if settings:
            raise EarnshawError(f"the probe {name!r} has no settings, but was given {', '.join(sorted(settings))}")
        return found
    try:
        return found(**settings)
    except TypeError as error:
        raise EarnshawError(f"the probe {name!r} does not have these settings: {error}") from None


def names() -> list[str]:
    """The names that `get` knows.

    >>> "matching" in names()
    True
    """
    return sorted(_PROBES)
