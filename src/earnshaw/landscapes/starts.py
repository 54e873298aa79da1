"""Laws for where the electrons are at the start of a descent."""

from collections.abc import Callable
from typing import Any, cast

import jax
from jaxtyping import Array, Float, PRNGKeyArray

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.geometry import uniform_ball, uniform_sphere

Scale = float | Float[Array, ""]

#: (key, (k, d), scale) ↦ positions of shape (k, d).
StartLaw = Callable[[PRNGKeyArray, tuple[int, int], Scale], Float[Array, "k d"]]


def gaussian(key: PRNGKeyArray, shape: tuple[int, int], scale: Scale) -> Float[Array, "k d"]:
    """Each coordinate N(0, scale²).

    >>> gaussian(jax.random.key(0), (3, 2), 1.0).shape
    (3, 2)
    """
    return scale * jax.random.normal(key, shape)


def xavier(key: PRNGKeyArray, shape: tuple[int, int], scale: Scale) -> Float[Array, "k d"]:
    """Each coordinate N(0, 2·scale²/(d + k)): the normal law of Glorot and Bengio for a layer of k units on d inputs.

    >>> xavier(jax.random.key(0), (3, 2), 1.0).shape
    (3, 2)
    """
    return scale * (2 / sum(shape)) ** 0.5 * jax.random.normal(key, shape)


def sphere(key: PRNGKeyArray, shape: tuple[int, int], scale: Scale) -> Float[Array, "k d"]:
    """Uniform on the sphere of radius scale.

    >>> sphere(jax.random.key(0), (3, 2), 1.0).shape
    (3, 2)
    """
    return scale * uniform_sphere(key, shape)


def ball(key: PRNGKeyArray, shape: tuple[int, int], scale: Scale) -> Float[Array, "k d"]:
    """Uniform in the ball of radius scale.

    >>> ball(jax.random.key(0), (3, 2), 1.0).shape
    (3, 2)
    """
    return uniform_ball(key, shape, scale)


LAWS: dict[str, StartLaw] = {"gaussian": gaussian, "xavier": xavier, "sphere": sphere, "ball": ball}


def get(law: Any) -> StartLaw:
    """The law of that name; a function (key, shape, scale) ↦ positions is a law already.

    >>> get("ball") is ball
    True
    """
    if callable(law):
        return cast(StartLaw, law)
    if not isinstance(law, str):
        raise EarnshawError(f"a start law is a name or a function of (key, shape, scale), not {law!r}")
    if law not in LAWS:
        raise unknown_name("start law", law, LAWS)
    return LAWS[law]
