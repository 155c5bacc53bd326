"""A comparison says where it was made and what came of it; committed ones are counted."""

import copy
import json

import pytest

from icml2008 import forms
from icml2008.catalogue.entry import Entry
from icml2008.run.reference.check import _hashes, compare_folders, comparison
from icml2008.run.reference.reruns import read_reruns, summary
from icml2008.store import REFERENCE, Shelf

KEY = "vovk2008brier"


@pytest.fixture(scope="module")
def same():
    """Return the comparison of a paper's reference with itself."""
    shelf = Shelf.of_reference(Entry(KEY))
    return comparison({shelf.entry: compare_folders(shelf, shelf)}, REFERENCE, REFERENCE)


@pytest.fixture
def hand_in(tmp_path):
    def write(name, content):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
        return tmp_path

    return write


def test_a_comparison_carries_machine_arithmetic_versions_hashes_and_grades(same):
    forms.hold(forms.Comparison, json.loads(json.dumps(same)), "comparison")
    (paper,) = same["papers"]
    assert (same["grade"], paper["grade"]) == ("same", "same")
    assert {"python", "numpy", "numba"} <= same["machine"]["versions"].keys()
    assert same["machine"]["arithmetic"]["libm"]
    assert paper["computed_by"]["old"]["blas"]
    hashes = paper["hashes"]
    assert hashes["old"] == hashes["new"]
    assert all(len(digest) == 64 for digest in hashes["old"].values())
    assert paper["compared"] > sum(paper["means"].values()) == paper["means"]["equal"]


def test_another_number_is_another_hash_of_its_experiment_alone():
    old = Shelf.of_reference(Entry(KEY)).records()
    new = copy.deepcopy(old)
    name = next(name for name, universe in new if universe == "default")
    line = next(record for record in new[name, "default"] if record.get("value"))
    line["value"] *= 1 + 1e-15
    hashes = _hashes(old, new)
    differ = {
        experiment
        for experiment in hashes["old"]
        if hashes["old"][experiment] != hashes["new"][experiment]
    }
    assert differ == {name}


def test_what_was_handed_in_is_counted(same, hand_in):
    folder = hand_in("zen", same)
    totals = summary(folder)
    assert (totals["papers"], totals["same"], totals["wrong"]) == (1, 1, 0)
    (row,) = totals["rows"]
    assert (row["name"], row["grades"], row["outdated"]) == ("zen", {"same": 1}, 0)
    worse = copy.deepcopy(same)
    worse["papers"][0] |= {"grade": "moved"}
    totals = summary(hand_in("arm", worse))
    assert (totals["papers"], totals["same"], totals["wrong"]) == (1, 0, 1)


def test_a_run_against_older_evidence_counts_nowhere(same, hand_in):
    older = copy.deepcopy(same)
    older["papers"][0]["evidence"] = "0" * 16
    totals = summary(hand_in("old", older))
    assert totals["papers"] == 0
    assert totals["rows"][0]["outdated"] == 1


def test_what_is_no_comparison_with_the_evidence_is_named(same, hand_in):
    other = copy.deepcopy(same)
    other["papers"][0]["evidence"] = None
    with pytest.raises(forms.BrokenFile, match="a.json: vovk2008brier was not compared with"):
        read_reruns(hand_in("a", other))
    with pytest.raises(forms.BrokenFile, match=r"a.json: machine: Field required"):
        read_reruns(hand_in("a", {k: v for k, v in same.items() if k != "machine"}))
