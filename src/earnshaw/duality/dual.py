"""The potential of a ridge activation under Gaussian inputs: Φ(θ, w) = E σ(θᵀx)σ(wᵀx)."""

import math
from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Float

from earnshaw.duality import activations
from earnshaw.duality.activation import Activation, Parity
from earnshaw.duality.potential import Potential, one_pair, point_sets
from earnshaw.duality.rule import Rule
from earnshaw.duality.series import HermiteSeries, PolynomialSeries, Series
from earnshaw.duality.series_selection import select_series
from earnshaw.duality.symmetric import surroundings
from earnshaw.duality.zonal import GramProfile, PowerSeries, Zonal
from earnshaw.errors import EarnshawError
from earnshaw.numerics.arguments import finite_number, positive_number
from earnshaw.numerics.chords import gram


class Dual(Potential):
    """Φ(θ, w) = E σ(θᵀx)σ(wᵀx), x standard Gaussian in R^d, for points of any norm.

    Closed forms where they exist, otherwise the Hermite series Σ cₙ(‖θ‖)cₙ(‖w‖)ρⁿ with its number of terms chosen for a
    relative `tolerance` and for norms up to `max_norm`. Called with concrete arrays of larger norm it chooses again;
    inside `jit` it returns NaN there, and `resolved_for` gives a potential that does not.

    With `bias=True` a unit is σ(θᵀx + b) and a point is (θ, b): the bias is its last coordinate.

    Derivatives are right, and finite where the mathematics has a limit, at coincident, parallel, opposite and zero
    vectors. Where there is none (ReLU at a zero vector, sign at parallel vectors) the subgradient 0 is used.

    >>> import jax.numpy as jnp
    >>> phi = Dual("relu")
    >>> round(float(phi(jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0]))), 12)
    0.159154943092
    """

    activation: Activation = eqx.field(static=True)
    bias: bool = eqx.field(static=True)
    tolerance: float = eqx.field(static=True)
    max_norm: float = eqx.field(static=True)

    def __init__(
        self,
        activation: str | Activation | Callable,
        *,
        bias: bool = False,
        tolerance: float = 1e-12,
        max_norm: float = 1.0,
    ) -> None:
        self.tolerance = finite_number("the tolerance of a dual", tolerance)
        if not 1e-14 <= self.tolerance < 1:
            raise EarnshawError(f"the tolerance of a dual must be between 1e-14 and 1, got {tolerance}")
        self.max_norm = positive_number("the largest norm of a dual", max_norm)
        self.activation = activations.get(activation)
        self.bias = bool(bias)
        _ = self.rule  # an activation too rough for the tolerance is refused here, not in the middle of a run

    @property
    def name(self) -> str:
        """The activation's name."""
        return f"dual of {self.activation.name}" + (" with biases" if self.bias else "")

    @property
    def parity(self) -> Parity:
        """The activation's symmetry under z → −z."""
        return self.activation.parity

    @property
    def rule(self) -> Rule:
        """How this dual is evaluated: the closed form where there is one, otherwise a Hermite series."""
        form = self.activation.closed_form
        if form is not None and (form.takes_means() or not self.bias):
            return form
        if self.activation.powers is not None:
            return PolynomialSeries(self.activation.powers)
        return select_series(self.activation.function, self.activation.name, self.max_norm, self.tolerance, self.bias)

    @property
    def truncation_error(self) -> float:
        """Bound on the relative error |Φ − series|/√(Φ(θ, θ)Φ(w, w)): 0 for closed forms and polynomials."""
        return self.rule.tolerance if isinstance(self.rule, HermiteSeries) else 0.0

    def resolved_for(self, largest_norm: float) -> "Dual":
        """This potential, accurate for norms (and biases) up to `largest_norm`; itself if it already is.

        Norms are rounded up to powers of √2, so that a growing norm changes the potential only now and then.
        """
        if not isinstance(self.rule, HermiteSeries) or largest_norm <= self.max_norm * (1 + 1e-9):
            return self
        if not math.isfinite(largest_norm):
            raise EarnshawError(f"points must be finite, got norm {largest_norm}")
        rounded = 2.0 ** (math.ceil(2 * math.log2(largest_norm) - 1e-9) / 2)
        return Dual(self.activation, bias=self.bias, tolerance=self.tolerance, max_norm=rounded)

    def accurate_at(self, *points: Array) -> "Dual":
        """This potential, accurate at the finite ones of these points; itself where their numbers are not known yet."""
        if not isinstance(self.rule, HermiteSeries) or any(isinstance(p, Tracer) for p in points):
            return self
        largest = 0.0
        for p in points:
            rows = np.asarray(p).reshape(-1, p.shape[-1])
            weights, means = self._split(rows[np.isfinite(rows).all(axis=1)])
            largest = max(largest, float(np.sqrt(np.max(np.sum(weights**2, axis=1), initial=0.0))))
            largest = max(largest, 0.0 if means is None else float(np.max(np.abs(means), initial=0.0)))
        return self.resolved_for(largest)

    def matrix(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        """E σ(xᵢᵀz)σ(yⱼᵀz)."""
        x, y = point_sets(x, y)
        resolved = self.accurate_at(x, y)
        return resolved._pairs(x, y, distinct=False)

    def surroundings(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n n+m"]:
        """The matrix with itself and with others, with 0 where a point meets itself."""
        x, y = point_sets(x, y)
        resolved = self.accurate_at(x, y)
        return surroundings(lambda a, b: resolved._pairs(a, b, distinct=True), x, y)

    def self_energy(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """E σ(xᵢᵀz)²."""
        x, _ = point_sets(x, x)
        weights, means = self._split(x)
        return self.accurate_at(x).rule.diagonal(jnp.sum(weights**2, axis=1), means)

    def mean(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        """E σ(xᵢᵀz).

        >>> import jax.numpy as jnp
        >>> round(float(Dual("relu").mean(jnp.array([[3.0, 4.0]]))[0]), 12)
        1.994711402007
        """
        x, _ = point_sets(x, x)
        weights, means = self._split(x)
        return self.accurate_at(x).rule.mean(jnp.sum(weights**2, axis=1), means)

    def laplacian(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Δ in θ ∈ R^d (and not in the bias, if there is one)."""
        x, y = one_pair(x, y)
        hessian = jax.hessian(lambda point: self.matrix(point[None], y[None])[0, 0])(x)
        return jnp.trace(hessian) - (hessian[-1, -1] if self.bias else 0.0)

    def laplace_beltrami(self, x: Float[Array, " d"], y: Float[Array, " d"]) -> Float[Array, ""]:
        """Δ of the sphere in the first argument: that of `on_sphere`."""
        return self.on_sphere().laplacian(x, y)

    def on_sphere(self) -> Zonal:
        """This potential for unit vectors, as a function of the inner product alone.

        >>> phi = Dual("tanh").on_sphere()
        >>> phi.space
        'sphere'
        """
        if self.bias:
            raise EarnshawError("a dual with biases is not a function of the angle alone; leave the biases out")
        activation = self.activation
        if activation.expansion is not None:
            squares = np.array(activation.expansion) ** 2
        elif activation.closed_form is not None:
            return Zonal(GramProfile(activation.closed_form.pairs), self.name, activation.parity, activation)
        else:
            rule = Dual(activation, tolerance=self.tolerance).rule
            assert isinstance(rule, Series)
            squares = np.asarray(rule.coefficients(0, jnp.ones(1), None)[0]) ** 2
        return Zonal(PowerSeries(_trimmed(squares)), self.name, activation.parity, activation)

    def _split(self, x):
        return (x[:, :-1], x[:, -1]) if self.bias else (x, None)

    @partial(jax.jit, static_argnames=("self", "distinct"))
    def _pairs(self, x, y, *, distinct: bool):
        (x, a), (y, b) = self._split(x), self._split(y)
        g = gram(x, y, distinct=distinct)
        if a is None or b is None:
            return self.rule.pairs(g)
        return self.rule.pairs(g, a[:, None], b[None, :])


def _trimmed(coefficients: np.ndarray) -> tuple[float, ...]:
    """Without the terms that are zero up to rounding, which parity makes every second one."""
    kept = np.where(coefficients > 1e-30 * coefficients.sum(), coefficients, 0.0)
    last = int(np.flatnonzero(kept)[-1]) if np.any(kept) else 0
    return tuple(float(c) for c in kept[: last + 1])
