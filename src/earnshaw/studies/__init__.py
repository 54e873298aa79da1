"""Studies: the tables and figures of the papers, declared as grids of cells.

Loading this room loads nothing numeric; each study's module is imported when it is asked for.
"""

from earnshaw.studies.curve import Curve
from earnshaw.studies.reference import Reference, grid
from earnshaw.studies.registry import Entry, get, names
from earnshaw.studies.study import SCALES, Study

__all__ = ["SCALES", "Curve", "Entry", "Reference", "Study", "get", "grid", "names"]
