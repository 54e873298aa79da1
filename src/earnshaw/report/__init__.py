"""Reports: one self-contained page about runs, read from their directories."""

from earnshaw.report.collect import RunFacts, collect, collect_all
from earnshaw.report.write import write_page, write_report

__all__ = ["RunFacts", "collect", "collect_all", "write_page", "write_report"]
