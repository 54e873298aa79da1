"""What checking a theorem returns: hypotheses met or not, predicted and measured values, and one of four words."""

import html
import json
import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from earnshaw.plain import plain

Word = Literal["holds", "refuted", "not-applicable", "inconclusive"]
WORDS: tuple[str, ...] = get_args(Word)


@dataclass(frozen=True)
class Hypothesis:
    """One condition of a theorem, whether this instance meets it, and the value that decided.

    >>> Hypothesis("the dimension is odd", met=True, value=3).to_json()
    {'text': 'the dimension is odd', 'met': True, 'value': 3}
    """

    text: str
    met: bool
    value: object = None

    def to_json(self) -> dict[str, Any]:
        """The three facts as plain JSON."""
        return {"text": self.text, "met": bool(self.met), "value": plain(self.value)}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one instance of a theorem.

    - `holds`: every hypothesis is met and the measurement agrees, on this instance, by `margin` (≥ 0);
    - `refuted`: every hypothesis is met and the measurement disagrees; `counterexample` is what reproduces it;
    - `not-applicable`: a hypothesis is not met;
    - `inconclusive`: the search or the precision ran out.

    A finite computation never says "proved". The words and the hypotheses may not contradict each other: a verdict that
    would is a mistake of the program and raises `ValueError`.

    >>> verdict = Verdict("prsz18-2.1", "holds", predicted="0", measured=1e-12, margin=1e-10)
    >>> verdict.to_json()["verdict"]
    'holds'
    """

    theorem: str
    verdict: Word
    hypotheses: tuple[Hypothesis, ...] = ()
    predicted: object = None
    measured: object = None
    margin: float | int | None = None
    counterexample: dict | None = None
    note: str = ""

    def __post_init__(self):
        if self.verdict not in WORDS:
            raise ValueError(f"a verdict is one of {', '.join(WORDS)}, not {self.verdict!r}")
        unmet = [hypothesis.text for hypothesis in self.hypotheses if not hypothesis.met]
        if self.verdict == "not-applicable" and not unmet:
            raise ValueError(f"{self.theorem} is called not-applicable, but no hypothesis fails")
        if self.verdict in ("holds", "refuted") and unmet:
            raise ValueError(f"{self.theorem} is called {self.verdict}, but a hypothesis fails: {unmet[0]}")
        if self.verdict == "refuted" and self.counterexample is None:
            raise ValueError(f"{self.theorem} is called refuted without a counterexample")

    def to_json(self, seconds: float | None = None) -> dict[str, Any]:
        """The verdict as `earnshaw check --json` prints it; the caller, who has a clock, says how long it took."""
        return {
            "theorem": self.theorem,
            "verdict": self.verdict,
            "hypotheses": [hypothesis.to_json() for hypothesis in self.hypotheses],
            "predicted": plain(self.predicted),
            "measured": plain(self.measured),
            "margin": plain(self.margin),
            "seconds": plain(seconds),
        }

    def to_record(self) -> dict[str, Any]:
        """The verdict as a run stores it: `to_json` with the counterexample and the note."""
        return {**self.to_json(), "counterexample": plain(self.counterexample), "note": self.note}

    def _repr_html_(self) -> str:
        """The verdict as Jupyter shows it."""
        met = "".join(
            f"<li>{'✓' if hypothesis.met else '✗'} {html.escape(hypothesis.text)}"
            f" <code>{_code(hypothesis.value)}</code></li>"
            for hypothesis in self.hypotheses
        )
        shown = {"predicted": self.predicted, "measured": self.measured, "margin": self.margin}
        if self.counterexample is not None:
            shown["counterexample"] = self.counterexample
        facts = "".join(
            f"<tr><th>{name}</th><td><code>{_code(value)}</code></td></tr>" for name, value in shown.items()
        )
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        return (
            f"<div><p><b>{html.escape(self.theorem)}</b>: {self.verdict}</p>"
            f"<ul>{met}</ul><table>{facts}</table>{note}</div>"
        )


def decide(
    theorem: str,
    hypotheses: tuple[Hypothesis, ...],
    predicted: object,
    measured: object,
    margin: float | int,
    *,
    counterexample: dict | None = None,
    note: str = "",
) -> Verdict:
    """The verdict that follows from the hypotheses and from a margin, which is how far inside the claim we are.

    A failing hypothesis makes it `not-applicable`, a margin that is not a number `inconclusive`, a negative one
    `refuted` (the counterexample defaults to what was measured), any other `holds`.

    >>> decide("zps17-2.2", (), "equal paths", 3e-9, margin=1e-8 - 3e-9).verdict
    'holds'
    >>> decide("zps17-2.2", (Hypothesis("d > 1", met=False, value=1),), "equal paths", 0.0, margin=1.0).verdict
    'not-applicable'
    """
    margin = float(margin)
    if not all(hypothesis.met for hypothesis in hypotheses):
        word: Word = "not-applicable"
    elif math.isnan(margin):
        word = "inconclusive"
    else:
        word = "holds" if margin >= 0 else "refuted"
    if word != "refuted":
        counterexample = None
    elif counterexample is None:
        counterexample = {"predicted": predicted, "measured": measured}
    return Verdict(
        theorem,
        word,
        hypotheses=tuple(hypotheses),
        predicted=predicted,
        measured=measured,
        margin=None if word == "inconclusive" else margin,
        counterexample=counterexample,
        note=note,
    )


def _code(value: object) -> str:
    return html.escape(json.dumps(plain(value), ensure_ascii=False))
