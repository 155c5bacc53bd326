"""The published schemas are those of today, and what is committed fits them."""

import json
from datetime import date
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.site.schemas import FOLDER, schemas
from icml2008.store import Shelf, read_text

ROOT = Path(__file__).parents[2]
SCHEMAS = schemas()
NAMES = {name.partition("-")[0]: name for name in SCHEMAS}


def valid(kind, value):
    return Draft202012Validator(SCHEMAS[NAMES[kind]]).is_valid(value)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_committed_schema_is_that_of_today(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    committed = (ROOT / FOLDER / f"{name}.json").read_text("utf-8")
    assert json.loads(committed) == SCHEMAS[name], "run: icml2008 schemas"


def test_no_schema_of_another_version_is_left():
    assert {path.stem for path in (ROOT / FOLDER).glob("*.json")} == SCHEMAS.keys()


def plain(value):
    """Return YAML as JSON has it: dates as text."""
    if isinstance(value, dict):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value.isoformat() if isinstance(value, date) else value


def test_papers_fit_and_an_unknown_key_does_not():
    for key in ("vovk2008brier", "dasgupta2008hierarchical", "adams2008product"):
        paper = plain(yaml.safe_load((library.folder(key) / "paper.yaml").read_text("utf-8")))
        assert valid("paper", paper)
        assert not valid("paper", paper | {"titel": "x"})


def test_second_hands_fit_and_an_unknown_key_does_not():
    files = [path for key in library.paper_keys() for path in library.folder(key).glob("second*")]
    for path in files:
        hand = yaml.safe_load(path.read_text("utf-8"))
        assert valid("second", hand)
        assert not valid("second", hand | {"limit": "x"})


def test_records_and_verdicts_fit_and_a_number_in_quotes_does_not():
    file = Shelf.of_reference(Entry("vovk2008brier")).packed_file("game")
    lines = [json.loads(line) for line in read_text(file).splitlines()[:50]]
    assert all(valid("record", line) for line in lines)
    assert not valid("record", lines[1] | {"value": "0.5"})
    rows = Shelf.of_reference(Entry("vovk2008brier")).rows()[:20]
    assert valid("verdicts", rows)
    assert not valid("verdicts", [rows[0] | {"effect": "0.5"}])
