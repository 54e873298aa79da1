"""prsz18, Theorem 4.6: electrons that move one after the other find every proton, and every charge."""

from typing import Any

import numpy as np

from earnshaw.descent.step_sizes import as_step_size, described
from earnshaw.errors import unknown_name
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.almost_critical.recovery import node_wise, recover
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict, decide

MODES = ("optimal", "learned")


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 3,
    eps: float = 0.1,
    spread: float = 4.0,
    potential: Any = "",
    teachers: int = 12,
    charges: str = "optimal",
    joint: bool = True,
    schedule: str = "measured",
    alpha: float = 0.0,
    exponent: float = 1.0,
    probability: float = 0.6,
) -> Verdict:
    for name, value, high in (("k", k, 50), ("teachers", teachers, 10_000)):
        whole(name, value, 1, high)
    above("exponent", exponent, 0.0)
    above("probability", probability, 0.0, 1.0)
    if charges not in MODES:
        raise unknown_name("treatment of the charge", charges, MODES)
    setting = Setting.of(potential, d, eps, spread)
    random = np.random.default_rng(seed)
    step_size = setting.step_size(schedule, alpha)
    algorithm = node_wise(step_size, charges=charges, joint=joint)
    allowed = (d / eps) ** (-exponent * d)
    drawn = [setting.teacher(random, k) for _ in range(teachers)]
    found = recover([setting.particles(*teacher, k) for teacher in drawn], algorithm, seed)
    worst = int(np.argmax(np.nan_to_num(found.error, nan=np.inf)))
    example = {
        "protons": drawn[worst][0], "charges": drawn[worst][1], "positions": found.positions[worst],
        "found": found.charges[worst],
    }  # fmt: skip
    successes = int(np.sum(found.error <= allowed))
    low, high = clopper_pearson(successes, teachers)
    return decide(
        "prsz18-4.6",
        setting.hypotheses(),
        {"all electrons and charges within": allowed, "with a probability above": probability},
        {"teachers": teachers, "recovered": successes, "probability": [low, high],
         "largest distance": float(found.distance.max()),
         "largest error with charges": float(found.error.max()), "steps": int(found.steps.max())},
        # The true probability is above, below, or it takes more teachers to tell.
        low - probability if low >= probability else high - probability if high < probability else float("nan"),
        counterexample=example,
        note=f"Step sizes: {described(as_step_size(step_size))}; charges {charges}"
        + (", and solved for together after every node." if joint else "."),
    )  # fmt: skip


theorem = Theorem(
    id="prsz18-4.6",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Theorem 4.6",
    title="Node-wise descent finds every proton and every charge",
    statement=(
        "For d ≡ 3 mod 4 there is an activation such that, for protons from N(0, O(d log d)·I) with charges uniform in "
        "[−1, 1], with high probability, electrons that descend on L one after the other, by gradient and curvature "
        "steps, end within (d/ε)^{−O(d)} of the protons and of their opposite charges, up to a permutation. This needs "
        "charges=optimal, see Lemma E.5; joint=true solves for all charges together after every node."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 3,
        "eps": 0.1,
        "spread": 4.0,
        "potential": "",
        "teachers": 12,
        "charges": "optimal",
        "joint": True,
        "schedule": "measured",
        "alpha": 0.0,
        "exponent": 1.0,
        "probability": 0.6,
    },
)
