import json
import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

import toys
from earnshaw import __version__
from earnshaw.cli.bars import Bars
from earnshaw.errors import EarnshawError
from earnshaw.studies.registry import REGISTRY, Entry
from earnshaw.theorems import decide

BAD = [
    (["chekc", "toy-1.1"], "did you mean 'check'"),
    (["check"], "Missing argument 'ID'"),
    (["check", "toy-1.2"], "unknown theorem 'toy-1.2'; did you mean 'toy-1.1'"),
    (["check", "toy-1.1", "--sed", "3"], "did you mean --seed"),
    (["check", "toy-1.1", "--seed", "three"], "--seed"),
    (["check", "toy-1.1", "--seed", "-1"], "a seed must be an integer from 0"),
    (["check", "toy-1.1", "--set", "d"], "--set needs NAME=VALUE"),
    (["check", "toy-1.1", "--set", "dd=3"], "did you mean 'd'"),
    (["check", "toy-1.1", "--set", "d=3.5"], "must be an integer"),
    (["check", "toy-1.1", "--set", "bound=inf"], "finite number"),
    (["check", "all", "--set", "d=3"], "belongs to one theorem"),
    (["theorems", "zoo"], "unknown theorem 'zoo'"),
    (["studies", "tow"], "did you mean 'toy'"),
    (["run", "tyo"], "did you mean 'toy'"),
    (["run", "toy", "--scale", "huge"], "must be quick or paper, not 'huge'"),
    (["run", "toy", "--set", "start=3"], "did you mean 'starts'"),
    (["run", "toy", "--out", "/proc/earnshaw"], "cannot write /proc/earnshaw"),
    (["reproduce", "--scale", "big"], "must be quick or paper, not 'big'"),
]


@pytest.mark.parametrize("arguments", [[], ["--help"], ["check", "--help"], ["--version"], ["studies", "toy"]])
def test_asking_is_fine(earnshaw, arguments):
    answer = earnshaw(*arguments)
    assert answer.code == 0
    assert answer.stdout.strip()
    assert not answer.stderr


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[" ".join(case[0]) for case in BAD])
@pytest.mark.parametrize("json", [False, True])
def test_bad_input_is_one_line_and_exit_code_2(earnshaw, arguments, sentence, json):
    answer = earnshaw(*arguments, *(["--json"] if json else []))
    assert answer.code == 2
    assert not answer.stdout
    assert answer.stderr.startswith("earnshaw: ")
    assert answer.stderr.count("\n") == 1
    assert sentence in answer.stderr


@pytest.mark.parametrize(
    ("settings", "word", "code"),
    [
        ([], "holds", 0),
        (["bound=0"], "refuted", 1),
        (["d=4"], "not-applicable", 3),
        (["words=inconclusive"], "inconclusive", 4),
    ],
)
def test_the_exit_code_of_a_check_is_its_verdict(earnshaw, settings, word, code):
    chosen = [part for setting in settings for part in ("--set", setting)]
    answer = earnshaw("check", "toy-1.1", *chosen, "--json")
    assert answer.code == code
    assert not answer.stderr
    assert list(answer.json) == ["theorem", "verdict", "hypotheses", "predicted", "measured", "margin", "seconds"]
    assert answer.json["verdict"] == word
    assert answer.json["seconds"] >= 0
    told = earnshaw("check", "toy-1.1", *chosen)
    assert told.code == code
    assert word in told.stdout


def test_check_all_counts_the_worst(earnshaw):
    answer = earnshaw("check", "all", "--json")
    assert answer.code == 0
    assert [verdict["theorem"] for verdict in answer.json["verdicts"]] == ["toy-1.1"]
    assert "toy-1.1" in earnshaw("check", "all").stdout


