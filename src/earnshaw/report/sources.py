"""Which paper an id stands for; a reader of the page need not know this package."""

import json
import re
from collections.abc import Sequence

from earnshaw.report.collect import RunFacts

SOURCES = {
    "zps17": "Q. Zhang, R. Panigrahy, S. Sachdeva: Electron-Proton Dynamics in Deep Learning, 2017",
    "prsz18": "R. Panigrahy, A. Rahimi, S. Sachdeva, Q. Zhang: Convergence Results for Neural Networks via "
    "Electrodynamics, 2018",
    "du19": "S. S. Du: Gradient Descent for Non-convex Problems in Modern Machine Learning, PhD thesis, 2019",
}


def sources(runs: Sequence[RunFacts]) -> list[list[str]]:
    """The papers that are named by the artefacts, numbers or verdicts of these runs."""
    said = " ".join(_said(run) for run in runs)
    return [[name, source] for name, source in SOURCES.items() if re.search(rf"\b{name}\b", said)]


def _said(run: RunFacts) -> str:
    theorems = [verdict["theorem"] for verdict in run.verdicts]
    return json.dumps([run.manifest["artefact"], run.manifest["question"], *theorems, *run.comparisons])
