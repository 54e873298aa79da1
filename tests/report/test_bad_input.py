import json
import os
import shutil

import pytest
from typer.testing import CliRunner

from earnshaw.cli.main import app


def report(*arguments):
    return CliRunner().invoke(app, ["report", *map(str, arguments)], catch_exceptions=False)


def refused(answer, sentence):
    assert answer.exit_code == 2
    assert not answer.stdout
    assert answer.stderr.startswith("earnshaw: ")
    assert answer.stderr.count("\n") == 1
    assert sentence in answer.stderr


@pytest.fixture
def good(page, tmp_path):
    shutil.copytree(page.parent.parent / "rich", tmp_path / "rich")
    return tmp_path / "rich"


def test_the_command_writes_the_page(good, unfinished, tmp_path):
    answer = report(good, unfinished, "--out", tmp_path / "report", "--json")
    assert answer.exit_code == 0
    told = json.loads(answer.stdout)
    assert [each["state"] for each in told["runs"]] == ["finished", "partial"]
    assert told["runs"][0]["verdicts"] == {"holds": 2, "refuted": 1, "not-applicable": 1, "inconclusive": 1}
    assert os.path.getsize(told["report"]) == told["bytes"]
    # An earlier report is replaced.
    again = report(unfinished, "--out", tmp_path / "report")
    assert again.exit_code == 0
    assert "is not finished; the page shows what is stored" in again.stdout
    assert os.path.getsize(told["report"]) < told["bytes"]


def test_what_is_no_run_is_refused(tmp_path, good):
    refused(report(good.parent), f"manifest.json is missing; name the runs in it, such as {good}")
    good.rename(tmp_path.parent / f"{tmp_path.name}-moved")
    refused(report(tmp_path / "nowhere"), f"there is no run at {tmp_path / 'nowhere'}")
    refused(report(tmp_path), "holds no run: manifest.json is missing")
    refused(report(), "Missing argument")


def alter(change):
    def altered(path):
        content = json.loads(path.read_text())
        change(content)
        path.write_text(json.dumps(content))

    return altered


@pytest.mark.parametrize(
    ("name", "damage", "sentence"),
    [
        ("manifest.json", lambda path: path.write_text("{"), "manifest.json is damaged: it cannot be read"),
        ("manifest.json", lambda path: path.write_text("[]"), "manifest.json is damaged"),
        ("manifest.json", alter(lambda c: c.pop("question")), "manifest.json is damaged: 'question' is missing"),
        ("manifest.json", alter(lambda c: c.update(format=99)), "written by a newer version of Earnshaw"),
        ("summary.json", lambda path: path.write_bytes(b"\xff\xfe"), "summary.json is damaged: it cannot be read"),
        ("summary.json", alter(lambda c: c.update(rows={})), "'rows' is not what it should be"),
        ("summary.json", alter(lambda c: c.update(starts=True)), "'starts' is not what it should be"),
        ("verdicts.json", lambda path: path.unlink(), "is damaged: verdicts.json is missing; run the study again"),
        ("verdicts.json", alter(lambda c: c[0].update(verdict="proved")), "'verdict' is not what it should be"),
        ("curves.json", alter(lambda c: c[0]["curves"].append(3)), "'curves' is not what it should be"),
        ("references.json", alter(lambda c: c[0].update(theirs="a")), "'theirs' is not what it should be"),
    ],
)
def test_a_damaged_run_is_refused_and_nothing_is_written(good, tmp_path, name, damage, sentence):
    damage(good / name)
    refused(report(good, "--out", tmp_path / "report"), sentence)
    assert not (tmp_path / "report").exists()


def test_an_unreadable_shard_of_an_unfinished_run_is_said(unfinished, tmp_path):
    shutil.copytree(unfinished, tmp_path / "half")
    (tmp_path / "half" / "shards" / "000001.nc").write_bytes(b"no")
    assert report(tmp_path / "half", "--out", tmp_path / "report").exit_code == 0
    assert "1 shard cannot be read and will be computed again" in (tmp_path / "report" / "index.html").read_text()


def test_a_link_out_of_a_run_is_refused(good, tmp_path):
    (tmp_path / "secret").write_text("mine")
    (good / "figure.svg").unlink()
    (good / "figure.svg").symlink_to(tmp_path / "secret")
    refused(report(good, "--out", tmp_path / "report"), "figure.svg is a symbolic link")
    assert not (tmp_path / "report").exists()


def test_a_place_that_cannot_be_written_is_refused(good, tmp_path):
    refused(report(good, "--out", good / "table.csv" / "report"), "cannot write")
    refused(report(good, "--out", "/proc/earnshaw"), "cannot write /proc/earnshaw")


def test_a_page_that_is_not_ours_is_kept(good, tmp_path):
    mine = tmp_path / "site" / "index.html"
    mine.parent.mkdir()
    mine.write_text("my own")
    refused(report(good, "--out", mine.parent), "is there already and is no report")
    assert mine.read_text() == "my own"
