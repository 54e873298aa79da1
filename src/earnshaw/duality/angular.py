"""The two kernels that depend on the angle alone, up to scale: E|u||v| and E sgn(u)sgn(v) for jointly Gaussian u, v.

Second derivatives of these kernels are sums of terms that grow like 1/sin α and cancel. With α accurate to 1e-11 the
sums are right to about that; where sin α is smaller the terms are dropped, which is their limit.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from earnshaw.numerics.chords import Gram
from earnshaw.numerics.inverse_trig import angle_from_half_chords

SMALLEST_SINE = 1e-11


def absolute_kernel(g: Gram) -> Float[Array, "n m"]:
    """E|u||v| = (2/π)(st·sin α + c(π/2 − α)) for Var u = s², Var v = t², Cov = c = st·cos α.

    A zero vector has kernel 0 and, as a subgradient, gradient 0 in its own direction.
    """
    return _absolute(g.q, g.p, g.c, g.apart, g.facing)


def sign_kernel(g: Gram) -> Float[Array, "n m"]:
    """E sgn(u)sgn(v) = 1 − 2α/π. Not differentiable at α = 0 and π, where the subgradient 0 is used."""
    return 1 - 2 * angle(g) / jnp.pi


def angle(g: Gram) -> Float[Array, "n m"]:
    """The angle of every pair, accurate near 0 and π; a right angle when one of the two vectors is zero."""
    return _angle(g.q, g.p, g.c, g.apart, g.facing)


@jax.custom_jvp
def _angle(q, p, c, apart, facing):
    return angle_from_half_chords(apart, facing)


@_angle.defjvp
def _angle_jvp(primals, tangents):
    return _angle(*primals), _angle_tangent(primals, tangents)


@jax.custom_jvp
def _sine(q, p, c, apart, facing):
    return jnp.sqrt(apart * facing)


@_sine.defjvp
def _sine_jvp(primals, tangents):
    *_, apart, facing = primals
    return _sine(*primals), (facing - apart) / 2 * _angle_tangent(primals, tangents)


@jax.custom_jvp
def _cosine(q, p, c, apart, facing):
    return (facing - apart) / 2


@_cosine.defjvp
def _cosine_jvp(primals, tangents):
    return _cosine(*primals), -_sine(*primals) * _angle_tangent(primals, tangents)


def _angle_tangent(primals, tangents):
    """dα = −d(cos α)/sin α, and 0 where the angle has no derivative."""
    q, p, *_ = primals
    dq, dp, dc, *_ = tangents
    # Half-chords are constants to autodiff, so the sine and cosine here have rules of their own: with them this tangent
    # can be differentiated again, which the Hessians of sign and step need.
    sine, cosine = _sine(*primals), _cosine(*primals)
    degenerate = (sine < SMALLEST_SINE) | (q == 0) | (p == 0)
    q, p = jnp.where(q == 0, 1.0, q), jnp.where(p == 0, 1.0, p)
    dcosine = dc / jnp.sqrt(q * p) - cosine * (dq / (2 * q) + dp / (2 * p))
    return jnp.where(degenerate, 0.0, -dcosine / jnp.where(degenerate, 1.0, sine))


@jax.custom_jvp
def _absolute(q, p, c, apart, facing):
    scale = jnp.sqrt(q * p)
    sine = jnp.sqrt(apart * facing)
    return (2 / jnp.pi) * (scale * sine + c * (jnp.pi / 2 - _angle(q, p, c, apart, facing)))


@_absolute.defjvp
def _absolute_jvp(primals, tangents):
    q, p, *_ = primals
    dq, dp, dc, *_ = tangents
    sine = _sine(*primals) / jnp.pi
    # a zero vector gets slope 0: its own gradient is dropped, and the other vector's is 0 by the mathematics
    s, t = (jnp.sqrt(jnp.where(squares == 0, 1.0, squares)) for squares in (q, p))
    alive = jnp.where(q == 0, 0.0, 1.0) * jnp.where(p == 0, 0.0, 1.0)
    # reciprocals are taken of the norms, not of all pairs of them
    dscale = sine * alive * (t * (dq / s) + s * (dp / t))
    return _absolute(*primals), (1 - 2 * _angle(*primals) / jnp.pi) * dc + dscale
