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
    holds when no such time is known and some start is resolved to the end. `where` is what reproduces the instance.
    """
    resolved = comparison.resolved
    excess = np.where(resolved, comparison.difference - comparison.allowed, -np.inf)
    start, step = np.unravel_index(int(np.argmax(excess)), excess.shape)
    whole = resolved.all(axis=1)
    refuted = bool(np.any(excess > 0))
    margin = -float(excess[start, step]) if refuted or whole.any() else float("nan")
    if not refuted and whole.any():
        # A start that is left out must not lend its margin to those that are judged.
        start, step = np.unravel_index(int(np.argmax(np.where(whole[:, None], excess, -np.inf))), excess.shape)
        margin = -float(excess[start, step])

    difference = np.where(resolved, comparison.difference, 0.0)
    predicted = {"multiple of Φ": claim.factor, "largest difference, at most": float(comparison.allowed[start, step])}
    measured = {
        "multiple of Φ": comparison.multiple,
        "largest difference": float(difference.max()),
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
        theorem, facts.hypotheses(), predicted, measured, margin, counterexample=example, note=_note(claim, comparison)
    )


def _note(claim: Claim, comparison: Comparison) -> str:
    whole = comparison.resolved.all(axis=1)
    text = f"Claim: {claim}."
    if not np.any(comparison.travelled > 0):
        return f"{text} No particle moves, so nothing can be told apart."
    if not whole.all():
        text += (
            f" {int((~whole).sum())} of {whole.size} starts are left out: particles fall into each other or on a kink of "
            "the potential, where paths end or the integrations lose their digits."
        )
    return text
