"""Descents on several devices, which any machine can pretend to have."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys
import jax
import jax.numpy as jnp
import earnshaw as es
from earnshaw.descent import blocks

used = set()
placed = blocks.placed

def watched(array, number):
    there = placed(array, number)
    used.update(device.id for device in there.devices())
    return there

blocks.placed = watched
landscape = es.Particles.teacher_student("relu", jnp.eye(6))
trajectory = es.descend(landscape, es.GradientDescent(0.05), 700, stop=es.Stop(steps=300), key=3, progress=False)
names = ("loss", "final_loss", "steps", "outcome")
json.dump({"used": len(used)} | {name: trajectory[name].values.tolist() for name in names}, sys.stdout)
"""


def descend(devices):
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_two_devices_give_the_bits_of_one():
    one, two = descend(1), descend(2)
    assert one.pop("used") == 1
    assert two.pop("used") == 2
    assert len(set(one["final_loss"])) == 700
    assert one == two
