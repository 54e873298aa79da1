"""Computing shards. This is the boundary behind which workers of any kind may stand."""

import time
from collections.abc import Iterable, Iterator

import xarray as xr

from earnshaw.errors import EarnshawError
from earnshaw.runs.shards import Shard, key_of
from earnshaw.studies.study import Parameters, Study


def execute(
    study: Study, parameters: Parameters, seed: int, shards: Iterable[Shard]
) -> Iterator[tuple[Shard, xr.Dataset]]:
    """Compute `shards` in this process and hand each over as soon as it is done."""
    for shard in shards:
        yield shard, compute(study, parameters, seed, shard)


def compute(study: Study, parameters: Parameters, seed: int, shard: Shard) -> xr.Dataset:
    """One shard, labelled with what it is and how long it took."""
    began = time.perf_counter()
    dataset = study.compute(dict(shard.cell), key_of(study.name, seed, shard), parameters)
    if not isinstance(dataset, xr.Dataset):
        raise EarnshawError(f"study {study.name} must compute an xarray.Dataset, not {type(dataset).__name__}")
    attributes = {"study": study.name, "seed": seed, "shard": shard.label, "seconds": time.perf_counter() - began}
    return dataset.load().assign_attrs(attributes)
