"""The one thing that everything descends on: a loss on a manifold."""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.errors import EarnshawError
from earnshaw.geometry import Manifold

#: A pytree of arrays. `None` is an empty leaf.
Params = Any


class Landscape(eqx.Module):
    """A loss on a manifold, with a law for where a descent starts.

    A subclass writes `loss` and `init`. All derivatives follow by automatic differentiation, and belong to the
    manifold: gradients are tangent and Hessians are Riemannian. Override whatever has a better closed form.
    """

    manifold: eqx.AbstractVar[Manifold]

    @abstractmethod
    def loss(self, params: Params) -> Float[Array, ""]:
        """The value that is minimised."""

    @abstractmethod
    def init(self, key: PRNGKeyArray) -> Params:
        """A random start on the manifold."""

    def value_and_gradient(self, params: Params) -> tuple[Float[Array, ""], Params]:
        """The loss and its Riemannian gradient, a tangent vector at `params`."""
        value, ambient = jax.value_and_grad(self.loss)(params)
        return value, self.manifold.gradient(params, ambient)

    def gradient(self, params: Params) -> Params:
        """The Riemannian gradient of the loss, a tangent vector at `params`."""
        return self.value_and_gradient(params)[1]

    def hvp(self, params: Params, v: Params) -> Params:
        """The Riemannian Hessian applied to the tangent part of `v`: a symmetric operator on all ambient vectors."""
        v = self.manifold.to_tangent(params, v)
        ambient_gradient, ambient_hvp = jax.jvp(jax.grad(self.loss), (params,), (v,))
        return self.manifold.hessian_action(params, ambient_gradient, ambient_hvp, v)

    def hessian(self, params: Params) -> Float[Array, "dim dim"]:
        """The Riemannian Hessian as a matrix, in the coordinates of `manifold.tangent_basis(params)`."""
        basis = self.manifold.tangent_basis(params)
        _, unravel = ravel_pytree(params)
        columns = jax.vmap(lambda v: ravel_pytree(self.hvp(params, unravel(v)))[0], in_axes=1, out_axes=1)(basis)
        return basis.T @ columns

    def sampled_loss(self, params: Params, key: PRNGKeyArray, samples: int) -> Float[Array, ""]:
        """An estimate of the loss from that many fresh samples; its mean is the loss, and its gradient's the gradient.

        Only landscapes that are expectations have samples.
        """
        raise EarnshawError(f"{type(self).__name__} is no expectation, so its gradient cannot be sampled")

    def sampled_value_and_gradient(
        self, params: Params, key: PRNGKeyArray, samples: int
    ) -> tuple[Float[Array, ""], Params]:
        """`sampled_loss` and its Riemannian gradient, with the same samples in both."""
        value, ambient = jax.value_and_grad(lambda x: self.sampled_loss(x, key, samples))(params)
        return value, self.manifold.gradient(params, ambient)

    def canonicalise(self, params: Params) -> Params:
        """One representative of all the parameters that symmetries of the landscape carry into each other."""
        return params

    def minimisers(self) -> tuple[Params, ...]:
        """Known global minimisers, one for each class of symmetric ones; empty when none is known."""
        return ()

    def adapt(self, params_batch: Params) -> "Landscape":
        """The same landscape, made accurate at a batch of parameters (all leaves have a leading batch axis).

        Runs outside of jit, on concrete numbers. Landscapes that are accurate everywhere return themselves.
        """
        return self
