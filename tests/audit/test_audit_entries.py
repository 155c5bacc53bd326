"""The audit of the catalogue: entries that are read, errata that are checked, known findings."""

import ast
from pathlib import Path

import pytest

from icml2008.audit import auditing as run
from icml2008.audit.findings import CERTAINTIES
from icml2008.audit.numbers import AuditError
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry

ROOT = Path(__file__).parents[2]
KNOWN = {
    ("bickel2008hiv", "virus-load-653"): "impossible",
    ("bickel2008hiv", "virus-load-652"): "consistent",
    ("bickel2008hiv", "multi-condition-403"): "consistent",
    ("chen2008indefinite", "accuracy-usps"): "impossible",
    ("chen2008indefinite", "accuracy-sonar"): "consistent",
    ("chen2008indefinite", "accuracy-diabetes"): "consistent",
    ("cunningham2008intensity", "speed-up-4"): "consistent",
    ("dick2008infinite", "wii-outperforms"): "consistent",
    ("hsieh2008dual", "fastest-l2"): "consistent",
    ("su2008dfe", "counting-fastest"): "impossible",
    ("syed2008apprenticeship", "dual-slowest"): "overstated",
    ("roth2008grouplasso", "groups-7"): "unlikely",
    ("chen2008indefinite", "eigenvalues-heart"): "impossible",
    ("wang2008ppmm", "accuracy-images"): "unlikely",
    ("yaman2008lexicographic", "models-nine"): "impossible",
    ("yaman2008lexicographic", "models-333"): "consistent",
    ("yaman2008lexicographic", "models-3222"): "impossible",
    ("sriperumbudur2008kcr", "iris-test"): "impossible",
    ("zhang2008nystrom", "significance-2-3"): "overstated",
    ("diuk2008objectoriented", "ratio-factored-time"): "consistent",
}


@pytest.fixture(scope="module")
def findings():
    """Return what was found in the whole catalogue, by paper and name."""
    return {(finding.paper, finding.name): finding for finding in run.audit()}


@pytest.mark.parametrize(("at", "certainty"), KNOWN.items(), ids=lambda x: "/".join(x))
def test_known_findings_are_found(findings, at, certainty):
    assert findings[at].certainty == certainty


def test_findings_are_sorted_by_certainty():
    order = [
        CERTAINTIES.index(finding.certainty) for finding in run.audit([Entry("bickel2008hiv")])
    ]
    assert order == sorted(order)


def test_every_finding_shows_its_arithmetic(findings):
    assert all(any(c.isdigit() for c in finding.evidence) or finding.rule in ("RANK", "BEST")
               for finding in findings.values())  # fmt: skip


def test_what_is_overstated_is_quoted(findings):
    overstated = [finding for finding in findings.values() if finding.certainty == "overstated"]
    assert all('The text: "' in finding.evidence for finding in overstated)


@pytest.mark.parametrize("key", library.paper_keys())
def test_what_checks_an_erratum_is_there(key):
    certainty = {finding.name: finding.certainty for finding in run.audit([Entry(key)])}
    for checked_by in filter(
        None, (erratum.checked_by for erratum in library.load_paper(key).errata)
    ):
        if checked_by.startswith("audit."):
            assert certainty[checked_by.removeprefix("audit.")] != "consistent", checked_by
            continue
        path, _, name = checked_by.rpartition("::")
        files = [ROOT / path] if path else library.folder(key).glob("test_*.py")
        tests = [
            statement for file in files for statement in ast.parse(file.read_text("utf-8")).body
        ]
        names = [test.name for test in tests if isinstance(test, ast.FunctionDef)]
        assert names.count(name) == 1, checked_by


def test_an_unknown_rule_is_named_with_the_nearest(monkeypatch):
    about = {"where": "Table 1", "numbers": {"a": "1"}, "n": {"b": 2}}
    read_with(monkeypatch, {"x": {"rule": "GRIMM", **about}})
    with pytest.raises(AuditError, match=r"audit.x: no rule 'GRIMM'; did you mean 'GRIM"):
        run.declarations(Entry("bickel2008hiv"))


def test_a_wrong_key_is_named_with_its_place(monkeypatch):
    read_with(
        monkeypatch, {"x": {"rule": "GRIM", "where": "T", "numbers": {"a": 1}, "n": {"b": 2}}}
    )
    with pytest.raises(AuditError, match=r"bickel2008hiv: audit.x.numbers.a: "):
        run.declarations(Entry("bickel2008hiv"))


def read_with(monkeypatch, entries):
    paper = library.load_paper("bickel2008hiv").model_copy(update={"audit": entries})
    monkeypatch.setattr(library, "load_paper", lambda key: paper)
