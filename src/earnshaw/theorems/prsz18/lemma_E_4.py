"""prsz18, Lemma E.4: a random point near a proton, with its best charge, and one gradient step."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from earnshaw.descent.state import tree_norm
from earnshaw.landscapes import Electrons, Node
from earnshaw.numerics.intervals import clopper_pearson
from earnshaw.theorems.almost_critical.setting import Setting
from earnshaw.theorems.limits import above, whole
from earnshaw.theorems.theorem import Theorem
from earnshaw.theorems.verdict import Hypothesis, Verdict, decide

#: The share of α‖∇L‖² by which one step of Lemma D.1 lowers the loss.
DESCENT = 0.5
#: Rounding of the loss relative to its terms; a step that promises less than a thousand times that is not seen.
ROUNDING = 2.0**-50
RESOLVED = 1e3
#: Far outside what chance does to the share of points that land near a proton.
LEVEL = 0.9999


def _check(
    seed: int = 0,
    d: int = 3,
    k: int = 4,
    eps: float = 0.1,
    spread: float = 1.0,
    potential: Any = "",
    radius: float = 0.0,
    draws: int = 4000,
    alpha: float = 0.0,
    exponent: float = 18.0,
) -> Verdict:
    whole("k", k, 1, 50)
    whole("draws", draws, 100, 1_000_000)
    above("radius", radius, -1e-300, 1e6)
    above("alpha", alpha, -1e-300, 1e6)
    above("exponent", exponent, 0.0)
    setting = Setting.of(potential, d, eps, spread)
    random = np.random.default_rng(seed)
    protons, charges = setting.teacher(random, k)
    strong = int(np.argmax(np.abs(charges)))
    farthest = float(np.max(np.linalg.norm(protons, axis=1)))
    ball = radius or farthest + d
    hypotheses = (
        *setting.hypotheses(),
        Hypothesis("the ball reaches d beyond every proton", ball >= farthest + d, f"{ball:.4g} ≥ {farthest + d:.4g}"),
        Hypothesis("some |bⱼ| is not small", bool(abs(charges[strong]) >= 0.1), float(abs(charges[strong]))),
    )
    points = random.normal(size=(draws, d))
    points *= ball * random.uniform(size=(draws, 1)) ** (1 / d) / np.linalg.norm(points, axis=1, keepdims=True)
    near = np.linalg.norm(points - protons[strong], axis=1) <= d
    predicted = min((d / ball) ** d, 1.0)
    low, high = clopper_pearson(int(np.sum(near)), draws, LEVEL)
    step = alpha or (d / eps) ** (-2 * d)
    landscape = setting.particles(protons, charges, 1)
    node = Node(landscape, landscape.protons, landscape.charges, "learned")
    own, added, moved, promised, terms = _steps(node, jnp.asarray(points[near][:400]), step)
    resolved = promised > RESOLVED * ROUNDING * terms
    fall = np.where(resolved, (added - moved) / promised, np.inf)
    start = math.sqrt(float(landscape.constant))
    gain = np.maximum(-moved, 0.0) / (start + np.sqrt(np.maximum(start**2 + moved, 0.0)))
    size = -np.log(np.maximum(gain, 1e-300)) / (d * setting.digits)
    slack = {
        "the share of points within d of the proton": min(high - predicted, predicted - low),
        "the best charge adds −C²": 1e-9 - float(np.max(np.abs(added / own**2 + 1))),
        "one step lowers the loss by α‖∇L‖²/2": float(np.min(fall)) - 1 + 1 / RESOLVED
        if np.any(resolved)
        else math.nan,
        "the gain is at least (d/ε)^(−18d)": exponent - float(np.max(size)),
    }
    claim = min(slack, key=lambda name: slack[name])
    unseen = any(math.isnan(value) for value in slack.values())
    return decide(
        "prsz18-LE.4",
        hypotheses,
        {"share of points within d": predicted, "exponent": exponent},
        {"slack": slack, "share of points within d": [low, high], "largest exponent": float(np.max(size)),
         "α": step, "steps that rounding resolves": int(np.sum(resolved))},
        math.nan if unseen else slack[claim],
        counterexample={"claim": claim, "protons": protons, "charges": charges, "radius": ball, "α": step},
        note=f"{draws} points in a ball of radius {ball:.3g}; the step is "
        + ("given." if alpha else "the theorem's, (d/ε)^(−2d)."),
    )  # fmt: skip


def _steps(node: Node, points: Any, alpha: float) -> tuple[Float[np.ndarray, " n"], ...]:
    """Best charge, loss with it and one step later, what Lemma D.1 promises, and the size of the loss's terms."""

    @jax.jit
    def one(position: Float[jax.Array, " d"]) -> tuple[jax.Array, ...]:
        params = node.at(position)
        assert params.charges is not None
        value, gradient = node.value_and_gradient(params)
        ahead = jax.tree.map(lambda x, g: x - alpha * g, params, gradient)
        norm = tree_norm(gradient) ** 2
        charge = params.charges[0]
        terms = jnp.abs(charge) * (node.potential.matrix(position[None], node.sites)[0] @ jnp.abs(node.charges))
        return charge, value, node.loss(Electrons(*ahead)), DESCENT * alpha * norm, terms

    return tuple(np.asarray(leaf) for leaf in jax.lax.map(one, points))


theorem = Theorem(
    id="prsz18-LE.4",
    source="Panigrahy, Rahimi, Sachdeva, Zhang (2018), Lemma E.4",
    title="A random point and one step lower the loss enough to begin with",
    statement=(
        "A uniform point of a ball of radius O(d log d) is within d of a given proton with probability log(d)^{−O(d)}. "
        "From there, the best charge and one gradient step of size (d/ε)^{−2d}/poly(d) lower √L by at least "
        "(d/ε)^{−18d}/poly(d)."
    ),
    check=_check,
    parameters={
        "d": 3,
        "k": 4,
        "eps": 0.1,
        "spread": 1.0,
        "potential": "",
        "radius": 0.0,
        "draws": 4000,
        "alpha": 0.0,
        "exponent": 18.0,
    },
)
