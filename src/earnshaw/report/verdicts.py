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
_MUST_BE_SEEN = ("refuted", "inconclusive")
_GLANCE = 60
#: So many verdicts have a line each; of more, those of one theorem and one word share a line.
FEW = 12
#: So many of those that must be seen are open from the start.
MOST_OPEN = 3


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


def listing(verdicts: Sequence[dict[str, Any]], again: str) -> list[str]:
    """The verdicts of a study in their order; where there are many, those that a reader must see come first."""
    if len(verdicts) <= FEW:
        return _lines(verdicts, again)
    seen = [verdict for name in _MUST_BE_SEEN for verdict in verdicts if verdict["verdict"] == name]
    rest = [verdict for verdict in verdicts if verdict["verdict"] not in _MUST_BE_SEEN]
    return [*(_lines(seen, again) if len(seen) <= FEW else _groups(seen, again)), *_groups(rest, again)]


def _lines(verdicts: Sequence[dict[str, Any]], again: str) -> list[str]:
    room = MOST_OPEN
    lines = []
    for verdict in verdicts:
        is_open = verdict["verdict"] in _MUST_BE_SEEN and room > 0
        room -= is_open
        lines.append(article(verdict, again, is_open=is_open))
    return lines


def _groups(verdicts: Sequence[dict[str, Any]], again: str) -> list[str]:
    together: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for verdict in verdicts:
        together.setdefault((verdict["theorem"], verdict["verdict"]), []).append(verdict)
    return [article(group[0], again) if len(group) == 1 else _group(group, again) for group in together.values()]


def _group(verdicts: Sequence[dict[str, Any]], again: str) -> str:
    """The verdicts of one theorem and one word behind one line."""
    theorem, margins = verdicts[0]["theorem"], [verdict.get("margin") for verdict in verdicts]
    known = [margin for margin in margins if isinstance(margin, int | float)]
    title = f": {_title(theorem)}" if _title(theorem) else ""
    gist = element("span", words(f"{len(verdicts)} instances{title}"), class_="gist")
    line = _line(verdicts[0], gist, f"margins from {value(min(known))}" if known else "")
    inner = element("div", *(article(verdict, again) for verdict in verdicts), class_="instances")
    return element("details", element("summary", line) + inner, class_="verdict group")


def article(verdict: dict[str, Any], again: str, *, is_open: bool = False) -> str:
    """A verdict: a line, and the whole reasoning beneath it."""
    margin = verdict.get("margin")
    line = _line(verdict, _gist(verdict), "" if margin is None else f"margin {value(margin)}")
    body = [_hypotheses(verdict["hypotheses"]), _facts(verdict)]
    if len(verdict.get("note") or "") > _GLANCE:
        body.append(paragraph(verdict["note"]))
    body.append(_again(verdict["theorem"], again))
    shown = element("summary", line) + element("div", *body, class_="reasoning")
    return element("details", shown, class_="verdict", **({"open": ""} if is_open else {}))


def _line(verdict: dict[str, Any], gist: str, margin: str) -> str:
    return (
        word(verdict["verdict"])
        + element("span", element("b", escape(verdict["theorem"])), " ", gist, class_="theorem")
        + element("span", margin, class_="margin")
    )


def _gist(verdict: dict[str, Any]) -> str:
    """What tells this verdict from its neighbours: a short note, else the theorem's title."""
    note = verdict.get("note") or ""
    if not 0 < len(note) <= _GLANCE:
        note = _title(verdict["theorem"])
    return element("span", words(note), class_="gist")


def _title(theorem: str) -> str:
    entry = registry.REGISTRY.get(theorem)
    return entry.title if entry else ""


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
