"""Adaptive Gauss-Kronrod quadrature of many panels at once, on the host in float64."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

# The 21-point Kronrod extension of the 10-point Gauss rule (QUADPACK): nodes in [0, 1], Kronrod weights, Gauss weights.
_HALF_NODES = np.array(
    [
        0.995657163025808080735527280689003,
        0.973906528517171720077964012084452,
        0.930157491355708226001207180059508,
        0.865063366688984510732096688423493,
        0.780817726586416897063717578345042,
        0.679409568299024406234327365114874,
        0.562757134668604683339000099272694,
        0.433395394129247190799265943165784,
        0.294392862701460198131126603103866,
        0.148874338981631210884826001129720,
        0.0,
    ]
)
_HALF_KRONROD = np.array(
    [
        0.011694638867371874278064396062192,
        0.032558162307964727478818972459390,
        0.054755896574351996031381300244580,
        0.075039674810919952767043140916190,
        0.093125454583697605535065465083366,
        0.109387158802297641899210590325805,
        0.123491976262065851077958109585166,
        0.134709217311473325928054001771707,
        0.142775938577060080797094273138717,
        0.147739104901338491374841515972068,
        0.149445554002916905664936468389821,
    ]
)
_HALF_GAUSS = np.array(
    [
        0.066671344308688137593568809893332,
        0.149451349150580593145863396957987,
        0.219086362515982043995534934228163,
        0.269266719309996355091226921569469,
        0.295524224714752870173815619188769,
    ]
)
_NODES = np.concatenate([-_HALF_NODES, _HALF_NODES[-2::-1]])
_KRONROD = np.concatenate([_HALF_KRONROD, _HALF_KRONROD[-2::-1]])
_GAUSS = np.zeros(21)
_GAUSS[1:10:2] = _HALF_GAUSS
_GAUSS[11:20:2] = _HALF_GAUSS[::-1]


def adaptive_panels(
    integrand: Callable[[np.ndarray], np.ndarray],
    edges: Float[np.ndarray, " m"],
    *,
    precision: float = 1e-15,
    bisections: int = 12,
    most: int = 20_000,
) -> tuple[Float[np.ndarray, " m-1"], Float[np.ndarray, " m-1"], Float[np.ndarray, " m-1"]]:
    """The integral over every panel between consecutive edges, its error, and the integral of the absolute value.

    A panel is bisected while its error exceeds `precision` times the sum of the absolute values of all panels, unless
    more than `most` panels would have to be evaluated at once.

    >>> sums, errors, sizes = adaptive_panels(np.sin, np.array([0.0, 1.0, np.pi]))
    >>> bool(abs(sums.sum() - 2.0) < 1e-14)
    True
    """
    low, high = edges[:-1], edges[1:]
    owner = np.arange(low.size)
    sums, errors, sizes = np.zeros(low.size), np.zeros(low.size), np.zeros(low.size)
    for level in range(bisections + 1):
        values, deviations, absolute = _rule(integrand, low, high)
        scale = precision * (np.sum(np.abs(values)) + np.sum(np.abs(sums)))
        poor = (deviations > scale) if level < bisections else np.zeros(low.size, bool)
        if 2 * np.count_nonzero(poor) > most:
            poor[:] = False
        np.add.at(sums, owner[~poor], values[~poor])
        np.add.at(errors, owner[~poor], deviations[~poor])
        np.add.at(sizes, owner[~poor], absolute[~poor])
        if not poor.any():
            break
        middle = (low[poor] + high[poor]) / 2
        low, high = np.concatenate([low[poor], middle]), np.concatenate([middle, high[poor]])
        owner = np.concatenate([owner[poor], owner[poor]])
    return sums, errors, sizes


def _rule(integrand, low, high):
    half = (high - low) / 2
    values = integrand(low[:, None] + half[:, None] * (_NODES + 1)) * half[:, None]
    # QUADPACK's estimate: the Gauss-Kronrod difference overstates the error of a smooth panel by its own square root.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        kronrod, gauss = values @ _KRONROD, values @ _GAUSS
        spread = np.abs(values - kronrod[:, None] / 2) @ _KRONROD
        deviation = np.abs(kronrod - gauss)
        sharper = np.where(spread > 0, spread * np.minimum(1.0, (200 * deviation / spread) ** 1.5), 0.0)
    return kronrod, sharper, np.abs(values) @ _KRONROD
