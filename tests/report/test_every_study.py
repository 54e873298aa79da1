"""The report about all of Earnshaw's own studies, as `earnshaw reproduce` writes it."""

import pytest
from matplotlib.text import Text

from earnshaw import studies
from earnshaw.report import write_report
from earnshaw.runs import run
from earnshaw.studies import style
from report import browser as chromium

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("all")
    return {name: run(studies.get(name), folder / name) for name in studies.names()}


@pytest.mark.parametrize("name", studies.names())
def test_the_text_of_a_figure_is_legible_in_a_narrow_column(outcomes, name):
    with style.paper():
        figure = studies.get(name).figure(outcomes[name].results)
        if figure is None:
            return
        figure.draw_without_rendering()
    shown = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    width = figure.get_size_inches()[0]
    # A figure wider than a column is set across both.
    printed = 3.3 if width <= style.COLUMN else 6.8
    assert min(text.get_fontsize() for text in shown) * min(1, printed / width) >= 6


@pytest.fixture(scope="module")
def whole(outcomes, tmp_path_factory):
    return write_report([outcome.out for outcome in outcomes.values()], tmp_path_factory.mktemp("page"))


def test_the_page_is_small_enough_to_be_sent(whole):
    assert whole.stat().st_size < 5_000_000


@pytest.mark.skipif(bool(chromium.missing()), reason=str(chromium.missing()))
@pytest.mark.parametrize("size", [chromium.PHONE, chromium.DESK])
def test_the_page_is_in_order(whole, size):
    with chromium.chromium() as browser, chromium.opened(browser, whole, size) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
        shown.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert [each["id"] for each in chromium.audit(shown)["violations"]] == []
        for plot in shown.locator(".plot").all():
            plot.scroll_into_view_if_needed()
            plot.focus()
            shown.keyboard.press("ArrowRight")
            assert plot.locator(".tip").is_visible()
