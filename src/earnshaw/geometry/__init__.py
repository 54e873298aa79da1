"""Where parameters live: flat space, spheres, products of them, and the angles and random points on them."""

import earnshaw.numerics  # noqa: F401  (turns double precision on)
from earnshaw.geometry.angles import angle, pairwise_angles, pairwise_distances, rejection
from earnshaw.geometry.euclidean import Euclidean
from earnshaw.geometry.manifold import Manifold
from earnshaw.geometry.norms import normalise, safe_norm
from earnshaw.geometry.product import Product
from earnshaw.geometry.sampling import uniform_ball, uniform_sphere
from earnshaw.geometry.sphere import Sphere

__all__ = [
    "Euclidean",
    "Manifold",
    "Product",
    "Sphere",
    "angle",
    "normalise",
    "pairwise_angles",
    "pairwise_distances",
    "rejection",
    "safe_norm",
    "uniform_ball",
    "uniform_sphere",
]
