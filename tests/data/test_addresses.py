"""Where data are published, and that nobody needs a mirror of ours."""

import csv
from pathlib import Path

from icml2008.data.prospects import addresses
from icml2008.data.registry import registry

URLS = Path(__file__).parents[2] / "docs/data-urls.csv"


def test_every_data_set_can_be_had_from_the_public_or_says_what_it_was_made_from():
    committed = list(csv.DictReader(URLS.read_text("utf-8").splitlines()))
    today = addresses()
    assert committed == today, "run: icml2008 data urls --format csv > docs/data-urls.csv"
    files = {name for entry in registry().datasets.values() for name in entry.files}
    assert {row["file"] for row in today} == files
    asked = addresses(lambda url: None if url.endswith(".mat") else "it is gone")
    assert {row["tried"] for row in asked} == {"answers", "it is gone"}
