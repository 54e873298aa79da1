"""What `descend` costs over a bare `lax.fori_loop`, and what it saves when starts end early.

    python benchmarks/descent_loop.py [--starts 256] [--size 20] [--steps 400] [--repeats 5]

The landscape is the population loss of a ReLU network with k = d = `size` and the identity as its teacher. The bare
loop is the least program that does the same arithmetic: gradient steps, mapped over all starts, in one `fori_loop`,
without loss, stop rules, records or host. Both run alternately in one process, and the least time of each counts.

Scenarios, all against the bare loop over all starts and all steps:

- equal: every start runs to the end. The issue is overhead: at most 1.10.
- two groups: half of the starts end after a tenth of the steps. On one core, leaving the batch can gain at most
  1 / (½ + ½ · 0.1) = 1.82; the rest comes from blocks that fit the cache and run on all cores.
- spread: half of the starts end after a tenth, the others evenly between a tenth and all of the steps (at most 3.1).

Wall time says what a user waits; processor time, in the last column, is less disturbed by other programs.
"""

import argparse
import time

import jax
import jax.numpy as jnp
from rich.console import Console
from rich.table import Table

from earnshaw.descent import Algorithm, GradientDescent, Outcome, State, Stop, descend
from earnshaw.landscapes import Particles

STEP_SIZE = 0.01


class EndingEarly(Algorithm):
    """Gradient descent that ends each start after a share of the steps which the start's key decides."""

    steps: int
    spread: bool

    def init(self, landscape, params, key):
        return State.at(landscape, params, key)

    def step(self, landscape, state):
        early, place = jax.random.uniform(state.key, (2,))
        late = 0.1 + 0.9 * place if self.spread else 1.0
        share = jnp.where(early < 0.5, 0.1, late)
        moved = GradientDescent(STEP_SIZE).step(landscape, state)
        return moved.ended(Outcome.STOPPED, moved.steps >= share * self.steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("starts", 256), ("size", 20), ("steps", 400), ("repeats", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()

    landscape = Particles.teacher_student("relu", jnp.eye(args.size))
    starts = jax.vmap(landscape.init)(jax.random.split(jax.random.key(0), args.starts))
    stop = Stop(steps=args.steps, gradient_norm=None)

    @jax.jit
    def bare_loop(params):
        def step(_, batch):
            gradients = jax.vmap(landscape.gradient)(batch)
            return jax.tree.map(lambda x, g: x - STEP_SIZE * g, batch, gradients)

        return jax.lax.fori_loop(0, args.steps, step, params)

    def descending(algorithm, threads):
        def run():
            return descend(landscape, algorithm, starts, stop=stop, progress=False, threads=threads)

        return run

    scenarios = {
        "equal": GradientDescent(STEP_SIZE),
        "two groups": EndingEarly(args.steps, False),
        "spread": EndingEarly(args.steps, True),
    }
    programs = {("bare loop", ""): lambda: jax.block_until_ready(bare_loop(starts))}
    for name, algorithm in scenarios.items():
        programs[name, "all cores"] = descending(algorithm, None)
        programs[name, "1 thread"] = descending(algorithm, 1)

    work = {
        name: int(descend(landscape, a, starts, stop=stop, progress=False).steps.sum()) for name, a in scenarios.items()
    }
    work["bare loop"] = args.starts * args.steps
    wall, processor = measure(programs, args.repeats)
    show(programs, work, wall, processor, args)


def measure(programs, repeats):
    wall = dict.fromkeys(programs, float("inf"))
    processor = dict.fromkeys(programs, float("inf"))
    for run in programs.values():
        run()
    for _ in range(repeats):
        for name, run in programs.items():
            began, began_processor = time.perf_counter(), time.process_time()
            run()
            wall[name] = min(wall[name], time.perf_counter() - began)
            processor[name] = min(processor[name], time.process_time() - began_processor)
    return wall, processor


def show(programs, work, wall, processor, args):
    table = Table(title=f"{args.starts} starts, k = d = {args.size}, {args.steps} steps, best of {args.repeats}")
    columns = ("scenario", "threads", "share of steps", "seconds", "time / bare", "speed-up", "processor time / bare")
    for column in columns:
        table.add_column(column, justify="left" if column in ("scenario", "threads") else "right")
    bare = ("bare loop", "")
    for name in programs:
        ratio = wall[name] / wall[bare]
        table.add_row(
            *name,
            f"{work[name[0]] / work['bare loop']:.2f}",
            f"{wall[name]:.3f}",
            f"{ratio:.2f}",
            f"{1 / ratio:.2f}",
            f"{processor[name] / processor[bare]:.2f}",
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
