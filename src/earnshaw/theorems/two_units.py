"""Products of two ridge units, σ(uᵀx)σ(vᵀx), averaged over the circles of the plane that u and v span.

Independent of `Dual`: the activation is only evaluated, never expanded.
"""

import jax
import numpy as np
from jaxtyping import Float

from earnshaw.duality.activation import Activation

POINTS_PER_PANEL = 16


def circle_means(
    activation: Activation, cosine: float, radii: Float[np.ndarray, " s"], points: int = 48
) -> Float[np.ndarray, " s"]:
    """The mean over the circle of each radius s of σ(s cos φ)σ(s cos(φ − ω)), cos ω = `cosine`.

    E σ(uᵀx)σ(vᵀx) is then their integral against s·exp(−s²/2). Gauss-Legendre on the four arcs between the directions
    orthogonal to u or v, where units with a kink or a jump at 0 have it.

    >>> from earnshaw.duality import activations
    >>> circle_means(activations.get("linear"), 0.6, np.array([2.0])).round(12).tolist()  # s²·cos(ω)/2
    [1.2]
    """
    omega = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
    borders = np.sort(np.mod([np.pi / 2, -np.pi / 2, omega + np.pi / 2, omega - np.pi / 2], 2 * np.pi))
    borders = np.append(borders, borders[0] + 2 * np.pi)
    nodes, weights = composite(borders, points)
    first, second = np.cos(nodes), np.cos(nodes - omega)
    value = jax.vmap(activation.function)
    products = [
        np.asarray(value((radii[:, None] * side).ravel())).reshape(radii.size, nodes.size) for side in (first, second)
    ]
    return products[0] * products[1] @ weights / (2 * np.pi)


def composite(
    borders: Float[np.ndarray, " m"], points: int = POINTS_PER_PANEL
) -> tuple[Float[np.ndarray, " q"], Float[np.ndarray, " q"]]:
    """Nodes and weights of Gauss-Legendre quadrature on every panel between consecutive borders.

    >>> nodes, weights = composite(np.array([0.0, 1.0, 3.0]))
    >>> round(float(weights @ nodes**2), 12)
    9.0
    """
    nodes, weights = np.polynomial.legendre.leggauss(points)
    middles, halves = (borders[1:] + borders[:-1]) / 2, (borders[1:] - borders[:-1]) / 2
    return (middles[:, None] + halves[:, None] * nodes).ravel(), (halves[:, None] * weights).ravel()


def expectation(activation: Activation, cosine: float, points: int = 48) -> float:
    """E σ(uᵀx)σ(vᵀx) for unit vectors with uᵀv = `cosine`, by quadrature in their plane.

    >>> from earnshaw.duality import activations
    >>> round(expectation(activations.get("sign"), 0.5), 12)  # 1 − (2/π)·arccos ½
    0.333333333333
    """
    radii, weights = composite(np.linspace(0.0, 24.0, 49))
    return float(weights @ (circle_means(activation, cosine, radii, points) * radii * np.exp(-(radii**2) / 2)))
