import numpy as np
import pytest

from earnshaw.studies import Curve
from earnshaw.studies.curve import charts


def test_curves_of_a_chart_are_drawn_together_in_the_order_given():
    drawn = charts(
        [
            Curve("a", np.arange(2), np.array([1.0, np.nan]), chart="one", xlabel="x", ylog=True),
            Curve("b", [0], [1], chart="two", points=True),
            Curve("c", [0.5], [2], low=[1], high=[3], chart="one", xlabel="x", ylog=True),
        ]
    )
    assert [chart["title"] for chart in drawn] == ["one", "two"]
    assert drawn[0]["ylog"] is True
    assert [curve["name"] for curve in drawn[0]["curves"]] == ["a", "c"]
    assert drawn[0]["curves"][0]["y"] == [1.0, None]
    assert drawn[0]["curves"][1]["high"] == [3]


def test_curves_that_cannot_be_drawn_are_refused():
    with pytest.raises(ValueError, match="as many values of x"):
        Curve("a", [1, 2], [1])
    with pytest.raises(ValueError, match="both ends"):
        Curve("a", [1], [1], low=[0])
    with pytest.raises(ValueError, match="other axes"):
        charts([Curve("a", [1], [1]), Curve("b", [1], [1], xlog=True)])
