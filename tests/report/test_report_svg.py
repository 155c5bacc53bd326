"""A compacted figure shows what the figure shows, at the same places."""

import io
import re
import xml.etree.ElementTree as ET
from itertools import accumulate

import numpy as np
import pytest
from matplotlib.figure import Figure

from icml2008.report.style import house_style
from icml2008.report.svg import compact

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


@pytest.fixture
def saved():
    """Return a function from one that draws on axes to the figure's SVG as Matplotlib writes it."""

    def save(draw):
        out = io.StringIO()
        with house_style():
            figure = Figure(figsize=(2, 2))
            draw(figure.add_axes((0.2, 0.2, 0.7, 0.7)))
            figure.savefig(out, format="svg", metadata={"Date": None})
        return out.getvalue()

    return save


def elements(svg, name):
    return list(ET.fromstring(svg).iter(f"{SVG}{name}"))


def points(path):
    """Return the absolute points of a path of moves and lines, as compacted ones are written."""
    assert re.fullmatch(r"[-.\dml ]+", path.get("d"))
    steps = [float(text) for text in re.findall(r"-?(?:\d*\.)?\d+", path.get("d"))]
    return np.column_stack([list(accumulate(steps[axis::2])) for axis in (0, 1)])


def uses(svg):
    return [use for use in elements(svg, "use") if use.get("x")]


def places(svg):
    return np.array([[float(use.get(axis)) for axis in "xy"] for use in uses(svg)])


def test_a_cloud_of_dots_is_a_path_with_a_marker_at_each_place(saved):
    X = np.random.default_rng(0).normal(size=(50, 2))
    svg = saved(lambda axes: axes.plot(*X.T, "o", color="#59636e", alpha=0.5, clip_on=False))
    clouds = [p for p in elements(compact(svg), "path") if "marker:url" in p.get("style", "")]
    (cloud,) = [path for path in clouds if len(points(path)) == 50]
    dots = places(svg)[["fill-opacity" in use.get("style") for use in uses(svg)]]
    np.testing.assert_allclose(points(cloud), dots, atol=0.0051)
    name = re.search(r"url\(#(\w+)\)", cloud.get("style"))[1]
    (marker,) = [
        element for element in elements(compact(svg), "marker") if element.get("id") == name
    ]
    assert "fill:#59636e" in marker.get("style")
    assert "fill-opacity:0.5" in marker.get("style")


def test_dots_of_several_colours_keep_their_order_and_colours(saved):
    colours = ["#b42318", "#1a7f37", "#b42318", "#0b5cad"]
    svg = saved(lambda axes: axes.scatter(range(4), range(4), c=colours))
    seen = [style for style in re.findall(r"fill:(#\w+)", compact(svg)) if style in colours]
    assert seen == colours


def test_lines_drawn_alike_are_one_path_and_lie_where_they_lay(saved):
    def draw(axes):
        for y in range(3):
            axes.plot([0, 1], [y, y / 2], color="#b42318")

    svg = saved(draw)
    before = [p for p in elements(svg, "path") if "#b42318" in p.get("style", "")]
    (after,) = [p for p in elements(compact(svg), "path") if "#b42318" in p.get("style", "")]
    lay = [float(text) for path in before for text in re.findall(r"-?[\d.]+", path.get("d"))]
    np.testing.assert_allclose(points(after).ravel(), lay, atol=0.0051)


def test_lines_that_let_others_shine_through_stay_apart(saved):
    svg = saved(lambda axes: [axes.plot([0, 1], [0, 1], color="#b42318", alpha=0.5) for _ in "ab"])
    group = next(g for g in elements(compact(svg), "g") if "opacity" in g.get("style", ""))
    assert [element.tag for element in group] == [f"{SVG}path"] * 2


def test_texts_stand_as_they_are(saved):
    texts = ["a < b > c & d", "  two  spaces", "α ± 1"]

    def draw(axes):
        for y, text in enumerate(texts):
            axes.text(0, y / 4, text)

    svg = saved(draw)
    contents = [
        [element.text.strip() for element in elements(s, "text")] for s in (svg, compact(svg))
    ]
    assert sorted(contents[0]) == sorted(contents[1])
    assert {text.strip() for text in texts} <= set(contents[1])


def test_what_is_clipped_stays_clipped(saved):
    svg = compact(saved(lambda axes: (axes.plot([0, 9], [0, 9], "o-"), axes.set_xlim(0, 1))))
    assert elements(svg, "clipPath")
    names = set(re.findall(r"clip-path=\"url\(#(\w+)\)", svg))
    assert names == {element.get("id") for element in elements(svg, "clipPath")}


def test_images_are_kept(saved):
    svg = saved(lambda axes: axes.imshow(np.eye(3)))
    (before,), (after,) = (elements(text, "image") for text in (svg, compact(svg)))
    assert after.get(HREF) == before.get(HREF)
    assert after.get("transform") == before.get("transform")


def test_every_name_that_is_used_is_there_once(saved):
    svg = compact(saved(lambda axes: axes.plot(range(9), range(9), "o-")))
    named = [element.get("id") for element in ET.fromstring(svg).iter() if element.get("id")]
    assert len(named) == len(set(named))
    assert set(re.findall(r'(?:href="#|url\(#)(\w+)', svg)) <= set(named)


def test_it_has_less_than_half_of_the_bytes(saved):
    svg = saved(lambda axes: axes.plot(range(99), range(99), "o"))
    assert len(compact(svg)) < len(svg) / 2
    assert compact(svg) == compact(svg)
