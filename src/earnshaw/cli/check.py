"""`earnshaw check ID`: one instance of a theorem, and its verdict."""

import time
from typing import Annotated

import typer

from earnshaw import theorems
from earnshaw.cli import show
from earnshaw.cli.boundary import stop
from earnshaw.cli.exit_codes import of_verdicts
from earnshaw.cli.options import Json, Seed, Set
from earnshaw.cli.settings import parse_settings
from earnshaw.errors import EarnshawError
from earnshaw.theorems import Verdict

_ALL = "all"


def check(
    theorem_id: Annotated[str, typer.Argument(metavar="ID", help="Which theorem; `all` checks every one.")],
    settings: Set = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check one instance of a theorem.

    The exit code is the verdict: 0 holds, 1 refuted, 3 not applicable, 4 inconclusive.
    """
    given = parse_settings(settings or [])
    if theorem_id == _ALL:
        _check_all(given, seed, json)
    theorem = theorems.get(theorem_id)
    began = time.perf_counter()
    verdict = theorem(seed=seed, **given)
    seconds = time.perf_counter() - began
    if json:
        show.as_json(verdict.to_json(seconds))
    else:
        show.line(f"{theorem.id}  {theorem.title}")
        _show(verdict, seconds)
    stop(of_verdicts([verdict.verdict]))


def _check_all(given: dict, seed: int, json: bool) -> None:
    if given:
        raise EarnshawError("--set belongs to one theorem and cannot be used with `check all`")
    began = time.perf_counter()
    records = []
    for theorem_id in theorems.ids():
        started = time.perf_counter()
        verdict = theorems.check(theorem_id, seed=seed)
        records.append(verdict.to_json(time.perf_counter() - started))
        if not json:
            show.line(f"{show.verdict_word(verdict.verdict)}\t{theorem_id}\tmargin {show.value(verdict.margin)}")
    if json:
        show.as_json({"verdicts": records, "seconds": time.perf_counter() - began})
    stop(of_verdicts(record["verdict"] for record in records))


def _show(verdict: Verdict, seconds: float) -> None:
    for hypothesis in verdict.hypotheses:
        mark = "✓" if hypothesis.met else "✗"
        show.line(f"  {mark} {hypothesis.text}: {show.value(hypothesis.value)}")
    show.line(f"  predicted  {show.value(verdict.predicted)}")
    show.line(f"  measured   {show.value(verdict.measured)}")
    show.line(f"  margin     {show.value(verdict.margin)}")
    if verdict.counterexample is not None:
        show.line(f"  counterexample  {show.value(verdict.counterexample)}")
    if verdict.note:
        show.line(f"  {verdict.note}")
    show.line(f"{show.verdict_word(verdict.verdict)}  ({seconds:.1f} s)")
