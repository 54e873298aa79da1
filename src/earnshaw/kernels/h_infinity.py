"""H∞ of du19 chapter 2: the kernel of a two-layer network whose first layer alone is trained."""

import numpy as np
from jaxtyping import Float

from earnshaw.duality import activations
from earnshaw.kernels.architectures import Dense, c_sigma
from earnshaw.kernels.kernel import kernel


def h_infinity(
    x, activation="relu", *, tolerance: float = 1e-12, threads: int | None = None
) -> Float[np.ndarray, "n n"]:
    """H∞ᵢⱼ = xᵢᵀxⱼ·E σ′(wᵀxᵢ)σ′(wᵀxⱼ), which for ReLU is xᵢᵀxⱼ(π − αᵢⱼ)/2π with the angle αᵢⱼ (Assumption 2.1).

    It is K^(1) of a fully connected network of one layer without the factor c_σ.

    >>> import numpy as np
    >>> h_infinity(np.array([[1.0, 0.0], [0.6, 0.8]])).round(6).tolist()
    [[0.5, 0.21145], [0.21145, 0.5]]
    """
    activation = activations.get(activation)
    network = Dense(activation, 1)
    found = kernel(x, network, which="last-layer", tolerance=tolerance, threads=threads, method="layers")
    return found.values / c_sigma(activation)
