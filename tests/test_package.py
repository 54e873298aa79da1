import ast
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

import earnshaw as es


@pytest.mark.parametrize("name", [name for name in es.__all__ if name != "__version__"])
def test_every_promised_name_is_there(name):
    assert getattr(es, name) is not None
    assert name in dir(es)


def test_type_checkers_see_the_names_that_are_there():
    tree = ast.parse(Path(es.__file__).read_text())
    seen = {
        (alias.name, node.module)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(es._NAMES.items())


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="has no attribute 'gradients'"):
        es.gradients  # noqa: B018


def test_the_import_is_light():
    code = "import sys, earnshaw; print([m for m in ('jax', 'numpy', 'xarray', 'typer', 'rich') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_version_is_the_one_that_is_installed():
    assert metadata.version("earnshaw") == es.__version__


def test_the_import_takes_no_time_to_speak_of():
    def seconds(code):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    # The best of three on each side, and ten times the promise, so that a busy machine does not decide.
    bare = min(seconds("pass") for _ in range(3))
    assert min(seconds("import earnshaw") for _ in range(3)) - bare < 0.5
