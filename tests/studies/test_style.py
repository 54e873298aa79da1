import base64
import subprocess
import sys

import matplotlib
from matplotlib.text import Text

from earnshaw.studies import style


def test_the_style_ends_with_its_block():
    before = dict(matplotlib.rcParams)
    with style.paper():
        assert matplotlib.rcParams["axes.labelsize"] == 8
        assert matplotlib.rcParams["svg.fonttype"] == "path"
    assert dict(matplotlib.rcParams) == before


def test_figures_are_drawn_without_pyplot():
    code = "import sys; from earnshaw.studies import style; style.subplots(); print('matplotlib.pyplot' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def test_neighbouring_colours_differ_in_lightness_or_hue_for_every_kind_of_sight():
    with style.paper():
        colours = [entry["color"] for entry in matplotlib.rcParams["axes.prop_cycle"]]
    # Machado et al. (2009): what full deuteranopia and protanopia leave of linear RGB.
    for sight in (
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    ):
        seen = [[sum(w * c for w, c in zip(row, _linear(colour), strict=True)) for row in sight] for colour in colours]
        distances = [
            sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
            for place, one in enumerate(seen)
            for other in seen[:place]
        ]
        assert min(distances) > 0.05


def _linear(colour):
    return [((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]


def test_text_is_legible_when_a_figure_is_set_in_a_narrow_column():
    figure, axes = style.subplots()
    axes.plot([1, 2, 3], label="a")
    axes.set(xlabel="x", ylabel="y", title="title")
    axes.legend()
    figure.draw_without_rendering()
    shown = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    assert len(shown) > 8
    scale = 3.3 / figure.get_size_inches()[0]
    assert min(text.get_fontsize() for text in shown) * scale >= 6


def test_a_figure_shows_itself_in_a_notebook():
    figure, axes = style.subplots()
    axes.set_title("</img><script>alert(1)</script>")
    shown = figure._repr_html_()
    assert "<script" not in shown
    start = 'src="data:image/svg+xml;base64,'
    drawn = base64.b64decode(shown[shown.index(start) + len(start) :].split('"')[0])
    assert b"<svg" in drawn
    assert shown == figure._repr_html_()
