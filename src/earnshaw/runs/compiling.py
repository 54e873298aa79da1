"""How long XLA has compiled in this process, which a shard pays once and not in proportion to its size."""

import threading
from functools import cache

import jax

# Tracing is left out: traces are nested in one another, and each is reported with all that is within it.
_EVENTS = ("/jax/core/compile/backend_compile_duration", "/jax/core/compile/jaxpr_to_mlir_module_duration")


class _Clock:
    """The sum of what JAX reports."""

    def __init__(self) -> None:
        self.total = 0.0
        self._lock = threading.Lock()
        jax.monitoring.register_event_duration_secs_listener(self._heard)

    def _heard(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        if event in _EVENTS:
            with self._lock:
                self.total += duration_secs


@cache
def _clock() -> _Clock:
    return _Clock()


def seconds() -> float:
    """The seconds of compiling since this was first called."""
    return _clock().total
