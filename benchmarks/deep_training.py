"""Gradient descent steps a second for the networks of the study `depth-width`, against a NumPy loop over the seeds.

    python benchmarks/deep_training.py [--seeds 32] [--width 20] [--depths 2 3 5 9 17] [--examples 32] [--steps 2000]

Both sides do the same arithmetic in float32: full-batch gradient descent of `seeds` students, each with a teacher and
examples of its own, tanh at every node. The rival is backpropagation as one writes it out in NumPy, one seed after
another, in place where that is easy; with PyTorch installed, the same loop in PyTorch is a second rival. Ours is
`descend` with its stop rules, on all cores, compiled before. NumPy and PyTorch may use all cores too.

The programs take turns in one process and the least time of each counts. After a few steps they must be at the same
losses (later, rounding sends deep students different ways).

The fewer the examples, the more a loop in Python costs: with 32 of them the arithmetic of a step is small. With a
thousand, NumPy's products run near the processor's peak, and little more than the second core is left to gain. Deep
networks gain less too, because blocks of starts hold fewer of them.
"""

import argparse
import importlib.util
import time

import jax
import jax.numpy as jnp
import numpy as np

from earnshaw.descent import GradientDescent, Stop, descend
from earnshaw.landscapes import DeepStudent, deep_teachers, draw_layers

STEPS_TOGETHER = 3


def step_size(depth):
    """Small enough for deep students, whose gradients are large, not to part by rounding at once."""
    return 1e-4 / 2 ** (depth - 2)


def numpy_descent(layers, inputs, answers, steps):
    """The weights after so many steps, and the loss there."""
    layers = [weights.copy() for weights in layers]
    scale, step = np.float32(2 / len(inputs)), np.float32(step_size(len(layers)))
    for _ in range(steps):
        values = numpy_values(layers, inputs)
        back = scale * (values[-1] - answers[:, None])
        for place in range(len(layers) - 1, -1, -1):
            after = values[place + 1]
            after *= after
            back *= np.subtract(1, after, out=after)
            gradient = values[place].T @ back
            if place:
                back = back @ layers[place].T
            layers[place] -= step * gradient
    return float(np.mean((numpy_values(layers, inputs)[-1][:, 0] - answers) ** 2))


def numpy_values(layers, inputs):
    values = [inputs]
    for weights in layers:
        after = values[-1] @ weights
        values.append(np.tanh(after, out=after))
    return values


def torch_descent(layers, inputs, answers, steps):
    import torch

    layers = [torch.tensor(weights, requires_grad=True) for weights in layers]
    inputs, answers = torch.tensor(inputs), torch.tensor(answers)

    def loss():
        values = inputs
        for weights in layers:
            values = torch.tanh(values @ weights)
        return torch.mean((values[:, 0] - answers) ** 2)

    optimiser = torch.optim.SGD(layers, lr=step_size(len(layers)))
    for _ in range(steps):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
    return float(loss().detach())


def problem(depth, width, seeds, examples):
    """The landscape and starts, and the same numbers as plain arrays for each seed."""

    @jax.jit
    def networks(keys):
        return jax.vmap(lambda key: draw_layers(key, depth=depth, width=width, d=3, dtype=jnp.float32))(keys)

    of_teachers, of_students, of_inputs = jax.random.split(jax.random.key(depth), 3)
    inputs = jax.random.normal(of_inputs, (seeds, examples, 3), jnp.float32)
    landscape = deep_teachers(networks(jax.random.split(of_teachers, seeds)), inputs)
    layers = networks(jax.random.split(of_students, seeds))
    answers = np.asarray(landscape.inputs)[:, :, -1]
    plain = [
        ([np.array(weights[seed]) for weights in layers], np.array(inputs[seed]), np.array(answers[:, seed]))
        for seed in range(seeds)
    ]
    return landscape, DeepStudent(layers, jnp.arange(seeds, dtype=jnp.float32)), plain


def programs(data, steps):
    landscape, starts, plain = data
    stop = Stop(steps=steps, gradient_norm=None)

    algorithm = GradientDescent(step_size(len(starts.layers)))

    def ours():
        return descend(landscape, algorithm, starts, stop=stop, progress=False).final_loss.values

    def loop(one):
        return lambda: np.array([one(*seed, steps) for seed in plain])

    rivals = {"Earnshaw": ours, "NumPy": loop(numpy_descent)}
    if importlib.util.find_spec("torch"):
        rivals["PyTorch"] = loop(torch_descent)
    return rivals


def require_agreement(rivals):
    """All programs must come to the same losses."""
    ends = {name: run() for name, run in rivals.items()}
    for name, end in ends.items():
        difference = np.median(np.abs(end - ends["Earnshaw"]))
        assert difference < 1e-4, f"{name} ends {difference} away"


def measure(rivals, repeats):
    """The least time of each, in turn; a first round compiles."""
    for run in rivals.values():
        run()
    best = dict.fromkeys(rivals, np.inf)
    for _ in range(repeats):
        for name, run in rivals.items():
            began = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("seeds", 32), ("width", 20), ("examples", 32), ("steps", 2000), ("repeats", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 3, 5, 9, 17])
    options = parser.parse_args()
    print(
        f"{options.seeds} seeds, width {options.width}, {options.examples} examples, "
        f"best of {options.repeats}; steps of all seeds together, a second"
    )
    for depth in options.depths:
        data = problem(depth, options.width, options.seeds, options.examples)
        require_agreement(programs(data, STEPS_TOGETHER))
        best = measure(programs(data, options.steps), options.repeats)
        made = options.seeds * options.steps
        rates = "  ".join(f"{name} {made / seconds:>9.0f}" for name, seconds in best.items())
        ratios = "  ".join(f"{best[name] / best['Earnshaw']:.1f}x {name}" for name in best if name != "Earnshaw")
        print(f"depth {depth:>2}:  {rates}   {ratios}", flush=True)


if __name__ == "__main__":
    main()
