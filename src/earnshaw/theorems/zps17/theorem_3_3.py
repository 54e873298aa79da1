"""zps17, Theorem 3.3 (Earnshaw): an electron that is free cannot rest stably in a harmonic potential."""

from earnshaw.theorems.harmonic_minima import PARAMETERS, check
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Verdict


def _check(seed: int = 0, **parameters) -> Verdict:
    return check("zps17-3.3", seed, **parameters)


theorem = Theorem(
    id="zps17-3.3",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 3.3",
    title="A free electron is at no strict minimum of a harmonic potential",
    statement=(
        "If Φ is harmonic except at coincidence, the energy of charges that interact by Φ has no strict local minimum "
        "at which some electron is apart from all protons and all other electrons: its Laplacian in that electron is 0."
    ),
    check=_check,
    parameters=PARAMETERS,
)
