"""Room on the host for what the probes see."""

import numpy as np
from jaxtyping import Int64

from earnshaw.errors import EarnshawError

#: Bytes of records that a descent may ask for.
LIMIT = 2**34


class Records:
    """Arrays (start, record, …), filled while the starts run.

    A start that has ended keeps its last values, so that averages over starts stay averages over all of them.
    """

    def __init__(self, marks: Int64[np.ndarray, " records"], starts: int, first: dict[str, np.ndarray]):
        self.marks = marks
        shapes = {name: (starts, len(marks), *value.shape[1:]) for name, value in first.items()}
        size = sum(int(np.prod(shape, dtype=float)) * first[name].dtype.itemsize for name, shape in shapes.items())
        if size > LIMIT:
            raise EarnshawError(
                f"{len(marks)} records of {starts} starts take {size / 2**30:.0f} GiB and the limit is "
                f"{LIMIT // 2**30} GiB; record less often, with schedule=Every(n) or Logarithmic(per_decade)"
            )
        # Left uninitialised: a run that ends early never touches the pages of the later records.
        self._arrays = {name: np.empty(shape, first[name].dtype) for name, shape in shapes.items()}

    def put(self, index: np.ndarray, mark: int, count: int, seen: dict[str, np.ndarray]) -> None:
        """Keep `count` records with axes (record, lane, …), the first at place `mark` of the schedule."""
        for name, values in seen.items():
            self._arrays[name][index, mark : mark + count] = np.swapaxes(values[:count, : len(index)], 0, 1)

    def finished(
        self, steps: np.ndarray, final: dict[str, np.ndarray]
    ) -> tuple[Int64[np.ndarray, " records"], dict[str, np.ndarray]]:
        """The recorded steps up to the last one that any start made, and the records, held after each start's end."""
        reached = int(steps.max())
        kept = int(np.searchsorted(self.marks, reached))
        marks = np.append(self.marks[:kept], reached)
        over = marks[None, :] >= steps[:, None]
        result = {}
        for name, array in self._arrays.items():
            values = np.empty((len(steps), len(marks), *array.shape[2:]), array.dtype)
            values[:, :kept] = array[:, :kept]
            held = np.broadcast_to(final[name][:, None], values.shape)
            values[over] = held[over]
            result[name] = values
        return marks, result
