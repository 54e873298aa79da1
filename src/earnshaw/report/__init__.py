"""Reports: one self-contained page about finished runs, read from their directories."""

from earnshaw.report.write import write_report

__all__ = ["write_report"]
