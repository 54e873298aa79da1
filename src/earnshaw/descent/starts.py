"""From what a caller calls `starts` to a batch of parameters and keys."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Key, PRNGKeyArray, PyTree

from earnshaw.errors import EarnshawError
from earnshaw.landscapes.landscape import Landscape


def draw(landscape: Landscape, starts: int | PyTree, key: PRNGKeyArray) -> tuple[PyTree, Key[Array, " starts"]]:
    """The batch of starting parameters and one key for each start's algorithm.

    The keys of start i are folded from `key` and i alone, so start i is the same however many others there are.
    """
    if isinstance(starts, bool):
        raise EarnshawError(f"starts must be a number or a batch of parameters, not {starts!r}")
    given = not isinstance(starts, int | np.integer)
    shape = jax.eval_shape(landscape.init, key)
    if given and isinstance(shape, jax.ShapeDtypeStruct) and isinstance(starts, list | tuple):
        _shape(starts)
        starts = np.asarray(starts)
    count = _count(starts, shape) if given else int(starts)
    if count < 1:
        raise EarnshawError(f"a descent needs at least one start, not {count}")
    keys = jax.vmap(lambda i: jax.random.split(jax.random.fold_in(key, i)))(jnp.arange(count))
    params = (
        jax.tree.map(lambda leaf, s: jnp.asarray(leaf, s.dtype), starts, shape) if given else _init(landscape, keys)
    )
    _check(landscape, params)
    return params, keys[:, 1]


def as_key(key: int | PRNGKeyArray) -> PRNGKeyArray:
    """A random key from a seed."""
    if isinstance(key, bool):
        raise EarnshawError(f"key must be a whole number or a JAX key, not {key!r}")
    if isinstance(key, int | np.integer):
        if not 0 <= key < 2**63:
            raise EarnshawError(f"a seed must lie between 0 and 2⁶³ − 1, unlike {key}")
        return jax.random.key(int(key))
    if isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key) and key.shape == ():
        return key
    raise EarnshawError("key must be a whole number or one typed JAX key, as from jax.random.key(0)")


@eqx.filter_jit
def _init(landscape: Landscape, keys: Key[Array, "starts 2"]) -> PyTree:
    return jax.vmap(landscape.init)(keys[:, 0])


def _count(starts: PyTree, shape: PyTree) -> int:
    """The common length of the leading axes, after checking that all else agrees with one start of the landscape."""
    have, want = jax.tree.structure(starts), jax.tree.structure(shape)
    if have != want:
        raise EarnshawError(f"starts must have the landscape's parameter structure {want}, not {have}")
    lengths = set()
    for (path, leaf), one in zip(jax.tree_util.tree_leaves_with_path(starts), jax.tree.leaves(shape), strict=True):
        found = _shape(leaf)
        where = f"starts{jax.tree_util.keystr(path)}"
        if len(found) != len(one.shape) + 1 or found[1:] != one.shape:
            need = ", ".join(["starts", *map(str, one.shape)])
            raise EarnshawError(f"{where} must have the shape ({need}), not {found}")
        lengths.add(found[0])
    if len(lengths) != 1:
        raise EarnshawError(f"all parts of starts must hold equally many starts, not {sorted(lengths)}")
    return lengths.pop()


def _shape(leaf: Any) -> tuple[int, ...]:
    try:
        array = np.asarray(leaf)
    except ValueError:
        raise EarnshawError("starts must be made of arrays of numbers, not of ragged lists") from None
    if not (np.issubdtype(array.dtype, np.floating) or np.issubdtype(array.dtype, np.integer)):
        raise EarnshawError(f"starts must be made of real numbers, not of {array.dtype}")
    return array.shape


def _check(landscape: Landscape, params: PyTree) -> None:
    finite = np.all([np.isfinite(leaf).reshape(len(leaf), -1).all(axis=1) for leaf in jax.tree.leaves(params)], axis=0)
    if not finite.all():
        raise EarnshawError(f"start {int(np.argmin(finite))} is not finite; every entry must be a finite number")
    inside = np.asarray(jax.vmap(landscape.manifold.contains)(params))
    if not inside.all():
        raise EarnshawError(
            f"start {int(np.argmin(inside))} does not lie on the landscape's manifold; "
            "move it there with landscape.manifold.project"
        )
