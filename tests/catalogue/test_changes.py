"""A claim that is judged in another way than in the first evidence has its entry in ``changes``."""

import json
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.model import unexplained

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
JUDGED = sorted(path.parent.name for path in REFERENCE.glob("*/verdicts.json"))


def test_there_is_evidence():
    assert JUDGED


@pytest.mark.parametrize("key", JUDGED)
def test_every_change_since_the_first_evidence_is_explained(key):
    first = json.loads((REFERENCE / key / "claims.json").read_text())
    changed = unexplained(library.load_paper(key), first)
    assert changed == {}, "say so in `changes` of paper.yaml, with these hashes as `judged`"
