"""prsz18, Lemma D.1: what a step against the gradient gains."""

from typing import Any

import numpy as np

from earnshaw.theorems.descent_lemmas import Flat, Step, gradient_step, landscape_of
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide


def _check(
    seed: int = 0,
    landscape: Any = "gaussian",
    d: int = 3,
    factor: float = 1.0,
    share: float = 0.5,
    starts: int = 3,
    steps: int = 6,
) -> Verdict:
    whole("d", d, 1, 10)
    whole("starts", starts, 1, 100)
    whole("steps", steps, 1, 1000)
    above("factor", factor, 0.0, 1e6)
    above("share", share, 0.0, 10.0)
    flat, random = Flat(landscape_of(landscape, d, seed)), np.random.default_rng([seed, 1])
    found: list[Step] = []
    for index in range(starts):
        x = flat.start(seed, index)
        for _ in range(steps):
            step = gradient_step(flat, x, factor, random)
            if step is None:
                break
            found.append(step)
            x = step.end
    if not found:
        flat_everywhere = Hypothesis("the gradient is not 0", False, 0.0)
        return Verdict("prsz18-LD.1", "not-applicable", (flat_everywhere,), predicted="a gain of αη²/2")
    ratios = np.array([step.size / step.bound for step in found])
    gains = np.array([(step.gained + step.rounding) / step.unit for step in found])
    lengths = np.array([step.moved / step.allowed for step in found])
    worst = int(np.argmin(gains))
    margin = min(float(gains[worst]) - share, 1 + 1e-12 - float(np.max(lengths)))
    return decide(
        "prsz18-LD.1",
        (
            Hypothesis("α ≤ 1/B₂", float(np.max(ratios)) <= 1 + 1e-9, f"largest αB₂ {np.max(ratios):.4g}"),
            Hypothesis("the gradient is not 0", True, f"smallest η {min(np.sqrt(s.unit / s.size) for s in found):.3g}"),
        ),
        {"gain over αη², at least": share, "‖x′ − x‖ over αB₁, at most": 1.0},
        {
            "smallest gain over αη²": float(gains[worst]),
            "largest ‖x′ − x‖ over αB₁": float(np.max(lengths)),
            "steps": len(found),
            "step sizes": "measured: α = factor/B₂, B₂ over the ball of radius αB₁",
        },
        margin,
        counterexample={"landscape": str(landscape), "start": found[worst].start, "α": found[worst].size,
                        "gained": found[worst].gained, "claimed": share * found[worst].unit},
        note="η = ‖∇f(x)‖, the strongest case; B₁ and B₂ are maxima over sampled points and along the step.",
    )  # fmt: skip


theorem = Theorem(
    id="prsz18-LD.1",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma D.1",
    title="What a step against the gradient gains",
    statement=(
        "If ‖∇f‖ ≤ B₁ and ‖∇²f‖ ≤ B₂ within αB₁ of x, α ≤ 1/B₂ and ‖∇f(x)‖ ≥ η, then x′ = x − α∇f(x) is within αB₁ "
        "of x and f(x′) ≤ f(x) − αη²/2."
    ),
    check=_check,
    parameters={"landscape": "gaussian", "d": 3, "factor": 1.0, "share": 0.5, "starts": 3, "steps": 6},
)
