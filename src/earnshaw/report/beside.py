"""The paper's numbers beside ours."""

from typing import Any

from earnshaw.report.collect import RunFacts
from earnshaw.report.numbers import counted, number
from earnshaw.report.parts import Cell, element, paragraph, table


def beside(run: RunFacts, identity: str) -> str:
    """Every printed number with ours, the difference, and the error bar of the difference; nothing if none is known."""
    if not run.comparisons:
        return ""
    places = list(dict.fromkeys(name for each in run.comparisons for name in each["where"]))
    several = len({each["column"] for each in run.comparisons}) > 1
    columns = [*places, *(["quantity"] if several else []), "paper", "ours", "difference", "error bar", "agrees"]
    rows = [_row(each, places, several) for each in run.comparisons]
    sources = ", ".join(dict.fromkeys(each["source"] for each in run.comparisons if each["source"]))
    quantity = "" if several else f": {run.comparisons[0]['column']}"
    return (
        element("h3", "Beside the paper")
        + paragraph(said(run))
        + table(
            f"{sources or run.manifest['artefact']}{quantity}",
            columns,
            rows,
            class_="beside",
            label=f"{identity} beside the paper",
        )
    )


def said(run: RunFacts) -> str:
    """The comparison in a sentence, disagreements first."""
    judged = [each for each in run.comparisons if each.get("agrees") is not None]
    wrong = [each for each in judged if not each["agrees"]]
    missing = sum(each.get("ours") is None for each in run.comparisons)
    bounds = {each["within"] for each in judged}
    bound = f"{bounds.pop():g}" if len(bounds) == 1 else "what was agreed on beforehand"
    words = []
    if wrong:
        words.append(f"{len(wrong)} of {counted(len(judged), 'number')} differ from the paper’s by more than {bound}.")
    elif judged:
        words.append(f"All of {counted(len(judged), 'number')} agree with the paper’s within {bound}.")
    if missing:
        words.append(
            f"{counted(missing, 'number')} of the paper’s were not computed at the {run.manifest['scale']} scale."
        )
    return " ".join(words)


def _row(each: dict[str, Any], places: list[str], several: bool) -> list[Any]:
    theirs, ours = each["theirs"], each.get("ours")
    known = isinstance(ours, int | float)
    low, high = each.get("low"), each.get("high")
    bar: Any = None
    if known and isinstance(low, int | float) and isinstance(high, int | float):
        bar = Cell(f"{signed(low - theirs)} to {signed(high - theirs)}", low - theirs)
    difference = Cell(signed(ours - theirs), ours - theirs) if known else None
    quantity = [each["column"]] if several else []
    return [*(each["where"].get(name) for name in places), *quantity, theirs, ours, difference, bar, _agrees(each)]


def _agrees(each: dict[str, Any]) -> Cell | None:
    agrees = each.get("agrees")
    if agrees is None:
        return None
    text, kind = ("✓ yes", "met") if agrees else ("✗ no", "unmet")
    return Cell(element("span", text, class_=kind))


def signed(difference: int | float) -> str:
    """A difference with its sign.

    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+0.25', '−0.25', '0')
    """
    # The last digits of a difference of two decimals are noise of their binary form.
    rounded = float(f"{difference:.9g}") if abs(difference) > 1e-15 else 0.0
    return f"+{number(rounded)}" if rounded > 0 else number(rounded)