def test_listing(earnshaw):
    assert earnshaw("theorems").stdout == f"toy-1.1\t{toys.theorem.title}\n"
    assert earnshaw("theorems", "--json").json == {"theorems": [{"id": "toy-1.1", "title": toys.theorem.title}]}
    assert earnshaw("theorems", "toy-1.1", "--json").json["parameters"] == toys.theorem.parameters
    assert toys.theorem.statement in earnshaw("theorems", "toy-1.1").stdout
    assert earnshaw("studies").stdout == f"toy\t{toys.study.artefact}\n"
    assert earnshaw("studies", "--json").json == {"studies": [{"name": "toy", "artefact": toys.study.artefact}]}
    assert earnshaw("studies", "toy", "--json").json["parameters"] == toys.study.parameters


def test_a_run_prints_one_object_and_keeps_its_progress_to_stderr(earnshaw, tmp_path):
    answer = earnshaw("run", "toy", "--seed", "3", "--json")
    assert answer.code == 0
    assert list(answer.json) == ["study", "scale", "seed", "seconds", "starts", "rows", "verdicts", "out"]
    assert answer.json["starts"] == 48
    assert answer.json["rows"][0].keys() == {"kind", "d", "mean"}
    assert answer.json["out"] == "earnshaw-runs/toy-quick-seed3"
    assert (tmp_path / answer.json["out"] / "results.nc").exists()
    assert "toy: 12 shards\n" in answer.stderr
    again = earnshaw("run", "toy", "--seed", "3")
    assert "12 stored before" in again.stderr
    assert "kind\td\tmean" in again.stdout
    other = earnshaw("run", "toy", "--seed", "4", "--out", answer.json["out"])
    assert other.code == 2
    assert "seed 3, not 4" in other.stderr


def test_other_settings_go_to_another_directory(earnshaw):
    first = earnshaw("run", "toy", "--set", "d=1,", "--json")
    second = earnshaw("run", "toy", "--set", "d=[1,2]", "--json")
    assert first.json["out"] != second.json["out"]
    assert [len(answer.json["rows"]) for answer in (first, second)] == [2, 4]


def test_reproduce_writes_the_report(earnshaw, tmp_path):
    answer = earnshaw("reproduce", "--out", "all", "--json")
    assert answer.code == 0
    assert answer.json["report"] == "all/report/index.html"
    assert [study["study"] for study in answer.json["studies"]] == ["toy"]
    assert "<!DOCTYPE html>" in (tmp_path / "all/report/index.html").read_text()
    assert "all/report/index.html" in earnshaw("reproduce", "--out", "all").stdout


@pytest.mark.parametrize(("exploratory", "code"), [(False, 1), (True, 0)])
def test_any_verdict_on_an_open_question_is_a_result(earnshaw, monkeypatch, exploratory, code):
    def refute(results):
        return [decide("toy-1.1", (), "below 0", 1.0, margin=-1.0)]

    asked = SimpleNamespace(study=replace(toys.study, verdicts=refute, exploratory=exploratory))
    monkeypatch.setitem(sys.modules, "earnshaw_toys", asked)
    assert earnshaw("reproduce", "--out", "all").code == code
    assert earnshaw("run", "toy", "--out", "one").code == 1


@pytest.mark.parametrize(("error", "code"), [(EarnshawError("the disk is green"), 2), (RuntimeError("oh"), 70)])
def test_a_study_that_fails_does_not_stop_the_others(earnshaw, tmp_path, monkeypatch, error, code):
    def fail(cell, key, parameters):
        if cell["d"] == 2:
            raise error
        return toys.compute(cell, key, parameters)

    broken = SimpleNamespace(study=replace(toys.study, name="broken", compute=fail))
    monkeypatch.setitem(sys.modules, "earnshaw_broken", broken)
    after = dict(REGISTRY)
    REGISTRY.clear()
    monkeypatch.setitem(REGISTRY, "broken", Entry("earnshaw_broken", "Table 1 of no paper"))
    for name, entry in after.items():
        monkeypatch.setitem(REGISTRY, name, entry)
    answer = earnshaw("reproduce", "--out", "all", "--json")
    assert answer.code == code
    assert not answer.stdout
    assert f"broken: failed: {error}" in answer.stderr
    if code == 2:
        last = answer.stderr.splitlines()[-1]
        assert last.endswith("1 study failed, and all/report/index.html shows the rest: broken: the disk is green")
    page = (tmp_path / "all/report/index.html").read_text()
    assert 'id="toy"' in page
    assert "Partial: this run is not finished. 2 shards of it are stored." in page
    # Another seed's runs are refused, and not shown under this one's name.
    assert earnshaw("reproduce", "--out", "all", "--seed", "1").code == 2
    assert "No study was run." in (tmp_path / "all/report/index.html").read_text()


