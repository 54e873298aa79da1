"""Verdicts on a page: a line each, with the whole reasoning beneath it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from earnshaw.report.parts import element, paragraph, value
from earnshaw.report.words import words
from earnshaw.theorems import registry
from earnshaw.theorems.verdict import WORDS

MARKS = {"holds": "✓", "refuted": "✗", "not-applicable": "∅", "inconclusive": "?"}
_OPEN = ("refuted", "inconclusive")
_GLANCE = 60


def word(verdict: str) -> str:
    """One of the four words with its mark, so that colour is never all that tells them apart."""
    mark = element("span", MARKS[verdict], aria_hidden="true")
    return element("span", f"{mark} {verdict}", class_=f"word {verdict}")


def counts(verdicts: Iterable[dict[str, Any]]) -> Counter:
    """How many verdicts there are of each word."""
    return Counter(verdict["verdict"] for verdict in verdicts)


def tally(counted: Counter) -> str:
    """The four numbers, large."""
    items = []
    for name in WORDS:
        mark = element("span", MARKS[name], class_="mark", aria_hidden="true")
        figure = element("span", str(counted[name]), class_="count")
        attributes = {"class_": f"word {name}" + ("" if counted[name] else " none")}
        items.append(element("li", figure, element("span", f"{mark} {name}", class_="label"), **attributes))
    return element("ul", *items, class_="tally", role="list")


def article(verdict: dict[str, Any], again: str) -> str:
    """A verdict: closed to one line unless it is one that a reader must see."""
    margin = verdict.get("margin")
    line = (
        word(verdict["verdict"])
        + element("span", element("b", escape(verdict["theorem"])), " ", _gist(verdict), class_="theorem")
        + element("span", "" if margin is None else f"margin {value(margin)}", class_="margin")
    )
    body = [_hypotheses(verdict["hypotheses"]), _facts(verdict)]
    if len(verdict.get("note") or "") > _GLANCE:
        body.append(paragraph(verdict["note"]))
    body.append(_again(verdict["theorem"], again))
    shown = element("summary", line) + element("div", *body, class_="reasoning")
    is_open = ' open=""' if verdict["verdict"] in _OPEN else ""
    return f'<details class="verdict"{is_open}>{shown}</details>'


def _gist(verdict: dict[str, Any]) -> str:
    """What tells this verdict from its neighbours: a short note, else the theorem's title."""
    note = verdict.get("note") or ""
    if not 0 < len(note) <= _GLANCE:
        entry = registry.REGISTRY.get(verdict["theorem"])
        note = entry.title if entry else ""
    return element("span", words(note), class_="gist")


def _hypotheses(hypotheses: Sequence[dict[str, Any]]) -> str:
    items = []
    for each in hypotheses:
        sign, said, kind = ("✓", "met", "met") if each["met"] else ("✗", "not met", "unmet")
        mark = element("span", f"{sign} {said}", class_=kind)
        decided = element("span", value(each["value"]), class_="decided") if each.get("value") is not None else ""
        items.append(element("li", f"{mark} {words(each['text'])} {decided}"))
    return element("p", "Hypotheses", class_="over") + element("ul", *items, class_="hypotheses") if items else ""


def _facts(verdict: dict[str, Any]) -> str:
    names = ["predicted", "measured", "margin"]
    if all(verdict.get(name) is None for name in names):
        return ""
    if verdict.get("counterexample") is not None:
        names.append("counterexample")
    return element("dl", *(element("dt", name) + element("dd", value(verdict.get(name))) for name in names))


def _again(theorem: str, again: str) -> str:
    commands = [again]
    if theorem in registry.REGISTRY:
        commands.append(f"earnshaw check {theorem}")
    shown = " or, at the theorem's own default instance, ".join(element("code", escape(line)) for line in commands)
    return element("p", f"Again: {shown}", class_="again")
