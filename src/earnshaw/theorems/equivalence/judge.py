"""From a comparison of paths to a verdict."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from earnshaw.theorems.equivalence.comparison import Comparison
from earnshaw.theorems.equivalence.facts import Facts
from earnshaw.theorems.verdict import Verdict, decide


@dataclass(frozen=True)
class Claim:
    """Gradient flow on `loss_factor`·L is electron-proton dynamics under `factor`·Φ."""

    loss_factor: float = 0.5
    factor: float = 1.0

    def __str__(self) -> str:
        return f"flow on {self.loss_factor:g}·L is the dynamics under {self.factor:g}·Φ"


def judge(theorem: str, claim: Claim, facts: Facts, comparison: Comparison, where: dict[str, Any]) -> Verdict:
    """The verdict on a claim: do the paths agree within the errors of both integrations?

    Only the resolved times count. One of them at which the paths are farther apart than allowed refutes the claim; it
    holds when no such time is known and some start is resolved to the end. Reported is the place where the difference
    is the largest share of what is allowed; `where` is what reproduces the instance.
    """
    resolved = comparison.resolved
    whole = resolved.all(axis=1)
    share = np.where(resolved, comparison.difference / comparison.allowed, 0.0)
    start, step = np.unravel_index(int(np.argmax(share)), share.shape)
    difference, allowed = float(comparison.difference[start, step]), float(comparison.allowed[start, step])
    conclusive = whole.any() or share[start, step] > 1
    predicted = {"multiple of Φ": claim.factor, "difference, at most": allowed}
    measured = {
        "multiple of Φ": comparison.multiple,
        "difference": difference,
        "largest way": float(comparison.travelled.max()),
        "starts": int(whole.sum()),
        "starts left out": int((~whole).sum()),
    }
    example = {
        **where,
        **asdict(claim),
        "start": int(start),
        "time": float(comparison.times[step]),
        "flow": comparison.flow[start, step],
        "particles": comparison.particles[start, step],
    }
    return decide(
        theorem,
        facts.hypotheses(),
        predicted,
        measured,
        allowed - difference if conclusive else float("nan"),
        counterexample=example,
        note=_note(claim, comparison),
    )


def _note(claim: Claim, comparison: Comparison) -> str:
    whole = comparison.resolved.all(axis=1)
    text = f"Claim: {claim}."
    if not np.any(comparison.travelled > 0):
        return f"{text} No particle moves, so nothing can be told apart."
    if not whole.all():
        text += (
            f" {int((~whole).sum())} of {whole.size} starts are left out: particles fall into each other or on a kink "
            "of the potential, where paths end or the integrations lose their digits."
        )
    return text
