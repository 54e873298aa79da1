import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import toys
from earnshaw.errors import EarnshawError
from earnshaw.report import write_report
from earnshaw.runs import run
from earnshaw.theorems import Hypothesis, Verdict

VOID = {"meta", "link", "img"}
HOSTILE = "<script>alert('Φ & co')</script>"


class Checker(HTMLParser):
    """What a reader's browser would see: every element closed, every id once, every reference inside the file."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.text = [], [], [], [], ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if tag == "img":
            assert attributes["alt"]
        if tag == "th":
            assert attributes["scope"] in ("row", "col")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def verdicts(results):
    unmet = Hypothesis(HOSTILE, met=False, value={"d": 4, "list": [1.0, 2.0]})
    return [
        Verdict("toy-1.1", "refuted", predicted=HOSTILE, measured=0.123456789, margin=-1, counterexample={"seed": 7}),
        Verdict("toy-1.2", "not-applicable", (unmet,), note=HOSTILE),
        Verdict("toy-1.3", "inconclusive"),
    ]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    runs = [
        run(toys.study, folder / "toy"),
        run(replace(toys.study, name="other", question=f"{HOSTILE}?", verdicts=verdicts), folder / "other"),
        run(replace(toys.study, name="bare", figure=lambda results: None), folder / "bare", settings={"d": [1]}),
    ]
    path = write_report([outcome.out for outcome in runs], folder / "report")
    assert [entry.name for entry in path.parent.iterdir()] == ["index.html"]
    return path.read_text()


def test_the_page_is_whole_and_refers_to_nothing_outside_itself(page):
    seen = Checker(page)
    assert len(set(seen.ids)) == len(seen.ids)
    for link in seen.links:
        assert link.startswith("data:") or link.removeprefix("#") in seen.ids
    assert not re.search(r"(src|href)=.https?:|@import|url\(", page)
    assert "script" not in seen.tags
    assert seen.tags.count("img") == 2


def test_what_studies_say_is_escaped(page):
    assert HOSTILE not in page
    assert HOSTILE in Checker(page).text


def test_the_page_says_what_was_found(page):
    text = Checker(page).text
    for part in ("✗ refuted", "∅ not-applicable", "? inconclusive", "✓ holds", "0.123457", "counterexample"):
        assert part in text
    assert "✗ not met" in text
    assert "earnshaw run toy --scale quick --seed 0" in text
    assert "earnshaw run bare --scale quick --seed 0 --set 'd=[1]'" in text
    assert "jaxlib" in text


def test_a_directory_without_a_finished_run_is_refused(tmp_path):
    with pytest.raises(EarnshawError, match=r"holds no finished run: manifest\.json is missing"):
        write_report([tmp_path], tmp_path / "report")
    outcome = run(toys.study, tmp_path / "toy")
    (outcome.out / "summary.json").write_text("{")
    with pytest.raises(EarnshawError, match=r"summary\.json cannot be read"):
        write_report([outcome.out], tmp_path / "report")
    with pytest.raises(EarnshawError, match="cannot write"):
        write_report([], tmp_path / "toy" / "table.csv" / "report")


def test_a_heavy_figure_is_shown_as_pixels(tmp_path):
    outcome = run(toys.study, tmp_path / "toy")
    (outcome.out / "figure.svg").write_text(" " * 600_000)
    text = write_report([outcome.out], tmp_path / "report").read_text()
    assert "data:image/png" in text
    assert "data:image/svg" not in text


def test_a_report_about_nothing_is_still_a_page(tmp_path):
    assert "Overview" in Checker(write_report([], tmp_path).read_text()).text


def test_the_stored_verdicts_are_those_of_the_page(tmp_path):
    outcome = run(replace(toys.study, verdicts=verdicts), tmp_path / "toy")
    stored = json.loads((outcome.out / "verdicts.json").read_text())
    assert stored[0]["counterexample"] == {"seed": 7}
