"""Surfaces small enough to know everything about: for examples, and as oracles for algorithms and probes."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold, Sphere, uniform_sphere
from earnshaw.landscapes.checks import finite_array, holds, positive_integer, positive_number
from earnshaw.landscapes.landscape import Landscape

Vector = Float[Array, " d"]


class Quadratic(Landscape):
    """½ xᵀAx on R^d, A symmetric of any signature; starts are N(0, scale² I).

    Gradient descent with step η multiplies the coordinate along an eigenvector of eigenvalue λ by 1 − ηλ.

    >>> Quadratic([[2.0, 0.0], [0.0, -1.0]]).loss(jnp.array([1.0, 2.0])).item()
    -1.0
    """

    matrix: Float[Array, "d d"]
    scale: Float[Array, ""]
    manifold: Manifold

    def __init__(self, matrix: Any, *, scale: Any = 1.0):
        self.matrix = _symmetric(matrix)
        self.scale = positive_number("scale", scale)
        self.manifold = Euclidean()

    def loss(self, params: Vector) -> Float[Array, ""]:
        """½ xᵀAx."""
        return 0.5 * params @ self.matrix @ params

    def init(self, key: PRNGKeyArray) -> Vector:
        """N(0, scale² I)."""
        return self.scale * jax.random.normal(key, self.matrix.shape[:1])

    def minimisers(self) -> tuple[Vector, ...]:
        """The origin, when A is positive definite."""
        definite = bool(jnp.linalg.eigvalsh(self.matrix)[0] > 0)
        return (jnp.zeros(self.matrix.shape[0]),) if definite else ()


class DoubleWell(Landscape):
    """(x₁² − 1)²/4 + ½ Σ_{i>1} xᵢ² on R^d: minima of loss 0 at ±e₁, and between them a saddle of loss ¼ at 0.

    At the saddle the Hessian is diag(−1, 1, …, 1), at the minima diag(2, 1, …, 1). Every point with x₁ = 0 flows
    into the saddle.

    >>> DoubleWell(2).loss(jnp.zeros(2)).item()
    0.25
    """

    scale: Float[Array, ""]
    manifold: Manifold
    dimension: int = eqx.field(static=True)

    def __init__(self, dimension: Any = 2, *, scale: Any = 1.0):
        self.dimension = positive_integer("dimension", dimension)
        self.scale = positive_number("scale", scale)
        self.manifold = Euclidean()

    def loss(self, params: Vector) -> Float[Array, ""]:
        """(x₁² − 1)²/4 + ½ Σ_{i>1} xᵢ²."""
        return (params[0] ** 2 - 1) ** 2 / 4 + jnp.sum(params[1:] ** 2) / 2

    def init(self, key: PRNGKeyArray) -> Vector:
        """N(0, scale² I)."""
        return self.scale * jax.random.normal(key, (self.dimension,))

    def canonicalise(self, params: Vector) -> Vector:
        """The one of x and its mirror image with x₁ ≥ 0."""
        return params.at[0].set(jnp.abs(params[0]))

    def minimisers(self) -> tuple[Vector, ...]:
        """e₁; its mirror image −e₁ is the same point up to symmetry."""
        return (jnp.eye(self.dimension)[0],)


class Rosenbrock(Landscape):
    """Σᵢ 100 (x_{i+1} − xᵢ²)² + (1 − xᵢ)² on R^d, d ≥ 2: a bent valley with the only global minimum, 0, at (1, …, 1).

    >>> Rosenbrock(2).loss(jnp.array([-1.0, 1.0])).item()
    4.0
    """

    scale: Float[Array, ""]
    manifold: Manifold
    dimension: int = eqx.field(static=True)

    def __init__(self, dimension: Any = 2, *, scale: Any = 1.0):
        if positive_integer("dimension", dimension) < 2:
            raise EarnshawError(f"the Rosenbrock function needs dimension 2 or more, not {dimension}")
        self.dimension = dimension
        self.scale = positive_number("scale", scale)
        self.manifold = Euclidean()

    def loss(self, params: Vector) -> Float[Array, ""]:
        """Σᵢ 100 (x_{i+1} − xᵢ²)² + (1 − xᵢ)²."""
        return jnp.sum(100 * (params[1:] - params[:-1] ** 2) ** 2 + (1 - params[:-1]) ** 2)

    def init(self, key: PRNGKeyArray) -> Vector:
        """N(0, scale² I)."""
        return self.scale * jax.random.normal(key, (self.dimension,))

    def minimisers(self) -> tuple[Vector, ...]:
        """The all-ones vector."""
        return (jnp.ones(self.dimension),)


class RayleighQuotient(Landscape):
    """xᵀAx on the unit sphere, A symmetric; starts are uniform.

    The critical points are the eigenvectors, with the eigenvalues as losses; at the i-th one the Riemannian Hessian
    has the eigenvalues 2(λⱼ − λᵢ), j ≠ i, so that only the lowest is a minimum.

    >>> RayleighQuotient([[1.0, 0.0], [0.0, 3.0]]).hessian(jnp.array([0.0, 1.0])).tolist()
    [[-4.0]]
    """

    matrix: Float[Array, "d d"]
    manifold: Manifold

    def __init__(self, matrix: Any):
        self.matrix = _symmetric(matrix)
        self.manifold = Sphere()

    def loss(self, params: Vector) -> Float[Array, ""]:
        """xᵀAx."""
        return params @ self.matrix @ params

    def init(self, key: PRNGKeyArray) -> Vector:
        """A uniform point of the sphere."""
        return uniform_sphere(key, self.matrix.shape[:1])

    def canonicalise(self, params: Vector) -> Vector:
        """The one of ±x whose largest entry in absolute value is positive."""
        return params * jnp.where(params[jnp.argmax(jnp.abs(params))] < 0, -1.0, 1.0)

    def minimisers(self) -> tuple[Vector, ...]:
        """A unit eigenvector of the smallest eigenvalue."""
        return (self.canonicalise(jnp.linalg.eigh(self.matrix)[1][:, 0]),)


def _symmetric(matrix: Any) -> Float[Array, "d d"]:
    array = finite_array("matrix", matrix, ndim=2)
    if array.shape[0] != array.shape[1] or not holds(jnp.isclose(array, array.T)):
        raise EarnshawError(f"the matrix must be square and symmetric, not of shape {array.shape} or lopsided")
    return array
