"""How fast something long goes, and when it will be done; loads nothing numeric, as `--help` comes by here."""

import time

from earnshaw.cli.duration import roughly


class Pace:
    """Shards a second since a run was begun or resumed."""

    def __init__(self, stored: int = 0) -> None:
        self._stored = stored
        self._began = time.monotonic()

    def words(self, stored: int, shards: int) -> str:
        """The rate and the time that is left."""
        rate = (stored - self._stored) / max(time.monotonic() - self._began, 1e-9)
        return f", {rate:.2g}/s, about {roughly((shards - stored) / rate)} left" if rate > 0 else ""
