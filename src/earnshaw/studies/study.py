"""A study: one table or figure, declared as a grid of cells and what is computed, drawn and judged on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from earnshaw.errors import EarnshawError
from earnshaw.studies.curve import Curve
from earnshaw.studies.reference import Reference
from earnshaw.theorems.parameters import override

Scale = Literal["quick", "paper"]
SCALES: tuple[str, ...] = get_args(Scale)

Cell = dict[str, Any]
Parameters = dict[str, Any]


def one_shard(cell: Cell, parameters: Parameters) -> int:
    """The usual number of shards in a cell."""
    return 1


def as_many_as_starts(cell: Cell, parameters: Parameters) -> float:
    """The usual cost of a cell: its number of starts, where the study has such a parameter.

    >>> as_many_as_starts({"d": 3}, {"starts": 50}), as_many_as_starts({"d": 3}, {})
    (50.0, 1.0)
    """
    starts = parameters.get("starts", 1)
    return float(starts) if isinstance(starts, int | float) else 1.0


def no_curves(results: Any) -> list[Curve]:
    """What a study draws for hovering unless it says otherwise: nothing, its figure is shown as it is."""
    return []


@dataclass(frozen=True)
class Study:
    """One artefact of a paper (or the user's own), as pure functions; the room `runs` executes it.

    - `parameters`: for each scale, the same names with plain values (`--set` overrides them);
    - `cells(parameters)`: the grid, a list of dicts of plain scalars (`{"potential": "coulomb", "d": 3}`), all with
      the same names; they become coordinates along the dimension `cell` of the results;
    - `shards(cell, parameters)`: how many independent pieces a cell is computed in (1 unless given); their size belongs
      to the study, so that no number of workers changes a result;
    - `compute(cell, key, parameters)`: one shard as an `xarray.Dataset`; its random key is folded from
      (seed, study, cell, shard). Shards of a cell are joined along `shard_dimension`, cells along `cell`; where cells
      differ in length the shorter are padded with missing values;
    - `rows(results)`: the table, a list of dicts; `verdicts(results)`: a list of `Verdict`;
      `figure(results)`: a Matplotlib figure, or `None` where a table says it all;
    - `curves(results)`: the figure's numbers as a list of `Curve`, which a report lets its reader hover and zoom
      (none unless given: the report then shows the figure);
    - `cost(cell, parameters)`: how long a cell takes in a unit of the study's own (its number of starts unless given);
      serves only to foretell the time of a run;
    - `exploratory`: whether the study asks an open question, so that any verdict is a result: `earnshaw reproduce` then
      leaves its verdicts out of the exit code;
    - `references`: the numbers that the paper prints, each with the row and column of our table that it belongs beside.

    `results` is the merged `xarray.Dataset`; its attributes carry `study`, `scale`, `seed` and `starts`.
    """

    name: str
    artefact: str
    question: str
    parameters: dict[str, Parameters]
    cells: Callable[[Parameters], Sequence[Cell]]
    compute: Callable[[Cell, Any, Parameters], Any]
    rows: Callable[[Any], list[dict[str, Any]]]
    verdicts: Callable[[Any], list]
    figure: Callable[[Any], Any]
    shards: Callable[[Cell, Parameters], int] = one_shard
    shard_dimension: str = "start"
    curves: Callable[[Any], list[Curve]] = no_curves
    references: Sequence[Reference] = ()
    cost: Callable[[Cell, Parameters], float] = as_many_as_starts
    exploratory: bool = False

    def __post_init__(self):
        if set(self.parameters) != set(SCALES):
            raise ValueError(f"study {self.name} must have parameters for the scales {' and '.join(SCALES)}")
        names = {scale: sorted(values) for scale, values in self.parameters.items()}
        if names["quick"] != names["paper"]:
            raise ValueError(f"study {self.name} must name the same parameters at both scales")

    def settings(self, scale: str = "quick", **overrides: Any) -> Parameters:
        """The parameters at a scale, with `overrides` over them."""
        if scale not in SCALES:
            raise EarnshawError(f"the scale must be quick or paper, not {scale!r}")
        return override(f"study {self.name}", self.parameters[scale], overrides)
