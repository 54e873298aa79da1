"""From a theorem's parameters to both sides, and from both sides to a verdict."""

from typing import Any

import inspect

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.duality import activations, potentials
from earnshaw.duality.activation import Activation
from earnshaw.duality.dual import Dual
from earnshaw.duality.potential import Potential
from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.landscapes.particles import Form
