import json
import sys
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import toys
from earnshaw.cli.main import app
from earnshaw.studies import registry as studies
from earnshaw.theorems import registry as theorems


class Invoked(SimpleNamespace):
    @property
    def json(self):
        return json.loads(self.stdout)


@pytest.fixture
def earnshaw(tmp_path, monkeypatch):
    """The program in this process, knowing the toys alone, started in an empty directory."""
    monkeypatch.setitem(sys.modules, "earnshaw_toys", toys)
    for registry, entries in (
        (theorems.REGISTRY, {"toy-1.1": theorems.Entry("earnshaw_toys", toys.theorem.title)}),
        (studies.REGISTRY, {"toy": studies.Entry("earnshaw_toys", toys.study.artefact)}),
    ):
        for name in list(registry):
            monkeypatch.delitem(registry, name)
        for name, entry in entries.items():
            monkeypatch.setitem(registry, name, entry)
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        return Invoked(code=result.exit_code, stdout=result.stdout, stderr=result.stderr)

    return invoke
