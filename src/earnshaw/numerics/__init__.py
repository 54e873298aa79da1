"""Small pure functions that every other room may use. Loading this room turns on double precision."""

from earnshaw.numerics.precision import enable_double_precision

enable_double_precision()
