"""Pictures follow the reader's colours."""

import re

from icml2008.report.pages.assets import texts
from icml2008.report.pages.pictures import _DARK, standing_alone
from icml2008.report.style import CSS_NAMES


def test_an_image_has_the_colours_of_the_style_sheet_in_light_and_in_dark():
    light, dark = re.findall(r":root \{(.*?)\}", texts()["site.css"], re.DOTALL)[:2]
    for colours, sheet in ((dict(map(reversed, CSS_NAMES.items())), light), (_DARK, dark)):
        known = dict(re.findall(r"--(\w+): (#\w+);", sheet))
        assert {name: known[name] for name in colours} == colours


def test_an_image_is_left_without_a_colour_of_its_own():
    svg = standing_alone('<svg viewBox="0 0 2 2"><path style="fill:#1f2328"/></svg>')
    assert '<path style="fill:var(--ink)"/>' in svg
    assert svg.index("<style>") < svg.index("<path")
