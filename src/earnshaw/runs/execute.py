"""Computing shards. This is the boundary behind which workers of any kind stand: shards go in, bytes come out."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.runs import compiling, netcdf
from earnshaw.runs.interruption import Interruption
from earnshaw.runs.shards import Shard, key_of
from earnshaw.studies.study import Parameters, Study


class Work(NamedTuple):
    """What all shards of a run have in common."""

    study: Study
    parameters: Parameters
    seed: int
    #: Which run the shards belong to; see `earnshaw.runs.manifest.identity`.
    run: str


class Executor(ABC):
    """Whoever computes shards. Use it in a `with` block; several runs may share one."""

    @property
    @abstractmethod
    def parallel(self) -> int:
        """How many shards are computed at the same time."""

    @abstractmethod
    def execute(
        self, work: Work, shards: Sequence[Shard], interruption: Interruption, said: Callable[[str], None]
    ) -> Generator[tuple[Shard, bytes], None, None]:
        """Hand over each shard as the bytes of a NetCDF file as soon as it is done, in any order.

        Ends early, after the shards that are running, once `interruption.asked`. `said` is told what a person should
        know, such as that there is no worker yet.
        """

    def close(self) -> None:  # noqa: B027 - most have nothing to do
        """Give back what was taken."""

    def __enter__(self) -> "Executor":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class InProcess(Executor):
    """One shard after the other in this process."""

    @property
    def parallel(self) -> int:
        """One."""
        return 1

    def execute(
        self, work: Work, shards: Sequence[Shard], interruption: Interruption, said: Callable[[str], None]
    ) -> Generator[tuple[Shard, bytes], None, None]:
        """Compute the shards in their order."""
        for shard in shards:
            if interruption.asked:
                return
            content = compute(work, shard)
            # What a descent returns when it is interrupted is not the shard.
            interruption.raise_if_at_once()
            yield shard, content


def compute(work: Work, shard: Shard) -> bytes:
    """One shard as the bytes of a NetCDF file, labelled with what it is and how long it took."""
    study, parameters, seed, run = work
    began, compiled = time.perf_counter(), compiling.seconds()
    dataset = study.compute(dict(shard.cell), key_of(study.name, seed, shard), parameters)
    if not isinstance(dataset, xr.Dataset):
        raise EarnshawError(f"study {study.name} must compute an xarray.Dataset, not {type(dataset).__name__}")
    attributes = {
        "study": study.name,
        "seed": seed,
        "shard": shard.label,
        "run": run,
        "seconds": time.perf_counter() - began,
        "compiling": compiling.seconds() - compiled,
    }
    return netcdf.encode(dataset.load().assign_attrs(attributes))
