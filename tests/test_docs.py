"""What the README and the documentation show is run: Python blocks as they stand, and every command."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from earnshaw.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    return [code for kind, code in BLOCK.findall(page.read_text()) if kind == language]


def commands():
    lines = [line for page in PAGES for block in blocks(page, "console") for line in block.splitlines()]
    found = {line.removeprefix("$ ") for line in lines if line.startswith("$ earnshaw ")}
    # the studies have tests of their own
    slow = re.compile(" (reproduce|run)( |$)")
    return [pytest.param(line, marks=[pytest.mark.slow] if slow.search(line) else []) for line in sorted(found)]


def with_python():
    return [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", with_python(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names = {"__name__": "__page__"}
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), names)


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_documentation_runs(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, shlex.split(command)[1:], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr


def test_the_readme_example_has_about_ten_lines():
    (example,) = blocks(ROOT / "README.md", "python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 10


def test_links_between_files_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page} links to {target}"


#: Entries about chapters of the thesis that the package does not cover.
WITHOUT_CODE = set(range(7, 23)) - {10, 11, 12}


def test_the_errata_are_numbered_without_gaps():
    rows = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "errata.md").read_text(), re.MULTILINE)
    assert len(rows) >= 31
    assert sorted(map(int, rows)) == list(range(1, len(rows) + 1))


def test_every_erratum_with_code_has_its_test():
    rows = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "errata.md").read_text(), re.MULTILINE)
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "errata").glob("test_*.py"))
    tested = {int(number) for number in re.findall(r"^def test_(\d+)_", tests, re.MULTILINE)}
    assert tested == set(map(int, rows)) - WITHOUT_CODE
