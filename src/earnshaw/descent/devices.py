"""The blocks of a batch dealt out to all devices that JAX sees.

A block stays whole: the same program for the same number of lanes gives the same bits on one device as on eight, which
a batch that is divided by the number of devices does not.
"""

from typing import Any

import jax
from jax.sharding import SingleDeviceSharding


def device_count() -> int:
    """How many devices this process sees."""
    return jax.local_device_count()


def placed(array: Any, number: int) -> jax.Array:
    """A block's array on the device whose turn it is.

    >>> import jax.numpy as jnp
    >>> placed(jnp.ones(3), 5).shape
    (3,)
    """
    devices = jax.local_devices()
    if len(devices) == 1:
        return array
    return jax.device_put(array, SingleDeviceSharding(devices[number % len(devices)]))
