"""The kernels of a network: what is asked for, as the layers whose weights take part and the read-out."""

from earnshaw.errors import EarnshawError, unknown_name
from earnshaw.kernels.moments import Numbers
from earnshaw.kernels.recursion import Program

Which = str | int
"""One of `KERNELS`, or the number of a layer."""
KERNELS = ("ntk", "nngp", "last-layer")


def check_which(which: Which, depth: int) -> Which:
    """`which`, if it names a kernel of a network of that depth."""
    if isinstance(which, int) and not isinstance(which, bool):
        if not 1 <= which <= depth + 1:
            raise EarnshawError(
                f"the weights of a network of depth {depth} are in layers 1 to {depth} and the read-out {depth + 1}, "
                f"so there is no kernel of layer {which}"
            )
        return which
    if which not in KERNELS:
        raise unknown_name("kernel", which, KERNELS)
    return which


def sources_of(which: Which, depth: int) -> tuple[bool, ...]:
    """Which layers' weights take part, the read-out's apart."""
    layer = depth if which == "last-layer" else which
    return tuple(which == "ntk" or h + 1 == layer for h in range(depth))


def read_out(program: Program, which: Which, feature: Numbers, tangent: Numbers | None) -> Numbers:
    """The kernel from F^H and Θ^H: ω²ΣF + B², ω²ΣΘ, or the sum of both."""
    weight, bias = program.readout
    total = 0.0 * feature[0]
    if which in ("ntk", "nngp") or which == len(program.layers) + 1:
        total = total + weight * feature.sum(axis=0) + bias
    if tangent is not None:
        total = total + weight * tangent.sum(axis=0)
    return total
