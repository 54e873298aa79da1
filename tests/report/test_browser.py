import pytest

from report import browser as chromium
from report import samples

SIZES = {"phone": chromium.PHONE, "desk": chromium.DESK}

pytestmark = pytest.mark.skipif(bool(chromium.missing()), reason=str(chromium.missing()))


@pytest.fixture(scope="module")
def browser():
    with chromium.chromium() as launched:
        yield launched


@pytest.fixture
def desk(browser, page):
    with chromium.opened(browser, page) as shown:
        yield shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_fits_and_everyone_can_read_it(browser, page, size, scheme):
    with chromium.opened(browser, page, SIZES[size], scheme) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
        # What is closed is read too.
        shown.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        found = chromium.audit(shown)
        assert [each["id"] for each in found["violations"]] == []
        assert len(found["passes"]) > 20


@pytest.mark.parametrize("size", SIZES)
def test_a_crowded_page_is_quick_and_in_order(browser, crowd, size):
    with chromium.opened(browser, crowd, SIZES[size]) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
        # What a page of this size may take on a machine that does other things as well.
        assert shown.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") < 8000
        first = shown.locator("#study-1")
        assert [first.locator(f"details[open] .{word}").count() for word in ("refuted", "inconclusive")] == [3, 0]
        group = first.locator("details.group").first
        assert "instances" in group.inner_text()
        group.locator("summary").first.click()
        assert group.locator(".instances details").first.is_visible()
        frame = first.locator(".long")
        assert frame.bounding_box()["height"] < 600
        table = frame.locator("table")
        frame.evaluate("(each) => { each.scrollTop = 400 }")
        assert table.locator("th").first.bounding_box()["y"] >= frame.bounding_box()["y"] - 1


def test_the_audit_can_fail(browser, tmp_path):
    path = tmp_path / "index.html"
    path.write_text('<!DOCTYPE html><html><head><title>a</title></head><body><img src="data:,"></body></html>')
    with chromium.opened(browser, path) as shown:
        assert {"html-has-lang", "image-alt"} <= {each["id"] for each in chromium.audit(shown)["violations"]}


@pytest.mark.parametrize("size", SIZES)
def test_hovering_tells_the_nearest_point(browser, page, size):
    with chromium.opened(browser, page, SIZES[size]) as shown:
        plot = shown.locator("#depth-width .plot").nth(1)
        plot.scroll_into_view_if_needed()
        dots = plot.locator(".dot")
        data = shown.evaluate("JSON.parse(document.querySelectorAll('#depth-width .chart script')[1].textContent)")
        for place in (0, 2):
            at = dots.nth(place).bounding_box()
            shown.mouse.move(at["x"] + at["width"] / 2 + 2, at["y"] + at["height"] / 2 - 2)
            told = plot.locator(".tip").inner_text()
            assert "width 10" in told
            assert f"depth: {data['curves'][0]['x'][place]}" in told
            assert f"error: {data['curves'][0]['y'][place]:.4g}" in told
            assert " to " in told
            tip, frame = plot.locator(".tip").bounding_box(), plot.bounding_box()
            assert frame["x"] <= tip["x"]
            assert tip["x"] + tip["width"] <= frame["x"] + frame["width"] + 1
        shown.mouse.move(0, 0)
        assert plot.locator(".tip").is_hidden()


def ticks(plot):
    return plot.locator("text").all_text_contents()


def test_a_dragged_box_is_zoomed_into_and_left_again(desk):
    plot = desk.locator("#depth-width .plot").first
    plot.scroll_into_view_if_needed()
    whole = ticks(plot)
    box = plot.bounding_box()
    desk.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 150)
    desk.mouse.down()
    desk.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 153)
    assert plot.locator(".box").count() == 1
    desk.mouse.up()
    numbers = [float(tick) for tick in ticks(plot) if tick.isdigit()]
    assert numbers
    assert min(numbers) >= 60
    assert max(numbers) <= 240
    assert ticks(plot) != whole
    plot.dblclick()
    assert ticks(plot) == whole
    zoom = desk.locator("#depth-width .zoom").first
    zoom.get_by_label("Zoom in").click()
    assert ticks(plot) != whole
    zoom.get_by_label("Zoom out").click()
    assert ticks(plot) == whole


