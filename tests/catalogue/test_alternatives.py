"""What the alternatives of choices change, by the committed records."""

import json
from pathlib import Path

import pytest

from icml2008 import store
from icml2008.catalogue.entry import Entry
from icml2008.store import Shelf

REFERENCE = Path(__file__).parents[2] / store.REFERENCE
KEYS = sorted(folder.name for folder in REFERENCE.iterdir() if folder.is_dir())

# Other ways that come to the same records, each with its reason.
ALIKE = {
    "bryan2008composite": {"gaussian-scale=chi-square": "function and threshold double together"},
    "dekel2008missing": {"svm-cost=100": "no example is inside the margin at a cost of 1"},
    "diuk2008objectoriented": {"rules=proved": "with k = 1 both rules learn alike in the taxi"},
    "liang2008asymptotic": {"reading=features": "either misprint gives the text's two variances"},
}


def outcomes(lines):
    """Return what was recorded, as text, by what it is a record of."""
    whole = {}
    for line in lines[1:]:  # the first says whose lines they are
        about = {name: line.get(name) for name in ("cell", "repeat", "kind", "method", "metric")}
        whole[json.dumps(about, sort_keys=True)] = json.dumps(line, sort_keys=True)
    return whole


@pytest.mark.parametrize("key", KEYS)
def test_an_alternative_changes_records_of_what_its_choice_touches_and_of_nothing_else(key):
    entry = Entry(key)
    records = Shelf(REFERENCE, entry).records()
    idle = set()
    beyond = set()
    for name, choice in entry.choices.items():
        for value in choice.alternatives:
            universe = f"{name}={value}"
            ran = {experiment for experiment, under in records if under == universe}
            beyond |= {f"{universe} in {experiment}" for experiment in ran - set(choice.touches)}
            changed = False
            for experiment in ran:
                default = outcomes(records[experiment, "default"])
                other = outcomes(records[experiment, universe])
                changed |= any(other[about] != default.get(about) for about in other)
            if not changed:
                idle.add(universe)
    assert not beyond
    assert idle == set(ALIKE.get(key, {}))
