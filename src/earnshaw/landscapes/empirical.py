"""The training loss of any network on finite data."""

from collections.abc import Callable
from typing import Any, cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.tree_util import Partial
from jaxtyping import Array, Float, Int, PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.geometry import Euclidean, Manifold
from earnshaw.landscapes.checks import finite_array, holds, nonnegative_number, positive_integer
from earnshaw.landscapes.landscape import Landscape, Params


class Empirical(Landscape):
    """Σᵢ pᵢ ‖f(params, xᵢ) − yᵢ‖² over n examples: the mean squared error of any function of any pytree.

    - `fn`: f(params, x) for one example x, a JAX function that returns a scalar or a vector.
    - `inputs`: shape (n, …). `targets`: shape (n,), or (n, q) when f returns q numbers.
    - `init`: key ↦ params, the law of the starts.
    - `weights`: shape (n,), not negative; pᵢ is their share of the sum, and 1/n without them.
    - `half`: puts ½ before the sum, as some sources do.
    - `batch_size`: how many examples are held in memory at once, in the forward pass and in every derivative. The
      result is the same up to rounding. By default all of them.
    - `manifold`: of the parameters, by default `Euclidean()`.
    - `vectorized`: f takes the examples of a block at once, along a leading axis, and returns as many outputs. For
      functions that choose the layout of their arrays themselves.
    - `dtype`: float64, or float32 where speed counts more than digits. The data are stored so; a loss and its gradient
      are computed so when `init` draws parameters of that type. The rest of a descent keeps its double precision.

    >>> line = Empirical(lambda w, x: w @ x, [[1.0], [2.0]], [1.0, 0.0], init=lambda key: jnp.zeros(1))
    >>> line.loss(jnp.array([1.0])).item()
    2.0
    """

    fn: Callable[[Params, Array], Array]
    inputs: Float[Array, "n *shape"]
    targets: Float[Array, "n *outputs"]
    shares: Float[Array, " n"]
    teacher: Params
    manifold: Manifold
    draw: Callable[[PRNGKeyArray], Params]
    half: bool = eqx.field(static=True)
    batch_size: int = eqx.field(static=True)
    vectorized: bool = eqx.field(static=True)

    def __init__(
        self,
        fn: Any,
        inputs: Any,
        targets: Any,
        *,
        init: Any,
        weights: Any = None,
        half: bool = False,
        batch_size: Any = None,
        manifold: Manifold | None = None,
        vectorized: bool = False,
        dtype: Any = "float64",
    ):
        _require_functions(fn=fn, init=init)
        dtype = _precision(dtype)
        self.inputs, self.targets = (
            finite_array(name, values).astype(dtype) for name, values in (("inputs", inputs), ("targets", targets))
        )
        count = self.inputs.shape[0]
        if self.targets.shape[0] != count:
            raise EarnshawError(f"there are {count} inputs but {self.targets.shape[0]} targets")
        self.shares = _shares(weights, count).astype(dtype)
        # A function is not a pytree; as a Partial it is one without leaves, so that a landscape may pass through jit.
        self.fn, self.draw = (cast(Any, f if isinstance(f, eqx.Module) else Partial(f)) for f in (fn, init))
        self.half = bool(half)
        self.batch_size = count if batch_size is None else min(positive_integer("batch_size", batch_size), count)
        self.manifold = Euclidean() if manifold is None else manifold
        self.vectorized = bool(vectorized)
        self.teacher = None

        params = jax.eval_shape(self.draw, jax.random.key(0))
        if self.vectorized:
            examples, expected = self.inputs[: self.batch_size], (self.batch_size, *self.targets.shape[1:])
        else:
            examples, expected = self.inputs[0], self.targets.shape[1:]
        output = jax.eval_shape(self.fn, params, examples)
        if getattr(output, "shape", None) != expected:
            wanted = f"as {self.batch_size} targets have" if self.vectorized else "as each target has"
            raise EarnshawError(f"fn must return an array of shape {expected}, {wanted}, not {output}")

    @classmethod
    def from_teacher(
        cls,
        fn: Any,
        teacher: Params,
        inputs: Any,
        *,
        init: Any,
        noise: Any = 0.0,
        key: PRNGKeyArray | None = None,
        **settings: Any,
    ) -> "Empirical":
        """The landscape whose targets are f(teacher, xᵢ), plus N(0, noise²) in each coordinate, drawn with `key`.

        Without noise the teacher is a known minimiser, of loss 0. Further settings are those of the constructor.

        >>> fn = lambda w, x: jnp.tanh(w @ x)
        >>> inputs = jnp.eye(2)
        >>> start = lambda key: jax.random.normal(key, (2,))
        >>> Empirical.from_teacher(fn, jnp.ones(2), inputs, init=start).loss(jnp.ones(2)).item()
        0.0
        """
        _require_functions(fn=fn, init=init)
        inputs = finite_array("inputs", inputs)
        targets = jax.vmap(lambda x: fn(teacher, x))(inputs)
        noise = nonnegative_number("noise", noise)
        if key is None and noise > 0:
            raise EarnshawError("noisy targets need a key to draw the noise with")
        if key is not None:
            targets = targets + noise * jax.random.normal(key, targets.shape)
        landscape = cls(fn, inputs, targets, init=init, **settings)
        if noise > 0:
            return landscape
        return eqx.tree_at(lambda e: e.teacher, landscape, teacher, is_leaf=lambda leaf: leaf is None)

    def loss(self, params: Params) -> Float[Array, ""]:
        """The mean squared error, or half of it."""
        if self.batch_size == self.inputs.shape[0]:
            total = self._block_loss(params, self.inputs, self.targets, self.shares)
        else:
            total = self._loss_in_blocks(params)
        return 0.5 * total if self.half else total

    def sampled_loss(self, params: Params, key: PRNGKeyArray, samples: int) -> Float[Array, ""]:
        """The loss on a mini-batch, drawn from the examples with replacement and with their shares as probabilities."""
        rows = jax.random.choice(key, self.inputs.shape[0], (samples,), p=self.shares)
        equal = jnp.full(samples, 1 / samples, self.shares.dtype)
        total = self._block_loss(params, self.inputs[rows], self.targets[rows], equal)
        return 0.5 * total if self.half else total

    def predictions(self, params: Params) -> Float[Array, "n *outputs"]:
        """f(params, xᵢ) for every example.

        >>> line = Empirical(lambda w, x: w @ x, [[1.0], [2.0]], [1.0, 0.0], init=lambda key: jnp.zeros(1))
        >>> line.predictions(jnp.array([3.0])).tolist()
        [3.0, 6.0]
        """
        count, order = self.inputs.shape[0], self._blocks()
        values = jax.lax.map(lambda rows: self._outputs(params, self.inputs[rows]), order)
        return values.reshape(-1, *values.shape[2:])[:count]

    def init(self, key: PRNGKeyArray) -> Params:
        """A start from the law given at construction, projected on the manifold."""
        return self.manifold.project(self.draw(key))

    def minimisers(self) -> tuple[Params, ...]:
        """The teacher, when the targets are exactly its own."""
        return () if self.teacher is None else (self.teacher,)

    def _outputs(self, params: Params, inputs: Float[Array, "m *shape"]) -> Float[Array, "m *outputs"]:
        return self.fn(params, inputs) if self.vectorized else jax.vmap(lambda x: self.fn(params, x))(inputs)

    def _blocks(self) -> Int[Array, "blocks size"]:
        count, size = self.inputs.shape[0], self.batch_size
        # The last block is filled up with copies of the last example, which weigh nothing.
        return jnp.minimum(jnp.arange(-(-count // size) * size), count - 1).reshape(-1, size)

    def _block_loss(
        self, params: Params, inputs: Float[Array, "m *shape"], targets: Array, shares: Float[Array, " m"]
    ) -> Float[Array, ""]:
        errors = self._outputs(params, inputs) - targets
        return shares @ jnp.sum(errors.reshape(errors.shape[0], -1) ** 2, axis=1)

    def _loss_in_blocks(self, params: Params) -> Float[Array, ""]:
        order = self._blocks()
        shares = jnp.pad(self.shares, (0, order.size - self.inputs.shape[0])).reshape(order.shape)

        # Recomputing a block in the backward pass, instead of storing it, is what bounds the memory of gradients.
        @jax.checkpoint
        def block(params: Params, rows: Array, shares: Array) -> Array:
            return self._block_loss(params, self.inputs[rows], self.targets[rows], shares)

        def add(total: Array, piece: tuple[Array, Array]) -> tuple[Array, None]:
            return total + block(params, *piece), None

        dtype = jnp.result_type(self.shares, *jax.tree.leaves(params))
        return jax.lax.scan(add, jnp.zeros((), dtype), (order, shares))[0]


def _require_functions(**functions: Any) -> None:
    for name, function in functions.items():
        if not callable(function):
            raise EarnshawError(f"{name} must be a function, not {function!r}")


def _precision(dtype: Any) -> np.dtype:
    try:
        kind = np.dtype(dtype)
    except TypeError:
        kind = None
    if kind not in (np.float32, np.float64):
        raise EarnshawError(f"dtype must be float32 or float64, not {dtype!r}")
    return kind


def _shares(weights: Any, count: int) -> Float[Array, " n"]:
    if weights is None:
        return jnp.full(count, 1 / count)
    array = finite_array("weights", weights, ndim=1)
    if array.shape != (count,):
        raise EarnshawError(f"weights of {count} examples must have shape ({count},), not {array.shape}")
    if not holds((array >= 0) & (jnp.sum(array) > 0)):
        raise EarnshawError("weights must not be negative, and not all zero")
    return array / jnp.sum(array)
