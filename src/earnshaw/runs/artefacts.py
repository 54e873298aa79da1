"""What a finished run leaves for people: the merged results, the table, the figure and the verdicts."""

import csv
import io
import json
from typing import Any

import xarray as xr

from earnshaw.plain import plain
from earnshaw.runs import netcdf
from earnshaw.runs.store import Store
from earnshaw.studies import curve, reference, style
from earnshaw.studies.study import Study
from earnshaw.theorems.verdict import Verdict


def write_artefacts(store: Store, study: Study, results: xr.Dataset) -> tuple[list[dict[str, Any]], list[Verdict]]:
    """Write `results.nc`, the table, verdicts, figure, curves and references; return the rows and verdicts."""
    store.write("results.nc", netcdf.encode(results))
    rows = [plain(row) for row in study.rows(results)]
    store.write("table.csv", table(rows))
    verdicts = list(study.verdicts(results))
    store.write_json("verdicts.json", [verdict.to_record() for verdict in verdicts])
    store.write_json("references.json", plain(reference.compare(study.references, rows)))
    store.write_json("curves.json", curve.charts(study.curves(results)))
    with style.paper():
        figure = study.figure(results)
        if figure is not None:
            for kind in ("png", "svg"):
                store.write(f"figure.{kind}", picture(figure, kind))
    return rows, verdicts


def table(rows: list[dict[str, Any]]) -> bytes:
    r"""Rows as CSV; a column that some row lacks is empty there, and what is not a scalar is written as JSON.

    >>> table([{"d": 3, "error": 1e-12}, {"d": 7, "roots": [1, 2]}])
    b'd,error,roots\n3,1e-12,\n7,,"[1, 2]"\n'
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: json.dumps(v) if isinstance(v, list | dict) else v for name, v in row.items()})
    return text.getvalue().encode()


def picture(figure: Any, kind: str) -> bytes:
    """A Matplotlib figure as a file's bytes, the same for the same figure on every day."""
    content = io.BytesIO()
    figure.savefig(content, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return content.getvalue()
