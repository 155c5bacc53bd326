"""``icml2008 agreement``: two hands side by side."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

import icml2008.papers
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.cli import app
from icml2008.errors import Icml2008Error
from icml2008.judge.verdict import Verdict
from icml2008.store import Shelf

KEY = "doe2008hands"
PAPER = f"""\
key: {KEY}
title: A Toy
authors: [Jane Doe]
pages: [1, 8]
topic: evaluation
idea: It plays.
metrics: {{accuracy: {{unit: percent, bounds: [0, 100], better: higher}}}}
experiments:
  play: {{feeds: [Table 1], protocol: It is played., resampling: {{kind: fresh}}}}
claims:
  a-beats-b:
    says: A beats B.
    status: headline
    page: 3
    quote: A beats B
    statistic: {{difference: [A, B], metric: accuracy, experiment: play}}
    above: "0"
"""
SECOND = """\
limits: [One thread.]
sentences:
  a-better:
    says: A is better than B.
    quote: A beats B
    page: 3
    measured: [{what: lead, value: "-1.5", se: "0.2", claim: a-beats-b}]
    verdict: fails
    claims: {a-beats-b: confirmed}
    cause: reading
    answer: Ties are a choice now.
"""


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Return a function that asks about a paper with a second hand and a verdict."""
    monkeypatch.setattr(icml2008.papers, "__path__", [str(tmp_path)])
    library._folders.cache_clear()
    folder = tmp_path / KEY
    folder.mkdir()
    (folder / "paper.yaml").write_text(PAPER)
    (folder / "second.yaml").write_text(SECOND)
    about = {"says": "A beats B.", "page": 3, "experiment": "play", "comparison": "above"}
    about |= {"statistic": "lead", "metric": "accuracy", "unit": "percent"}
    verdict = Verdict(
        KEY, "a-beats-b", "", verdict="refuted", reason="So.", effect=-1.0, se=0.1, **about
    )
    Shelf(tmp_path / "full", Entry(KEY)).write_verdicts([verdict.to_json()])

    def run(*arguments):
        given = ["agreement", *arguments, "--results", str(tmp_path / "full")]
        return CliRunner().invoke(app, given, catch_exceptions=False).stdout

    yield run
    library._folders.cache_clear()


def test_the_table_has_then_and_now_causes_numbers_and_answers(ask):
    text = ask(KEY)
    assert "0 of 1" in text
    assert "1 of 1" in text
    assert "another reading of what the text leaves open" in text
    assert "a-beats-b: -1.5 and ours -1, 2.2 standard errors apart" in text
    assert "reading: Ties are a choice now." in text


def test_other_formats_have_the_same_for_programs(ask):
    (row,) = csv.DictReader(io.StringIO(ask("--format", "csv")))
    assert (row["theirs"], row["first"], row["now"]) == ("fails", "holds", "fails")
    summary = json.loads(ask(KEY, "--format", "json"))
    assert (summary["all"]["first"]["agree"], summary["all"]["now"]["agree"]) == (0, 1)


def test_a_paper_without_a_second_hand_is_named(ask):
    (library.folder(KEY) / "second.yaml").unlink()
    with pytest.raises(Icml2008Error, match=f"no second hand on {KEY} yet"):
        ask(KEY)
    with pytest.raises(Icml2008Error, match=f"did you mean '{KEY}'"):
        ask("doe2008hand")