def test_the_keyboard_does_what_the_pointer_does(desk):
    plot = desk.locator("#depth-width .plot").first
    live = desk.locator("#depth-width .chart [aria-live]").first
    whole = ticks(plot)
    plot.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        desk.keyboard.press(key)
    assert "step: 2" in live.inner_text()
    before = live.inner_text().split(",")[0]
    desk.keyboard.press("ArrowDown")
    assert live.inner_text().split(",")[0] != before
    assert "step: 2" in live.inner_text()
    for _ in range(4):
        desk.keyboard.press("+")
    assert ticks(plot) != whole
    # The view goes along with a point that leaves it.
    for _ in range(60):
        desk.keyboard.press("ArrowRight")
    assert "step: 62" in live.inner_text()
    frame, point = plot.bounding_box(), plot.locator(".cursor").bounding_box()
    assert frame["x"] < point["x"] < frame["x"] + frame["width"]
    desk.keyboard.press("0")
    assert ticks(plot) == whole
    desk.keyboard.press("Escape")
    assert plot.locator(".tip").is_hidden()


def test_the_legend_hides_curves(desk):
    chart = desk.locator("#depth-width .chart").first
    assert chart.locator("g.curve").count() == 4
    chart.locator(".legend button").first.click()
    assert chart.locator("g.curve").count() == 3
    assert chart.locator(".legend button").first.get_attribute("aria-pressed") == "false"


def test_tables_sort_up_down_and_back(desk):
    table = desk.locator("#depth-width h3:text-is('Numbers') + .scroll table")

    def column():
        return [float(cell) for cell in table.locator("td:nth-child(3)").all_inner_texts()]

    first = column()
    heading = table.locator("th", has_text="error")
    heading.get_by_role("button").click()
    assert column() == sorted(first)
    assert heading.get_attribute("aria-sort") == "ascending"
    desk.keyboard.press("Enter")
    assert column() == sorted(first, reverse=True)
    desk.keyboard.press("Enter")
    assert column() == first
    assert heading.get_attribute("aria-sort") is None


def test_what_has_no_value_is_sorted_last_both_ways(desk):
    table = desk.locator("#depth-width .beside table")
    heading = table.locator("th", has_text="ours")
    for _ in "ud":
        heading.get_by_role("button").click()
        cells = table.locator("td:nth-child(4)").all_inner_texts()
        assert cells[-3:] == ["–"] * 3
        assert "–" not in cells[:-3]


@pytest.mark.parametrize("size", SIZES)
def test_without_scripts_everything_can_be_read(browser, page, size):
    with chromium.opened(browser, page, SIZES[size], scripts=False) as shown:
        images = shown.locator("figure img")
        assert images.count() == 4
        for image in images.all():
            assert image.is_visible()
            assert image.bounding_box()["height"] > 100
        assert shown.locator(".charts").first.is_hidden()
        assert shown.locator("thead button").count() == 0
        shown.locator("summary", has_text="prsz18-4.6").click()
        assert shown.get_by_text("every electron ends on a proton").is_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_on_paper_there_are_figures_and_whole_verdicts(browser, page, scripts):
    with chromium.opened(browser, page, scripts=scripts) as shown:
        assert shown.pdf(format="A4").startswith(b"%PDF")
        # The width of A4 between its margins.
        shown.set_viewport_size({"width": 643, "height": 900})
        shown.emulate_media(media="print")
        assert shown.evaluate("document.documentElement.scrollWidth") <= 643
        assert shown.locator("#depth-width img").is_visible()
        assert shown.locator("#depth-width .plot").first.is_hidden() if scripts else True
        assert shown.locator("nav").is_hidden()
        closed = shown.locator("details.verdict:not([open]) .reasoning").first
        assert closed.bounding_box()["height"] > 50


def test_hostile_names_stay_text_in_charts(desk):
    plot = desk.locator("#other .plot")
    plot.scroll_into_view_if_needed()
    plot.hover()
    assert samples.HOSTILE in plot.locator(".tip").inner_text()
    assert samples.HOSTILE in desk.locator("#other .legend").inner_text()


def test_the_policy_lets_no_other_script_in(browser, page, tmp_path):
    altered = tmp_path / "index.html"
    altered.write_text(page.read_text().replace("</main>", "</main><script>document.title = 'taken'</script>"))
    with pytest.raises(AssertionError, match="Content Security Policy"), chromium.opened(browser, altered) as shown:
        assert shown.title() == "Earnshaw: report"
