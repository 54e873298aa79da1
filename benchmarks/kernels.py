"""Kernels against neural-tangents 0.6.5, which runs in a virtual environment of its own.

    python benchmarks/kernels.py [--n 1000] [--large 10000] [--repeats 5] [--cache DIR] [--skip-rival]

n unit inputs in R^100, depth 3, the full tangent kernel in the `ntk` parameterization, float64, after compilation,
best of several. The rival's activations are its closed forms for ReLU and erf, `ElementwiseNumerical(deg=25)` for
softplus and tanh, and for GELU both. Accuracy is the largest error of a few entries against multiprecision.

neural-tangents needs an old JAX, so the script makes an environment with Python 3.11 the first time (`--cache`, by
default in the user's cache directory). Both programs may use all cores. On a machine that others use too only ratios of
one run mean something; processor time is printed beside.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

RIVAL = ["neural-tangents==0.6.5", "jax==0.4.25", "jaxlib==0.4.25", "numpy<2", "scipy<1.13"]
DEPTH, DIMENSION = 3, 100
CASES = [
    # name, rival's layer, inputs, the ratio that is asked for
    ("softplus", "numerical", "unit", 300),
    ("tanh", "numerical", "unit", 300),
    ("gelu", "numerical", "unit", 300),
    ("gelu", "closed", "unit", 1),
    ("relu", "closed", "unit", 1),
    ("erf", "closed", "unit", 1),
    ("softplus", "numerical", "norms", 60),
]

PROGRAM = """
import json, sys, time
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
from neural_tangents import stax

file, name, layer, depth, repeats = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
x = jnp.asarray(np.load(file))
functions = {"softplus": jax.nn.softplus, "tanh": jnp.tanh, "gelu": lambda z: jax.nn.gelu(z, approximate=False)}
closed = {"relu": stax.Relu, "erf": stax.Erf, "gelu": lambda: stax.Gelu(approximate=False)}
make = (lambda: stax.ElementwiseNumerical(functions[name], deg=25)) if layer == "numerical" else closed[name]
layers = [part for _ in range(depth) for part in (stax.Dense(1, W_std=1.5, b_std=0.1), make())]
_, _, kernel_fn = stax.serial(*layers, stax.Dense(1, W_std=1.5, b_std=0.1))
run = jax.jit(lambda x: kernel_fn(x, None, "ntk"))
few = np.asarray(run(x[:3]))
run = run.lower(x).compile()
wall, cpu = [], []
for _ in range(repeats):
    begin, began = time.perf_counter(), time.process_time()
    run(x).block_until_ready()
    wall.append(time.perf_counter() - begin)
    cpu.append(time.process_time() - began)
print(json.dumps({"seconds": min(wall), "cpu": min(cpu), "few": few.tolist()}))
"""


def inputs(n, kind):
    import numpy as np

    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, DIMENSION))
    x /= np.linalg.norm(x, axis=1)[:, None]
    return x * np.sqrt(DIMENSION) * (1.0 if kind == "unit" else rng.uniform(0.6, 1.4, size=(n, 1)))


def rivals_python(cache):
    """The interpreter of the rival's environment, which is made if there is none."""
    python = cache / "bin" / "python"
    if not python.exists():
        print(f"making an environment for neural-tangents in {cache}", flush=True)
        made = [sys.executable, "-m", "venv", str(cache)]
        subprocess.run(made, check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *RIVAL], check=True)
    return python


def rival(python, file, name, layer, repeats):
    arguments = [str(python), "-c", PROGRAM, str(file), name, layer, str(DEPTH), str(repeats)]
    shown = subprocess.run(arguments, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    return json.loads(shown.stdout.splitlines()[-1])


def ours(x, name, repeats):
    from earnshaw.kernels import Dense, kernel

    network = Dense(name, DEPTH, "ntk", 1.5, 0.1)
    kernel(x, network)
    wall, cpu = [], []
    for _ in range(repeats):
        begin, began = time.perf_counter(), time.process_time()
        values = kernel(x, network).values
        wall.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - began)
    return {"seconds": min(wall), "cpu": min(cpu), "few": values[:3, :3].tolist()}


def exact(x, name):
    """The entries (0, 1) and (0, 2) in multiprecision, where the tests have an oracle."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    import oracle
    from earnshaw.kernels import Dense

    if name == "gelu":
        return None
    network = Dense(name, DEPTH, "ntk", 1.5, 0.1)
    return [float(oracle.pair_kernels(network, x[0], x[j])["ntk"]) for j in (1, 2)]


def error(few, reference):
    return float("nan") if reference is None else max(abs(few[0][j] / reference[j - 1] - 1) for j in (1, 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--large", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cases", nargs="*", help="only these activations")
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "earnshaw" / "neural-tangents-0.6.5"
    parser.add_argument("--cache", type=Path, default=default)
    parser.add_argument("--skip-rival", action="store_true")
    options = parser.parse_args()
    import numpy as np

    from earnshaw.kernels import Dense, kernel

    python = None if options.skip_rival else rivals_python(options.cache)
    print(f"{'activation':>10} {'inputs':>6} {'rival by':>9} {'rival':>9} {'ours':>9} {'ratio':>7} {'asked':>6} "
          f"{'CPU ratio':>9} {'rival error':>11} {'our error':>10}")  # fmt: skip
    for name, layer, kind, asked in CASES:
        if options.cases and name not in options.cases:
            continue
        x = inputs(options.n, kind)
        file = Path(os.environ.get("TMPDIR", "/tmp")) / f"earnshaw-kernels-{os.getpid()}.npy"
        np.save(file, x)
        mine = ours(x, name, options.repeats)
        reference = exact(x, name)
        line = f"{name:>10} {kind:>6} {layer:>9} "
        if python is None:
            print(line + f"{'–':>9} {1e3 * mine['seconds']:>7.1f}ms")
            continue
        theirs = rival(python, file, name, layer, 1 if layer == "numerical" else options.repeats)
        file.unlink()
        # our own time is taken again, so that one moment of a busy machine decides less
        again = ours(x, name, options.repeats)
        best = min(mine["seconds"], again["seconds"])
        print(line + f"{theirs['seconds']:>8.2f}s {1e3 * best:>7.1f}ms {theirs['seconds'] / best:>6.0f}x {asked:>5}x "
              f"{theirs['cpu'] / min(mine['cpu'], again['cpu']):>8.0f}x {error(theirs['few'], reference):>11.1e} "
              f"{error(mine['few'], reference):>10.1e}", flush=True)  # fmt: skip
    if options.large:
        x = inputs(options.large, "unit") / np.sqrt(DIMENSION)
        network = Dense("softplus", DEPTH)
        kernel(x[:600], network)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin, began = time.perf_counter(), time.process_time()
        values = kernel(x, network).values
        seconds, cpu = time.perf_counter() - begin, time.process_time() - began
        beyond = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**20 - values.nbytes / 2**30
        print(f"n = {options.large}, softplus: {seconds:.1f} s ({cpu:.1f} s of processors), "
              f"{beyond:.2f} GiB beyond the result")  # fmt: skip


if __name__ == "__main__":
    main()
