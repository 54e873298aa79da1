import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import toys
from earnshaw.report import collect, write_report
from earnshaw.runs import run
from report import samples

VOID = {"meta", "link", "img"}


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
        assert not [name for name in attributes if name.startswith("on")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data


@pytest.fixture(scope="module")
def text(page):
    return page.read_text()


@pytest.fixture(scope="module")
def seen(text):
    return Checker(text)


def test_the_page_is_whole_and_refers_to_nothing_outside_itself(text, seen):
    assert len(set(seen.ids)) == len(seen.ids)
    for link in seen.links:
        assert link.startswith("data:") or link.removeprefix("#") in seen.ids
    assert not re.search(r"(src|href)=.https?:|@import|url\((?!#)", text)
    assert seen.tags.count("img") == 4
    assert len(text.encode()) < 1_000_000


def test_what_studies_say_is_escaped(text, seen):
    assert samples.HOSTILE not in text
    assert "<script>alert" not in text
    assert samples.HOSTILE in seen.text
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    data = [json.loads(script) for script in scripts[:-1]]
    assert data[-1]["title"] == data[-1]["curves"][0]["name"] == samples.HOSTILE


def test_the_page_says_what_was_found(seen):
    said = " ".join(seen.text.split())
    for part in ("✗ refuted", "∅ not-applicable", "? inconclusive", "✓ holds", "0.1235", "counterexample", "✗ not met"):
        assert part in said
    assert "6 studies at quick scale with seed 0, 1: 11 verdicts. 1 run is not finished and shown in part." in said
    assert "earnshaw run toy --scale quick --seed 0" in said
    assert "earnshaw run bare --scale quick --seed 0 --set 'd=[1]'" in said
    assert "jaxlib" in said


def test_the_papers_numbers_stand_beside_ours(seen, page):
    said = " ".join(seen.text.split())
    (facts,) = [collect(page.parent.parent / "rich")]
    judged = [each for each in facts.comparisons if each["agrees"] is not None]
    wrong = [each for each in judged if abs(each["ours"] - each["theirs"]) > 0.05]
    assert len(judged) == 9
    assert 0 < len(wrong) < 9
    assert f"{len(wrong)} of 9 numbers differ from the paper’s by more than 0.05." in said
    assert "3 numbers of the paper’s were not computed at the quick scale." in said
    one = judged[0]
    assert f"+{one['ours'] - one['theirs']:.4g}" in said
    assert f"+{one['low'] - one['theirs']:.4g} to +{one['high'] - one['theirs']:.4g}" in said


def test_a_figure_for_two_columns_gets_the_room_of_two(text):
    assert text.count('class="paper wide"') == 1
    assert text.count('class="paper"') == 3


def test_a_study_that_ran_twice_has_two_sections(seen):
    assert {"toy", "toy-2"} <= set(seen.ids)


def test_an_unfinished_run_shows_what_is_there(seen, unfinished):
    said = " ".join(seen.text.split())
    assert "Partial: this run is not finished. 3 shards of it are stored." in said
    assert "d = 1, kind = a" in said
    assert f"earnshaw run half --scale quick --seed 0 --out {unfinished}" in said


def test_a_heavy_figure_is_shown_as_pixels(tmp_path):
    outcome = run(toys.study, tmp_path / "toy")
    (outcome.out / "figure.svg").write_text(" " * 600_000)
    text = write_report([outcome.out], tmp_path / "report").read_text()
    assert "data:image/png" in text
    assert "data:image/svg" not in text


def test_papers_are_named_where_their_ids_are_used(seen, tmp_path):
    said = " ".join(seen.text.split())
    assert "prsz18R. Panigrahy" in said
    assert "zps17Q. Zhang" in said
    assert "du19" not in said


def test_a_crowded_page_can_still_be_sent(crowd):
    assert crowd.stat().st_size < 5_000_000
    # A long table has a frame of its own; so has none of the rest.
    assert crowd.read_text().count('class="scroll long data"') == 9


def test_a_long_table_and_a_long_value_are_cut_with_a_remark(tmp_path):
    many = replace(
        toys.study, rows=lambda results: [{"n": n, "text": "x" * 3000 if n == 0 else ""} for n in range(1500)]
    )
    outcome = run(many, tmp_path / "toy", settings={"d": [1]})
    text = write_report([outcome.out], tmp_path / "report").read_text()
    assert "The first 1000 of 1500 rows; table.csv has them all." in text
    assert "(3000 characters; the run&#x27;s files have all of them)" in text
    assert "x" * 2001 not in text


def test_a_report_about_nothing_is_still_a_page(tmp_path):
    assert "Overview" in Checker(write_report([], tmp_path).read_text()).text


def test_the_same_runs_give_the_same_page(page, tmp_path):
    folder = page.parent.parent
    once, again = (write_report([folder / "rich", folder / "other"], tmp_path / name).read_bytes() for name in "ab")
    assert once == again


def test_the_stored_verdicts_are_those_of_the_page(page):
    stored = json.loads((page.parent.parent / "other" / "verdicts.json").read_text())
    assert stored[0]["counterexample"] == {"x": samples.HOSTILE}
