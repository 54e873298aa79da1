"""Earnshaw: a laboratory for provable gradient descent."""

__version__ = "0.1.0"
