"""The same losses with 40 decimal digits, and local minima judged by differences of the loss alone.

Nothing here shares code with the landscapes: angles come from half-chords and a power series of the arctangent, and
curvatures and slopes from differences.
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np

DIGITS = 40
#: The step of the differences: their own error is about its square.
STEP = Decimal("1e-10")
#: Directions out of each kink that are tried besides those of the axes.
DIRECTIONS = 24

Pair = Callable[[list[Decimal], list[Decimal]], Decimal]


def arctangent(t: Decimal) -> Decimal:
    """The arctangent, by halving the angle three times and a power series.

    >>> with localcontext(prec=DIGITS):
    ...     str(4 * arctangent(Decimal(1)))[:32]
    '3.141592653589793238462643383279'
    """
    if t < 0:
        return -arctangent(-t)
    if t > 1:
        return 2 * arctangent(Decimal(1)) - arctangent(1 / t)
    for _ in range(3):
        t = t / (1 + (1 + t * t).sqrt())
    term, total, n = t, t, 1
    while abs(term) > Decimal(10) ** -(DIGITS + 4):
        term *= -t * t
        n += 2
        total += term / n
    return 8 * total


@cache
def _pi() -> Decimal:
    return 4 * arctangent(Decimal(1))


def sign_pair(x: list[Decimal], y: list[Decimal]) -> Decimal:
    """1 − 2α/π for the directions of x and y."""
    norm_x, norm_y = (sum((c * c for c in v), Decimal(0)).sqrt() for v in (x, y))
    minus = sum(((p / norm_x - q / norm_y) ** 2 for p, q in zip(x, y, strict=True)), Decimal(0)).sqrt()
    plus = sum(((p / norm_x + q / norm_y) ** 2 for p, q in zip(x, y, strict=True)), Decimal(0)).sqrt()
    angle = _pi() if plus == 0 else 2 * arctangent(minus / plus)
    return 1 - 2 * angle / _pi()


def attraction_pair(x: list[Decimal], y: list[Decimal]) -> Decimal:
    """−‖x − y‖."""
    return -sum(((p - q) ** 2 for p, q in zip(x, y, strict=True)), Decimal(0)).sqrt()


PAIRS: dict[str, Pair] = {"sign": sign_pair, "attraction": attraction_pair}


def loss(pair: Pair, places: list[list[Decimal]], charges: list[Decimal]) -> Decimal:
    """Σ qᵢqⱼΦ(xᵢ, xⱼ) over all particles, with the diagonal.

    >>> float(loss(attraction_pair, [[Decimal(0)], [Decimal(3)]], [Decimal(1), Decimal(-1)]))
    6.0
    """
    total = Decimal(0)
    for i, x in enumerate(places):
        total += charges[i] * charges[i] * pair(x, x)
        for j in range(i):
            total += 2 * charges[i] * charges[j] * pair(x, places[j])
    return total


def recheck(
    name: str, protons: Any, proton_charges: Any, positions: Any, charges: Any, site: Any, learned: bool, seed: int = 0
) -> dict[str, Any]:
    """What differences of the loss say about a point: its loss, smallest curvature, and least slope out of a kink.

    Smooth directions are those of free electrons and (if learned) charges, those on one proton together; slopes are
    those of electrons that leave their proton in many directions, alone and with others on it.

    >>> twice = [[1.0, 0.0], [1.0, 0.0]]
    >>> found = recheck("sign", np.eye(2), [3.0, 1.0], twice, [-1.5, -1.5], [0, 0], learned=True)
    >>> found["loss"], found["is a local minimum"]
    (1.0, True)
    """
    with localcontext() as context:
        context.prec = DIGITS
        pair = PAIRS[name]
        w = [[Decimal(float(c)) for c in row] for row in np.asarray(protons)]
        b = [Decimal(float(c)) for c in np.asarray(proton_charges)]
        x = np.asarray(positions, float)
        a = [Decimal(float(c)) for c in np.asarray(charges)]
        site = np.asarray(site)
        start = [w[site[i]] if site[i] >= 0 else [Decimal(float(c)) for c in x[i]] for i in range(len(x))]
        own = [_unit(row) if name == "sign" else row for row in start]
        fixed = [_unit(row) if name == "sign" else row for row in w]

        def at(shift: np.ndarray, size: Decimal) -> Decimal:
            """The loss with electrons and charges moved along `shift`."""
            k, d = x.shape
            moved = [[own[i][c] + size * Decimal(float(shift[i * d + c])) for c in range(d)] for i in range(k)]
            own_charges = [a[i] + size * Decimal(float(shift[k * d + i])) for i in range(k)]
            return loss(pair, moved + fixed, own_charges + b)

        here = at(np.zeros(x.size + len(x)), STEP)
        smooth, kinked = _directions(x, site, name == "sign", learned, seed)
        smallest, gradient = np.inf, 0.0
        if smooth:
            m = len(smooth)
            ahead = [at(v, STEP) for v in smooth]
            back = [at(v, -STEP) for v in smooth]
            gradient = max(abs(float((p - q) / (2 * STEP))) for p, q in zip(ahead, back, strict=True))
            hessian = np.zeros((m, m))
            for i in range(m):
                hessian[i, i] = float((ahead[i] - 2 * here + back[i]) / STEP**2)
                for j in range(i):
                    both = at(smooth[i] + smooth[j], STEP)
                    hessian[i, j] = hessian[j, i] = float((both - ahead[i] - ahead[j] + here) / STEP**2)
            smallest = float(np.linalg.eigvalsh(hessian)[0])
        slopes = [float((at(v, STEP) - here) / STEP) for v in kinked]
        least = min(slopes, default=np.inf)
        return {
            "digits": DIGITS,
            "loss": float(here),
            "largest slope in smooth directions": gradient,
            "smallest curvature in smooth directions": smallest,
            "least slope out of a kink": least,
            "directions": len(smooth) + len(kinked),
            "is a local minimum": bool(gradient < 1e-8 and smallest > 0 and least > 0),
        }


def _together(kinked: list[Any], members: Any, k: int, d: int, random: np.random.Generator) -> list[Any]:
    """Sums of the ways out of several electrons, at random, of norm 1."""
    own = [[v for v in kinked if np.any(v[i * d : (i + 1) * d])] for i in members]
    sums = []
    for _ in range(2 * DIRECTIONS):
        weights = random.uniform(size=len(members))
        total = np.sum([t * ways[random.integers(len(ways))] for t, ways in zip(weights, own, strict=True)], axis=0)
        sums.append(total / np.linalg.norm(total))
    return sums


def _unit(row: list[Decimal]) -> list[Decimal]:
    norm = sum((c * c for c in row), Decimal(0)).sqrt()
    return [c / norm for c in row]


def _directions(x: Any, site: Any, on_sphere: bool, learned: bool, seed: int) -> tuple[list[Any], list[Any]]:
    """Unit vectors in all coordinates: those in which the loss is smooth, and those that leave a proton."""
    k, d = x.shape
    random = np.random.default_rng(seed)
    smooth, kinked = [], []
    for i in range(k):
        tangent = np.linalg.svd(x[i][None] / np.linalg.norm(x[i]))[2][1:] if on_sphere else np.eye(d)
        ways = list(tangent)
        if site[i] >= 0:
            rays = random.normal(size=(DIRECTIONS, len(tangent))) @ tangent
            ways += list(-tangent) + list(rays / np.linalg.norm(rays, axis=1, keepdims=True))
        for way in ways:
            vector = np.zeros(k * d + k)
            vector[i * d : (i + 1) * d] = way
            (kinked if site[i] >= 0 else smooth).append(vector)
    for j in np.unique(site[site >= 0]):
        members = np.flatnonzero(site == j)
        # Electrons on one proton may also leave it together, each its own way.
        kinked += _together(kinked, members, k, d, random) if len(members) > 1 else []
    groups = [[i] for i in range(k) if site[i] < 0] + [
        list(np.flatnonzero(site == j)) for j in np.unique(site[site >= 0])
    ]
    if learned:
        for members in groups:
            vector = np.zeros(k * d + k)
            vector[k * d + np.asarray(members)] = 1 / np.sqrt(len(members))
            smooth.append(vector)
    return smooth, kinked
