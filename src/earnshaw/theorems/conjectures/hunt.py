"""One hunt: descents from many starts among one teacher's protons, and what each end point is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from earnshaw.descent import GradientDescent, Stop, descend, endpoints
from earnshaw.duality import potentials
from earnshaw.duality.radial import Radial
from earnshaw.errors import unknown_name
from earnshaw.landscapes import Particles
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.conjectures.digits import recheck
from earnshaw.theorems.conjectures.kinks import LABELS, Kinked, settle
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.particle_instances import draw_teacher
from earnshaw.theorems.sign_forces import HALVINGS, Halving
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The slope m of each potential out of coincidence: Φ(0) − m·s.
SLOPES = {"sign": 2 / np.pi, "attraction": 1.0}


def _minus(r: Any) -> Any:
    return -r


#: −‖θ − w‖: what attracts with a force of constant size, as the potential of the sign does on the sphere.
ATTRACTION = Radial(_minus, "attraction")


@dataclass(frozen=True)
class Hunt:
    """What to search: `kind` is "sign" (on the sphere, charges learned) or "attraction" (R^d, charges opposite).

    - `charges`: the law of b, see `particle_instances`. `starts`, `steps`, `first_step`: of the descents, whose steps
      are halved again and again in their second half.
    """

    kind: str
    d: int
    k: int
    charges: str = "mixed"
    starts: int = 64
    steps: int = 4000
    first_step: float = 0.1

    def __post_init__(self):
        if self.kind not in SLOPES:
            raise unknown_name("kind of hunt", self.kind, SLOPES)
        whole("d", self.d, 2, 100)
        whole("k", self.k, 1, 60)
        whole("starts", self.starts, 1, 100_000)
        whole("steps", self.steps, 1, 10_000_000)
        above("first_step", self.first_step, 0.0, 10.0)

    @property
    def learned(self) -> bool:
        """Whether the charges are parameters."""
        return self.kind == "sign"

    def landscape(self, random: np.random.Generator) -> Particles:
        """The loss among a random teacher's protons."""
        if self.learned:
            teacher = draw_teacher(random, self.d, self.k, self.charges, on_sphere=True)
            return Particles(potentials.sign(), teacher.protons, teacher.charges, learn_charges=True, form="full")
        teacher = draw_teacher(random, self.d, self.k, self.charges)
        return Particles(ATTRACTION, teacher.protons, teacher.charges, form="interaction")


@dataclass(frozen=True)
class Found:
    """The protons, and every end point with its label."""

    hunted: Hunt
    protons: Float[np.ndarray, "k d"]
    charges: Float[np.ndarray, " k"]
    ends: tuple[Kinked, ...]

    def counts(self) -> dict[str, int]:
        """How many ends have each label."""
        return {label: sum(end.label == label for end in self.ends) for label in LABELS}

    def suspect(self) -> Kinked | None:
        """The spurious minimum that is farthest from being none; one with all places different if there is any."""
        spurious = [end for end in self.ends if end.spurious]
        key = {"separate": 1, "shared": 0}
        return max(spurious, key=lambda end: (key[end.label], min(end.slope, end.smallest)), default=None)

    def evidence(self) -> dict[str, Any] | None:
        """All that is needed to check the suspect again, and what checking it again with 40 digits gave."""
        suspect = self.suspect()
        if suspect is None:
            return None
        again = recheck(
            self.hunted.kind, self.protons, self.charges, suspect.positions, suspect.charges, suspect.site,
            self.hunted.learned,
        )  # fmt: skip
        return {
            "potential": self.hunted.kind,
            "protons": self.protons,
            "proton charges": self.charges,
            **suspect.evidence(),
            "checked again": again,
        }


def hunt(hunted: Hunt, seed: int) -> Found:
    """Draw a teacher, descend from many starts, and judge every end point.

    >>> hunt(Hunt("attraction", d=2, k=1, starts=4, steps=200), 0).counts()
    {'global': 4, 'shared': 0, 'separate': 0, 'undecided': 0}
    """
    landscape = hunted.landscape(np.random.default_rng(seed))
    shrinking = Halving(hunted.first_step, hunted.steps / 2, 2 * HALVINGS / hunted.steps)
    trajectory = descend(
        landscape, GradientDescent(shrinking), hunted.starts, key=seed,
        stop=Stop(steps=hunted.steps, gradient_norm=None), progress=False,
    )  # fmt: skip
    ends = settle(landscape, endpoints(trajectory, landscape), slope=SLOPES[hunted.kind])
    return Found(hunted, np.asarray(landscape.protons), np.asarray(landscape.charges), tuple(ends))


def conclude(
    theorem: str,
    counts: dict[str, int],
    evidence: dict[str, Any] | None,
    hypotheses: tuple[Hypothesis, ...],
    note: str,
) -> Verdict:
    """`refuted` if the evidence is of a local minimum that 40 digits confirm, otherwise `inconclusive`."""
    starts, off = sum(counts.values()), counts["shared"] + counts["separate"]
    measured: dict[str, Any] = {
        "starts": starts,
        "at the global minimum": counts["global"],
        "at local minima with several electrons on one proton": counts["shared"],
        "at local minima with all places different": counts["separate"],
        "undecided": counts["undecided"],
        "share off the global minimum, at 95 %": clopper_pearson(off, starts),
    }
    margin = float("nan")
    if evidence is not None and evidence["checked again"]["is a local minimum"]:
        facts = ("loss", "smallest eigenvalue in smooth directions", "least slope out of a kink")
        measured |= {f"{name} of the counterexample": evidence[name] for name in facts}
        margin = -float(min(evidence[name] for name in facts[1:]))
    predicted = "every local minimum with charges other than 0 is global"
    return decide(theorem, hypotheses, predicted, measured, margin, counterexample=evidence, note=note)
