"""How long a study takes at the scale of its paper, foretold from one shard."""

from collections.abc import Iterable, Mapping
from typing import Any

import xarray as xr

from earnshaw.runs.execute import Executor
from earnshaw.runs.observer import Observer
from earnshaw.runs.shards import Shard
from earnshaw.studies.study import Parameters, Study


class Forecast:
    """Tells the observer once, as soon as there is a shard whose time is known."""

    def __init__(
        self,
        study: Study,
        settings: Mapping[str, Any],
        parameters: Parameters,
        executor: Executor,
        observer: Observer,
    ):
        self.executor = executor
        self._study = study
        self._settings = settings
        self._parameters = parameters
        self._observer = observer
        self._told = False

    def learn(self, pieces: Iterable[tuple[Shard, xr.Dataset]]) -> None:
        """Look at the first of these shards."""
        for shard, dataset in pieces:
            if self._told:
                return
            self._told = True
            parallel = self.executor.parallel
            spent, compiling = (float(dataset.attrs[name]) for name in ("seconds", "compiling"))
            alone = seconds_at_paper_scale(self._study, self._settings, self._parameters, shard, spent, compiling)
            self._observer.estimated(self._study, alone / parallel, parallel)


def seconds_at_paper_scale(
    study: Study,
    settings: Mapping[str, Any],
    parameters: Parameters,
    shard: Shard,
    seconds: float,
    compiling: float = 0.0,
) -> float:
    """The time of all shards, one after the other, from the `seconds` that one took with these `parameters`.

    Of these it was `compiling` for some, which every cell does once and which does not grow with the number of starts.
    Cells that share what is compiled are counted all the same, so this errs on the long side.
    """
    of_shard = study.cost(shard.cell, parameters) / study.shards(shard.cell, parameters)
    at_paper_scale = study.settings("paper", **settings)
    cells = study.cells(at_paper_scale)
    of_all = sum(study.cost(cell, at_paper_scale) for cell in cells)
    # Threads that compile together report more than the time that goes by.
    compiling = min(compiling, seconds)
    return compiling * len(cells) + (seconds - compiling) * of_all / of_shard
