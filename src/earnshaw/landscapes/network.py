"""Two-layer networks with named parts."""

from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float


class Network(NamedTuple):
    """x ↦ Σᵢ outputsᵢ σ(weightsᵢᵀx + biasesᵢ).

    >>> from earnshaw.duality import activations
    >>> network = Network(jnp.array([[1.0], [-1.0]]), jnp.array([1.0, 2.0]))
    >>> network.evaluate(activations.get("relu"), jnp.array([[3.0], [-3.0]])).tolist()
    [3.0, 6.0]
    """

    weights: Float[Array, "k d"]
    outputs: Float[Array, " k"]
    biases: Float[Array, " k"] | None = None

    @classmethod
    def of_points(cls, points: Float[Array, "k p"], outputs: Float[Array, " k"], biased: bool) -> "Network":
        """The network whose units are the rows of `points`, with the bias as last coordinate if there is one."""
        return cls(points[:, :-1], outputs, points[:, -1]) if biased else cls(points, outputs)

    def points(self) -> Float[Array, "k p"]:
        """One row for each unit: its weights, and after them its bias if there is one."""
        if self.biases is None:
            return self.weights
        return jnp.concatenate([self.weights, self.biases[:, None]], axis=1)

    def evaluate(self, activation: Callable[[Array], Array], inputs: Float[Array, "n d"]) -> Float[Array, " n"]:
        """The network's value at each row of `inputs`."""
        before = inputs @ self.weights.T
        return activation(before if self.biases is None else before + self.biases) @ self.outputs
