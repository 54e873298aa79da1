"""Every theorem by its id, as strings only: listing them loads nothing numeric."""

import importlib
from typing import NamedTuple

from earnshaw.errors import unknown_name
from earnshaw.theorems.theorem import Theorem


class Entry(NamedTuple):
    """Where a theorem lives and what it is called."""

    module: str
    title: str


_ZPS17 = "earnshaw.theorems.zps17."
_PRSZ18 = "earnshaw.theorems.prsz18."

REGISTRY: dict[str, Entry] = {
    "zps17-2.2": Entry(_ZPS17 + "theorem_2_2", "Gradient flow on half the loss is electron-proton dynamics"),
    "zps17-2.4": Entry(_ZPS17 + "theorem_2_4", "Activation from a translation-invariant potential"),
    "zps17-2.5": Entry(_ZPS17 + "theorem_2_5", "Activation of a rotation-invariant potential by Hermite series"),
    "zps17-3.3": Entry(_ZPS17 + "theorem_3_3", "A free electron is at no strict minimum of a harmonic potential"),
    "zps17-C3.4": Entry(_ZPS17 + "corollary_3_4", "Distinct electrons rest on the protons under the Coulomb potential"),
    "zps17-3.6": Entry(
        _ZPS17 + "theorem_3_6",
        "Strictly subharmonic potentials have no spurious minima when all charges are opposite",
    ),
    "zps17-L3.8": Entry(
        _ZPS17 + "lemma_3_8", "An isolated electron with its best charge is at no minimum of a λ-harmonic potential"
    ),
    "zps17-3.9": Entry(
        _ZPS17 + "theorem_3_9", "Descent under a λ-harmonic potential finds the protons while electrons stay apart"
    ),
    "zps17-3.10": Entry(_ZPS17 + "theorem_3_10", "A monomial unit finds one of orthonormal units"),
    "zps17-3.11": Entry(_ZPS17 + "theorem_3_11", "On the circle the sign finds one of the units"),
    "zps17-C3.12": Entry(_ZPS17 + "corollary_3_12", "On any sphere the sign finds one of at most two units"),
    "zps17-3.13": Entry(
        _ZPS17 + "conjecture_3_13", "No spurious minima under the potential of the sign (a conjecture)"
    ),
    "zps17-3.14": Entry(_ZPS17 + "conjecture_3_14", "No spurious minima under the distance potential (a conjecture)"),
    "zps17-4.2": Entry(_ZPS17 + "theorem_4_2", "Node-wise descent finds all protons of a Gaussian potential"),
    "zps17-C4.3": Entry(
        _ZPS17 + "corollary_4_3", "Node-wise descent finds all protons of an exponential potential on the sphere"
    ),
    "zps17-4.4": Entry(
        _ZPS17 + "theorem_4_4",
        "Under an almost 1-harmonic potential almost critical electrons are near particles or hardly charged",
    ),
    "zps17-4.5": Entry(
        _ZPS17 + "theorem_4_5", "Node-wise descent with optimal charges learns orthonormal polynomial units"
    ),
    "zps17-5.1": Entry(_ZPS17 + "theorem_5_1", "A network of signs that comes near one sign has a unit near it"),
    "zps17-LB.1": Entry(_ZPS17 + "lemma_B_1", "Truncating a Gaussian hardly changes expectations of polynomial growth"),
    "zps17-B.3": Entry(_ZPS17 + "theorem_B_3", "Rademacher complexity of products of two units"),
    "zps17-B.4": Entry(_ZPS17 + "theorem_B_4", "Samples that it takes to know a loss and its derivatives everywhere"),
    "zps17-B.5": Entry(_ZPS17 + "theorem_B_5", "From almost every start gradient descent ends at no saddle"),
    "zps17-CB.6": Entry(
        _ZPS17 + "corollary_B_6", "Where all minima are global, gradient descent finds one from almost every start"
    ),
    "zps17-B.7": Entry(
        _ZPS17 + "theorem_B_7", "Noisy descent on an estimated loss ends among almost critical points of the loss"
    ),
    "zps17-D.1": Entry(_ZPS17 + "theorem_D_1", "A node that begins with a charge keeps it"),
    "prsz18-2.1": Entry(
        _PRSZ18 + "theorem_2_1", "Activation from a square-integrable potential of nonnegative Fourier transform"
    ),
    "prsz18-2.3": Entry(_PRSZ18 + "theorem_2_3", "Gradient flow on half the loss is electron-proton dynamics under Φ"),
    "prsz18-3.4": Entry(_PRSZ18 + "theorem_3_4", "A harmonic potential has no differentiable strict minimum"),
    "prsz18-3.6": Entry(_PRSZ18 + "theorem_3_6", "A λ-harmonic potential has no local minimum with free electrons"),
    "prsz18-4.1": Entry(_PRSZ18 + "theorem_4_1", "After descent with curvature some electron is at a proton"),
    "prsz18-L4.2": Entry(_PRSZ18 + "lemma_4_2", "Realizable potentials that are λ-harmonic outside a small ball"),
    "prsz18-L4.3": Entry(_PRSZ18 + "lemma_4_3", "Almost critical electrons are near a proton or hardly charged"),
    "prsz18-L4.4": Entry(_PRSZ18 + "lemma_4_4", "An almost critical point of lower loss has an electron near a proton"),
    "prsz18-L4.5": Entry(_PRSZ18 + "lemma_4_5", "One electron at the origin lowers the loss enough to begin with"),
    "prsz18-4.6": Entry(_PRSZ18 + "theorem_4_6", "Node-wise descent finds every proton and every charge"),
    "prsz18-LB.1": Entry(_PRSZ18 + "lemma_B_1", "On the sphere the potential of an activation is its dual"),
    "prsz18-B.2": Entry(_PRSZ18 + "theorem_B_2", "Activation of a zonal potential by Hermite series"),
    "prsz18-LB.4": Entry(_PRSZ18 + "lemma_B_4", "Realizable potentials have positive semidefinite Gram matrices"),
    "prsz18-LB.6": Entry(_PRSZ18 + "lemma_B_6", "Mixtures of realizable potentials are realizable"),
    "prsz18-LB.7": Entry(_PRSZ18 + "lemma_B_7", "A realizable potential whose derivative of order d − 1 is a tent"),
    "prsz18-LB.8": Entry(
        _PRSZ18 + "lemma_B_8", "Alternating derivatives make a potential realizable but for a small ball"
    ),
    "prsz18-LB.9": Entry(_PRSZ18 + "lemma_B_9", "Almost λ-harmonic potentials for any λ, with bounds"),
    "prsz18-LB.10": Entry(_PRSZ18 + "lemma_B_10", "The Yukawa potential of R³ from K₁(r)/r"),
    "prsz18-LD.1": Entry(_PRSZ18 + "lemma_D_1", "What a step against the gradient gains"),
    "prsz18-LD.2": Entry(_PRSZ18 + "lemma_D_2", "What a step along the most negative curvature gains"),
    "prsz18-LE.1": Entry(_PRSZ18 + "lemma_E_1", "One almost critical electron is near a proton or hardly charged"),
    "prsz18-LE.2": Entry(_PRSZ18 + "lemma_E_2", "One almost critical electron that lowers the loss is near a proton"),
    "prsz18-LE.3": Entry(_PRSZ18 + "lemma_E_3", "Around a proton the gradient points at it"),
    "prsz18-LE.4": Entry(_PRSZ18 + "lemma_E_4", "A random point and one step lower the loss enough to begin with"),
    "prsz18-LE.5": Entry(_PRSZ18 + "lemma_E_5", "One electron finds a proton, and its charge if it is solved for"),
    "prsz18-F.2": Entry(
        _PRSZ18 + "theorem_F_2", "Under a strictly subharmonic potential with a pole electrons only rest on protons"
    ),
    "prsz18-CF.3": Entry(
        _PRSZ18 + "corollary_F_3",
        "Under a finite strictly subharmonic potential electrons only rest one on each proton",
    ),
    "prsz18-F.4": Entry(_PRSZ18 + "theorem_F_4", "Under a narrow Gaussian potential electrons only rest near protons"),
    "prsz18-LG.1": Entry(_PRSZ18 + "lemma_G_1", "Signs on the circle have no strict minimum but the protons"),
    "prsz18-LG.2": Entry(
        _PRSZ18 + "lemma_G_2", "One sign unit on the circle has its minima on the axes of the protons"
    ),
    "prsz18-G.3": Entry(
        _PRSZ18 + "theorem_G_3", "Monomial potentials among orthonormal protons have minima only on their axes"
    ),
    "prsz18-H.1": Entry(_PRSZ18 + "theorem_H_1", "Sign units that fit a sign unit well have one that points along it"),
}


def ids() -> list[str]:
    """The ids of all theorems, in the order of their papers."""
    return list(REGISTRY)


def get(theorem_id: str, /) -> Theorem:
    """Load one theorem.

    >>> get("zps17-99.1")
    Traceback (most recent call last):
    earnshaw.errors.EarnshawError: ...
    """
    if theorem_id not in REGISTRY:
        raise unknown_name("theorem", theorem_id, REGISTRY)
    return importlib.import_module(REGISTRY[theorem_id].module).theorem
