"""zps17, Theorem 4.4: the almost 1-harmonic potential of the sphere, learned node by node with optimal charges."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from earnshaw.duality.synthetic import AlmostOneHarmonic, almost_one_harmonic, sufficient_degree
from earnshaw.duality.zonal import Zonal
from earnshaw.errors import EarnshawError
from earnshaw.geometry import Sphere, uniform_sphere
from earnshaw.landscapes import Electrons, Particles
from earnshaw.landscapes.node import Node
from earnshaw.theorems.equivalence.names import named_potential
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.node_recovery import interval, learn_often, one_by_one, steps_used
from earnshaw.theorems.search import EndPoints, critical_points
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: Places at which E C(θ)² is averaged, for electrons that end elsewhere than on a proton.
PLACES = 4000


def _check(
    seed: int = 0,
    d: int = 4,
    k: int = 3,
    epsilon: float = 0.3,
    degree: Any = None,
    law: Any = "",
    sign: float = -1.0,
    points: int = 60,
    starts: int = 8,
    step_size: Any = None,
    steps: int = 400,
    chance: float = 0.75,
) -> Verdict:
    whole("d", d, 2, 12)
    whole("k", k, 1, 12)
    whole("points", points, 1, 5000)
    whole("starts", starts, 1, 1000)
    whole("steps", steps, 1, 100_000)
    above("epsilon", epsilon, 0.0, 0.9)
    above("chance", chance, 0.0, 1.0)
    if sign not in (-1.0, 1.0):
        raise EarnshawError(f"sign is that of the residual, -1 (corrected) or 1 (printed), not {sign!r}")
    random = np.random.default_rng(seed)
    protons = random.normal(size=(k, d))
    protons = protons / np.linalg.norm(protons, axis=1, keepdims=True)
    charges = random.choice([-1.0, 1.0], size=k) * random.uniform(0.5, 1.5, size=k)
    most = float(np.sum(np.abs(charges))) + 2.0 * k
    enough = sufficient_degree(d, epsilon, most)
    degree = enough if degree is None else whole("degree", degree, 2, 2000)
    claimed = almost_one_harmonic(d, degree)
    phi = claimed if isinstance(law, str) and not law else named_potential(law, d, "sphere")
    landscape = Particles(
        phi, protons, charges, learn_charges=True, form="without-constant", manifold=Sphere(), parity="even"
    )
    batch = _balanced(landscape, points, jax.random.key(seed))
    seen = _looked(landscape, claimed, batch, sign)
    found = critical_points(landscape, batch, longest=0.2)
    algorithm = one_by_one(
        step_size, epsilon**2 / (4 * d), steps, epsilon**2 / (4 * d), charge="optimal", error=epsilon, joint=True
    )
    ends, distances, _ = learn_often(landscape, algorithm, starts, seed, epsilon / 4)
    left = _left_over(landscape, ends, jax.random.key(seed))
    good = (distances <= epsilon) & ends.is_global | (left < epsilon)
    low, high = interval(int(np.sum(good)), starts)

    bounded = np.sum(np.abs(np.asarray(batch.charges)), axis=1) + np.sum(np.abs(charges)) <= most
    free = _free(landscape, batch, epsilon) & bounded[:, None]
    curvatures = np.where(free.any(axis=1), seen.smallest, -np.inf)
    limit = -(epsilon**2) / (4 * d)
    strays = [_strays(landscape, points, epsilon, -limit) for points in (found, ends)]
    slack = {
        "identity": 1e-8 - seen.mismatch,
        "strictness": (limit - float(np.max(curvatures))) / abs(limit) if free.any() else np.nan,
        "chance": high - chance,
    }
    if any(map(len, strays)):
        slack["members"] = -float(sum(map(len, strays)))
    failing = [name for name in slack if slack[name] < 0]
    counterexample: dict[str, Any] = {"law": phi.name, "protons": protons, "charges": charges, "claims": failing}
    for points_, stray in zip((found, ends), strays, strict=True):
        for index in stray[:1]:
            counterexample |= {"electrons": points_.at(index), "smallest eigenvalue": points_.smallest[index]}
    return decide(
        "zps17-4.4",
        (
            Hypothesis("the degree N is large enough for ε and Σ|a| + Σ|b|", degree >= enough, f"{degree} of {enough}"),
            Hypothesis("Σ|a| and Σ|b| are bounded", bool(bounded.any()), most),
        ),
        {
            "members of M_{ε²/4d}": "each electron near a proton, near an electron, or with |a| < ε",
            "λ_min where an electron is neither": f"below {limit:.3g}",
            "chance of the global minimum or of E C² < ε, at least": chance,
        },
        {
            "ΔL in an electron against the formula, relative": seen.mismatch,
            "largest λ_min with a free electron": float(np.max(curvatures)),
            "critical points": found.counts(),
            "ends": ends.counts(),
            "members that break the rule": sum(map(len, strays)),
            "starts that end well": f"{int(np.sum(good))} of {starts}, {int(np.sum(ends.is_global))} globally",
            "chance, 95 %": [low, high],
            "N": degree,
        },
        min(slack[name] for name in failing) if failing else float(np.min(list(slack.values()))),
        counterexample=counterexample,
        note=steps_used(step_size),
    )


def _balanced(landscape: Particles, count: int, key: Any) -> Electrons:
    """Uniform electrons with charges from −1 to 1, but the first one with its best charge."""
    k, d = landscape.protons.shape
    places, carried = jax.random.split(key)
    positions = uniform_sphere(places, (count, k, d))
    charges = jax.random.uniform(carried, (count, k), minval=-1.0, maxval=1.0)

    def best(x: Float[Array, "k d"], a: Float[Array, " k"]) -> Float[Array, " k"]:
        node = Node.of(landscape, x, a, 0, "optimal")
        return a.at[0].set(node.optimal_charge(x[0]))

    return Electrons(positions, jax.jit(jax.vmap(best))(positions, charges))


class _Seen(NamedTuple):
    smallest: Float[np.ndarray, " n"]
    mismatch: float


def _looked(landscape: Particles, claimed: Zonal, batch: Electrons, sign: float) -> _Seen:
    """λ_min, and how far ΔL in each electron is from aᵢ∂L/∂aᵢ − 2aᵢ²Φ(1) ± 2aᵢ c_N k_N Σ q (θᵢᵀs)^N."""
    profile: AlmostOneHarmonic = claimed.profile
    k, d = landscape.protons.shape

    def one(x, a):
        params = Electrons(x, a)
        hessian = landscape.hessian(params)
        blocks = hessian[: k * (d - 1), : k * (d - 1)].reshape(k, d - 1, k, d - 1)
        laplacians = jnp.stack([jnp.trace(blocks[i, :, i, :]) for i in range(k)])
        slopes = landscape.gradient(params).charges
        powers = (x @ landscape.protons.T) ** profile.degree @ landscape.charges
        among = (x @ x.T) ** profile.degree
        powers = powers + (among - jnp.diag(jnp.diag(among))) @ a
        rest = sign * 2 * a * profile.residual_coefficient * powers
        predicted = a * slopes - 2 * a**2 * profile.at_coincidence + rest
        scale = jnp.linalg.norm(blocks) + jnp.max(jnp.abs(predicted))
        return jnp.linalg.eigvalsh((hessian + hessian.T) / 2)[0], jnp.max(jnp.abs(laplacians - predicted)) / scale

    smallest, mismatches = jax.jit(jax.vmap(one))(batch.positions, batch.charges)
    return _Seen(np.asarray(smallest), float(jnp.max(mismatches)))


def _free(landscape: Particles, batch: Electrons, epsilon: float) -> np.ndarray:
    """Which first electrons have |a| ≥ ε and are near no proton and no electron, up to sign."""
    x, a = np.asarray(batch.positions), np.asarray(batch.charges)
    return (_near(landscape, x) <= 1 - epsilon)[:, :1] & (np.abs(a) >= epsilon)[:, :1]


def _near(landscape: Particles, x: Float[np.ndarray, "n k d"]) -> Float[np.ndarray, "n k"]:
    """The largest |inner product| of every electron with another particle."""
    among = np.abs(np.einsum("nkd,nld->nkl", x, x))
    among[:, *np.diag_indices(x.shape[1])] = 0
    to_protons = np.abs(x @ np.asarray(landscape.protons).T)
    return np.maximum(among.max(axis=2), to_protons.max(axis=2))


def _strays(landscape: Particles, points: EndPoints, epsilon: float, limit: float) -> np.ndarray:
    """Members of M at which some electron has |a| ≥ ε and is near no other particle."""
    x, a = np.asarray(points.points.positions), np.asarray(points.points.charges)
    member = (points.gradient_norm <= limit) & (points.smallest >= -limit) & np.isfinite(points.loss)
    off = (_near(landscape, x) <= 1 - epsilon) & (np.abs(a) >= epsilon)
    return np.flatnonzero(member & off.any(axis=1))


def _left_over(landscape: Particles, ends: EndPoints, key: Any) -> Float[np.ndarray, " n"]:
    """E C(θ)² over uniform θ, without the last electron of each end: what its node had to begin with."""
    places = uniform_sphere(key, (PLACES, landscape.protons.shape[1]))

    def one(x, a):
        field = landscape.potential.matrix(places, landscape.protons) @ landscape.charges
        return jnp.mean((field + landscape.potential.matrix(places, x[:-1]) @ a[:-1]) ** 2)

    return np.asarray(jax.jit(jax.vmap(one))(ends.points.positions, ends.points.charges))


theorem = Theorem(
    id="zps17-4.4",
    source="Zhang, Panigrahy, Sachdeva (2017), Theorem 4.4",
    title="Under an almost 1-harmonic potential almost critical electrons are near particles or hardly charged",
    statement=(
        "For every ε there is a realizable potential of the sphere, a polynomial f(θᵀw) of large degree N with Δf = "
        "f − c_N k_N (θᵀw)^N, such that at points of M_{ε²/4d} every electron has |wᵀθ| > 1 − ε for a proton or "
        "|θ′ᵀθ| > 1 − ε for an electron, or |a| < ε. Descending node by node with optimal charges very probably ends "
        "near the global minimum, or with a field of E C(θ)² < ε left. (Printed Δf = f + k_N (θᵀw)^N: sign=1.)"
    ),
    check=_check,
    parameters={
        "d": 4,
        "k": 3,
        "epsilon": 0.3,
        "degree": None,
        "law": "",
        "sign": -1.0,
        "points": 60,
        "starts": 8,
        "step_size": None,
        "steps": 400,
        "chance": 0.75,
    },
)
