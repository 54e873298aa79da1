"""Losses on manifolds: exact values, gradients and Hessian actions, and laws for where a descent starts."""

import earnshaw.numerics  # noqa: F401  (turns double precision on)
from earnshaw.landscapes.batch import gradients, values_and_gradients
from earnshaw.landscapes.deep import DeepStudent, deep_network, deep_teachers, draw_layers, narrowed
from earnshaw.landscapes.electrons import Electrons
from earnshaw.landscapes.empirical import Empirical
from earnshaw.landscapes.landscape import Landscape
from earnshaw.landscapes.network import Network
from earnshaw.landscapes.node import Node
from earnshaw.landscapes.particles import Particles
from earnshaw.landscapes.textbook import DoubleWell, Quadratic, RayleighQuotient, Rosenbrock
from earnshaw.landscapes.truncated import truncated_gaussian

__all__ = [
    "DeepStudent",
    "DoubleWell",
    "Electrons",
    "Empirical",
    "Landscape",
    "Network",
    "Node",
    "Particles",
    "Quadratic",
    "RayleighQuotient",
    "Rosenbrock",
    "deep_network",
    "deep_teachers",
    "draw_layers",
    "gradients",
    "narrowed",
    "truncated_gaussian",
    "values_and_gradients",
]
