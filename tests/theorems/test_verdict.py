import json

import jax.numpy as jnp
import numpy as np
import pytest

from earnshaw.theorems import Hypothesis, Verdict, decide

MET = Hypothesis("d is odd", met=True, value=3)
UNMET = Hypothesis("the potential is <smooth>", met=False, value=float("nan"))


def test_json_has_exactly_the_promised_keys_and_is_strict():
    verdict = Verdict("t", "holds", (MET,), predicted=jnp.asarray(1.0), measured=np.array([1.0, np.nan]), margin=0.5)
    record = verdict.to_json(seconds=0.25)
    assert list(record) == ["theorem", "verdict", "hypotheses", "predicted", "measured", "margin", "seconds"]
    assert record["hypotheses"] == [{"text": "d is odd", "met": True, "value": 3}]
    assert record["measured"] == [1.0, None]
    assert json.loads(json.dumps(record, allow_nan=False)) == record


@pytest.mark.parametrize(
    ("word", "hypotheses"),
    [("not-applicable", (MET,)), ("holds", (MET, UNMET)), ("refuted", (UNMET,)), ("refuted", (MET,))],
)
def test_a_verdict_that_contradicts_its_hypotheses_is_refused(word, hypotheses):
    with pytest.raises(ValueError, match="t is called"):
        Verdict("t", word, hypotheses)


@pytest.mark.parametrize(
    ("margin", "hypotheses", "word"),
    [
        (0.0, (MET,), "holds"),
        (-1e-300, (MET,), "refuted"),
        (float("nan"), (MET,), "inconclusive"),
        (1.0, (MET, UNMET), "not-applicable"),
        (float("inf"), (), "holds"),
    ],
)
def test_the_word_follows_from_the_margin_and_the_hypotheses(margin, hypotheses, word):
    verdict = decide("t", hypotheses, predicted="p", measured=2.0, margin=margin)
    assert verdict.verdict == word
    assert (verdict.counterexample is not None) == (word == "refuted")


def test_jupyter_shows_everything_escaped():
    shown = decide("t", (MET, UNMET), {"a": 1}, np.inf, 1.0, note="a & b")._repr_html_()
    assert "not-applicable" in shown
    assert "&lt;smooth&gt;" in shown
    assert "a &amp; b" in shown
    assert "inf" in shown
    refuted = decide("t", (MET,), 0.0, 1.0, -1.0, counterexample={"seed": 7})._repr_html_()
    assert "counterexample" in refuted
    assert "&quot;seed&quot;: 7" in refuted


def test_jupyter_shows_no_element_that_a_value_brings():
    hostile = "<img src=x onerror='alert(1)'>"

    class Thing:
        def __str__(self):
            return hostile

    hypothesis = Hypothesis(hostile, met=True, value={hostile: [hostile, Thing()]})
    shown = Verdict(hostile, "holds", (hypothesis,), hostile, Thing(), 1.0, note=hostile)._repr_html_()
    assert "<img" not in shown
    assert shown.count("&lt;img") == 8
