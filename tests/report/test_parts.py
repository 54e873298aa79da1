import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earnshaw.report.beside import signed
from earnshaw.report.charts import LEAST_POINTS, MOST_NUMBERS, MOST_POINTS, points_for_each, thin
from earnshaw.report.numbers import number
from earnshaw.report.parts import slug, value
from earnshaw.report.verdicts import FEW, MOST_OPEN, article, listing
from earnshaw.report.words import words
from earnshaw.theorems import registry


def back(shown):
    text = shown.replace("−", "-").replace(" × 10<sup>", "e").replace("10<sup>", "1e").replace("</sup>", "")
    return float(text)


@settings(derandomize=True, deadline=None)
@given(st.floats(-1e300, 1e300))
def test_a_shown_number_is_the_number_to_four_digits(x):
    assert back(number(x)) == pytest.approx(x, rel=5.1e-4, abs=0)


@settings(derandomize=True, deadline=None)
@given(st.floats(-1e6, 1e6))
def test_a_difference_carries_its_sign(x):
    shown = signed(x)
    assert shown.startswith("+") == (x > 1e-15)
    assert shown.startswith("−") == (x < -1e-15)


@settings(derandomize=True, deadline=None)
@given(
    st.recursive(
        st.text() | st.none() | st.booleans() | st.floats(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)
    )
)
def test_no_value_brings_an_element_of_its_own(thing):
    shown = value(thing)
    for tag in ("dl", "dt", "dd", "sup", "sub"):
        shown = shown.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert "<" not in shown.replace('<dl class="values">', "")


def test_slugs_are_plain():
    assert slug("dual-table") == "dual-table"
    assert not set(slug("é <b>'\"\n")) - set("-b")


def test_a_thinned_curve_keeps_its_ends_and_its_spikes():
    count = 100_000
    y = [math.sin(n / 9000) for n in range(count)]
    y[31_234], y[77_777] = 50.0, None
    curve = thin({"name": "a", "x": list(range(count)), "y": y, "low": None, "high": y, "points": False})
    assert len(curve["x"]) <= MOST_POINTS
    assert (curve["x"][0], curve["x"][-1]) == (0, count - 1)
    assert max(item for item in curve["y"] if item is not None) == 50.0
    assert curve["x"] == sorted(curve["x"])
    assert len(curve["high"]) == len(curve["y"]) == len(curve["x"])
    assert all(got == pytest.approx(y[x], rel=1e-6) for x, got in zip(curve["x"], curve["y"], strict=True))


def test_what_is_no_number_is_a_gap():
    curve = thin({"name": "a", "x": [0, 1, 2], "y": [1.0, "inf", None], "points": False})
    assert curve["y"] == [1.0, None, None]


def test_formulas_are_set_and_everything_else_is_escaped():
    assert words("R^d, x^2, e^{−r}, c_{n+1}, ρ^−1") == (
        "R<sup>d</sup>, x<sup>2</sup>, e<sup>−r</sup>, c<sub>n+1</sub>, ρ<sup>−1</sup>"
    )
    assert words("a ^ b, snake_case, <i>^{<b>}") == "a ^ b, snake_case, &lt;i&gt;<sup>&lt;b&gt;</sup>"


def verdicts(**counts):
    return [
        {
            "theorem": "zps17-2.2",
            "verdict": word.replace("_", "-"),
            "hypotheses": [],
            "margin": n + 1,
            "note": f"{word} {n}",
        }
        for word, count in counts.items()
        for n in range(count)
    ]


def test_a_few_verdicts_have_a_line_each():
    shown = listing(verdicts(holds=FEW - 1, refuted=1), "again")
    assert len(shown) == FEW
    assert [" open=" in line for line in shown] == [False] * (FEW - 1) + [True]


def test_of_many_verdicts_the_bad_ones_come_first_and_the_rest_share_a_line():
    shown = listing(verdicts(holds=40, not_applicable=1, inconclusive=2, refuted=3), "again")
    assert [" open=" in line for line in shown] == [True] * MOST_OPEN + [False] * 4
    assert [f"refuted {n}" in line for n, line in enumerate(shown[:3])] == [True] * 3
    assert "40 instances: Gradient flow" in shown[5]
    assert "margins from 1<" in shown[5]
    assert shown[5].count("<details") == 41
    assert "not_applicable 0" in shown[6]
    # Nothing is lost however many are bad.
    assert len(listing(verdicts(refuted=100), "again")) == 1
    assert listing(verdicts(refuted=100), "again")[0].count("<details") == 101


@pytest.mark.parametrize(("of", "curves"), [(1, 1), (9, 48), (22, 500)])
def test_the_charts_of_a_page_share_what_it_may_weigh(of, curves):
    drawn = [{"curves": [{"x": [0], "y": [0], "low": [0], "high": [0]}] * curves}]
    most = points_for_each(drawn, of)
    assert LEAST_POINTS <= most <= MOST_POINTS
    assert most == LEAST_POINTS or most * of * curves * 4 <= max(MOST_NUMBERS, MOST_POINTS * 4)


@pytest.mark.parametrize(
    ("verdict", "gist"),
    [
        ({"theorem": "zps17-2.2", "note": "sign"}, "sign"),
        ({"theorem": "zps17-2.2", "note": "long " * 20}, registry.REGISTRY["zps17-2.2"].title),
        ({"theorem": "nobody-1"}, ""),
    ],
)
def test_a_verdict_says_at_a_glance_what_it_is_about(verdict, gist):
    shown = article({"verdict": "holds", "hypotheses": [], **verdict}, "earnshaw run toy")
    assert f'<span class="gist">{gist}</span>' in shown
    assert ("earnshaw check" in shown) == (verdict["theorem"] in registry.REGISTRY)
