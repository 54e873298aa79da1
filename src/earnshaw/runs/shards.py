"""The shards of a study: what is computed as one piece, and the random key that belongs to it."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import jax

import earnshaw.numerics  # noqa: F401 - double precision before the first array
from earnshaw.errors import EarnshawError
from earnshaw.plain import plain
from earnshaw.studies.study import Cell, Parameters, Study


@dataclass(frozen=True)
class Shard:
    """Piece `number` of the cell at place `row` of the grid; `index` counts all shards of the study."""

    index: int
    row: int
    number: int
    cell: Cell

    @property
    def label(self) -> str:
        """The cell and the piece as one canonical line; two shards of a study never share it."""
        return f"{canonical(self.cell)} #{self.number}"


def shards_of(study: Study, parameters: Parameters) -> list[Shard]:
    """Every shard of a study, cell by cell."""
    cells = list(study.cells(parameters))
    _look_over(study, cells)
    shards: list[Shard] = []
    for row, cell in enumerate(cells):
        for number in range(study.shards(cell, parameters)):
            shards.append(Shard(len(shards), row, number, cell))
    return shards


def count_shards(study: Study, scale: str) -> int:
    """How many shards a study has at a scale."""
    parameters = study.settings(scale)
    return sum(study.shards(cell, parameters) for cell in study.cells(parameters))


def key_of(study_name: str, seed: int, shard: Shard) -> jax.Array:
    """The random key of a shard, folded from (seed, study, cell, piece).

    Names are folded as their CRC-32, so the key knows nothing of the order of cells, of other cells, of workers, or of
    Python's own hashing.
    """
    key = jax.random.key(seed)
    for part in (study_name, canonical(shard.cell)):
        key = jax.random.fold_in(key, zlib.crc32(part.encode()))
    return jax.random.fold_in(key, shard.number)


def canonical(cell: Cell) -> str:
    """A cell as one line that depends on its contents alone.

    >>> canonical({"k": 3, "d": 2})
    '{"d": 2, "k": 3}'
    """
    return json.dumps(plain(cell), sort_keys=True, allow_nan=False)


def _look_over(study: Study, cells: Sequence[Cell]) -> None:
    if not cells:
        raise EarnshawError(f"study {study.name} has no cell to compute with these parameters")
    if len({canonical(cell) for cell in cells}) < len(cells):
        raise EarnshawError(f"study {study.name} has the same cell twice with these parameters")
    if any(set(cell) != set(cells[0]) for cell in cells):
        raise EarnshawError(f"the cells of study {study.name} must all have the same names")
