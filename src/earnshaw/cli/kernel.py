"""`earnshaw kernel FILE.npy`: the infinite-width kernel of the user's data."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from earnshaw.cli import show
from earnshaw.cli.boundary import Interrupted
from earnshaw.cli.options import Json
from earnshaw.cli.pace import Pace
from earnshaw.errors import EarnshawError, unknown_name

SHOWN = 64
"""Kernels of so many inputs are printed."""
WITH_EIGENVALUE = 20_000
"""Beyond so many inputs the smallest eigenvalue takes longer than the kernel."""


def kernel(
    file: Annotated[Path, typer.Argument(metavar="FILE.npy", help="Inputs, one in each row of an array of NumPy's.")],
    activation: Annotated[str, typer.Option("--activation", metavar="NAME", help="The activation σ.")] = "relu",
    depth: Annotated[int, typer.Option("--depth", metavar="H", help="Layers before the read-out.")] = 1,
    architecture: Annotated[
        str, typer.Option("--architecture", metavar="dense|resnet|conv-resnet", help="The network.")
    ] = "dense",
    which: Annotated[
        str, typer.Option("--which", metavar="ntk|nngp|last-layer", help="All weights, the outputs, or layer H alone.")
    ] = "ntk",
    parameterization: Annotated[
        str, typer.Option("--parameterization", metavar="thesis|ntk", help="How weights are scaled.")
    ] = "thesis",
    weight_std: Annotated[float, typer.Option("--weight-std", metavar="W", help="The scale of all weights.")] = 1.0,
    bias_std: Annotated[float, typer.Option("--bias-std", metavar="B", help="The scale of all biases.")] = 0.0,
    c_res: Annotated[float | None, typer.Option("--c-res", metavar="C", help="c_res of residual networks.")] = None,
    patch: Annotated[int | None, typer.Option("--patch", metavar="Q", help="Pixels of a patch along an axis.")] = None,
    stride: Annotated[int | None, typer.Option("--stride", metavar="S", help="Stride of the first layer.")] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="E", help="Where series are cut, relatively.")
    ] = 1e-12,
    memory: Annotated[
        float | None, typer.Option("--memory", metavar="GIB", help="Memory to use beyond the result, or with --out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the kernel there, in blocks: .npy or .zarr.")
    ] = None,
    json: Json = False,
) -> None:
    """Compute the kernel of a network of infinite width between all rows of a file.

    Inputs may have any norm. A file of three or four axes holds images: (n, channels, pixels) or (n, channels, height,
    width). An interrupted --out goes on where it was.
    """
    x = _load(file)
    from earnshaw import kernels
    from earnshaw.runs.kernel_file import kernel_file, open_kernel

    if architecture not in kernels.ARCHITECTURES:
        raise unknown_name("architecture", architecture, kernels.ARCHITECTURES)
    settings: dict[str, Any] = {"c_res": c_res, "patch": patch, "stride": stride}
    settings = {name: value for name, value in settings.items() if value is not None}
    made: Any = kernels.ARCHITECTURES[architecture]
    for name in settings:
        if name not in made.__dataclass_fields__:
            raise EarnshawError(f"--{name.replace('_', '-')} does not belong to the architecture {architecture}")
    network: Any = made(activation, depth, parameterization, weight_std, bias_std, **settings)
    if memory is not None and not 0 < memory < float("inf"):
        raise EarnshawError(f"--memory must be a positive number of GiB, not {memory}")
    limit = None if memory is None else int(memory * 2**30)
    if out is None:
        found = kernels.kernel(x, network, which=which, tolerance=tolerance, memory=limit, progress=_listener())
        matrix: Any = found.values
        error, n = found.truncation_error, len(matrix)
    else:
        extra = {} if limit is None else {"memory": limit}
        try:
            written = kernel_file(out, x, network, which=which, tolerance=tolerance, progress=_listener(), **extra)
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted; what is in {out} is kept, and the same command goes on") from None
        matrix, error, n = open_kernel(out), written.truncation_error, written.n
    degenerate = kernels.degeneracy(x, network)
    for sentence in degenerate.sentences():
        print(f"earnshaw: {sentence}", file=sys.stderr)
    smallest = 0.0 if degenerate.singular else kernels.spectrum(matrix).smallest if n <= WITH_EIGENVALUE else None
    shown = matrix[:] if n <= SHOWN else None
    if json:
        record = {"n": n, "which": which, "truncation_error": error, "min_eigenvalue": smallest}
        show.as_json(record | ({} if shown is None else {"kernel": shown}) | {"out": None if out is None else str(out)})
        return
    if shown is not None:
        for row in shown:
            show.line("\t".join(f"{value:.12g}" for value in row))
    show.line(f"{which} of {n} inputs, {architecture}, {activation}, depth {depth}")
    show.line(f"  truncation error     {error:.3g}")
    show.line(f"  smallest eigenvalue  {'not computed' if smallest is None else show.value(smallest)}")
    if out is not None:
        show.line(f"  written to {out}")


def _load(file: Path) -> Any:
    import numpy as np

    if not file.exists():
        raise EarnshawError(f"there is no file {file}")
    try:
        x = np.load(file, allow_pickle=False)
    except (ValueError, EOFError):
        raise EarnshawError(f"{file} is not an array of NumPy's; numpy.save makes one") from None
    if not isinstance(x, np.ndarray):
        raise EarnshawError(f"{file} holds several arrays; save the inputs alone, with numpy.save")
    return x


def _listener() -> Callable:
    """A line on stderr at every tenth of a kernel that takes long."""
    import time

    began, pace, last = time.monotonic(), None, 0

    def tell(progress: Any) -> None:
        nonlocal pace, last
        pace = pace or Pace(progress.done)
        tenth = 10 * progress.done // progress.pairs
        if tenth > last and progress.done < progress.pairs and time.monotonic() - began > 5:
            last = tenth
            words = pace.words(progress.done, progress.pairs)
            print(f"kernel: {progress.done} of {progress.pairs} pairs{words}", file=sys.stderr, flush=True)

    return tell