@pytest.mark.parametrize("command", [["run", "toy"], ["reproduce"]])
def test_an_interruption_says_how_to_go_on(earnshaw, monkeypatch, command):
    def stop(cell, key, parameters):
        raise KeyboardInterrupt

    monkeypatch.setattr(toys, "study", replace(toys.study, compute=stop))
    answer = earnshaw(*command, "--seed", "5", "--out", "my runs")
    assert answer.code == 130
    last = answer.stderr.splitlines()[-1]
    assert "what was stored is kept" in last
    assert last.endswith(f"earnshaw {' '.join(command)} --scale quick --seed 5 --out 'my runs'")


def test_a_mistake_of_the_program_is_said_to_be_one(earnshaw, monkeypatch):
    def fail(seed=0, **parameters):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(toys, "theorem", replace(toys.theorem, check=fail))
    answer = earnshaw("check", "toy-1.1")
    assert answer.code == 70
    assert answer.stderr.count("\n") == 1
    assert "RuntimeError: two lines" in answer.stderr
    monkeypatch.setenv("EARNSHAW_TRACEBACK", "1")
    assert "Traceback" in earnshaw("check", "toy-1.1").stderr


def test_too_much_memory_is_bad_input(earnshaw, monkeypatch):
    def fail(seed=0, **parameters):
        raise MemoryError

    monkeypatch.setattr(toys, "theorem", replace(toys.theorem, check=fail))
    answer = earnshaw("check", "toy-1.1")
    assert answer.code == 2
    assert "not enough memory" in answer.stderr


def test_help_and_lists_load_nothing_heavy():
    code = (
        "import sys; sys.argv = ['earnshaw', {!r}]\n"
        "from earnshaw.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = ('jax', 'numpy', 'xarray', 'matplotlib', 'rich', 'equinox')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    for argument in ("--help", "theorems", "studies", "--version"):
        shown = subprocess.run(
            [sys.executable, "-c", code.format(argument)], capture_output=True, text=True, check=True
        )
        assert shown.stderr.strip() == "[]"


def test_the_installed_program_runs_and_survives_a_closed_pipe():
    program = [sys.executable, "-c", "from earnshaw.cli.main import main; main()"]
    version = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"earnshaw {__version__}\n"
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run([*program, "--help"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert closed.returncode == 141
    assert not closed.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_one_line():
    program = [sys.executable, "-c", "from earnshaw.cli.main import main; main()"]
    with open("/dev/full", "w") as full:
        refused = subprocess.run([*program, "theorems", "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert refused.returncode == 2
    assert refused.stderr == "earnshaw: the system refused: no space left on device\n"


def test_bars_at_a_terminal(capsys):
    bars = Bars()
    bars.said("before")
    bars.started(toys.study, 3, 1)
    bars.shard_stored(toys.study, 2, 3)
    bars.said("between")
    bars.finished(toys.study, 0.5)
    bars.close()
    shown = capsys.readouterr()
    assert not shown.out
    assert "between" in shown.err
    assert "toy: finished in 0.5 s" in shown.err


def test_json_is_strict(earnshaw, monkeypatch):
    monkeypatch.setattr(toys, "study", replace(toys.study, rows=lambda results: [{"x": float("nan")}]))
    assert json.loads(earnshaw("run", "toy", "--json").stdout, parse_constant=pytest.fail)["rows"] == [{"x": None}]
