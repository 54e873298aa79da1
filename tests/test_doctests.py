"""The examples in the docstrings run, one test for each module that has any."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

import earnshaw

ROOT = Path(earnshaw.__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules_with_examples():
    for path in sorted(ROOT.rglob("*.py")):
        if ">>> " in path.read_text():
            name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
            yield pytest.param(name.removesuffix(".__init__"), path, id=name)


@pytest.mark.parametrize(("name", "path"), list(modules_with_examples()))
def test_examples(name, path):
    """Each docstring is run in its module's own names, read from the source so that no decorator can hide it."""
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    parser = doctest.DocTestParser()
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node) or ""
            title = getattr(node, "name", name)
            example = parser.get_doctest(text, dict(vars(module)), f"{name}.{title}", str(path), None)
            if example.examples:
                runner.run(example)
    assert runner.tries > 0
    assert runner.failures == 0
