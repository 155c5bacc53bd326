"""Commands about the catalogue: papers, show, cite, claims, size, audit."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from icml2008.catalogue.library import load_paper
from icml2008.cli import app
from icml2008.errors import Icml2008Error


def run(*arguments):
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_papers_are_filtered_by_topic_and_state():
    rows = json.loads(run("papers", "--topic", "kernels", "--state", "planned", "--format", "json"))
    assert "kondor2008skew" in {row["key"] for row in rows}
    assert {(row["topic"], row["state"]) for row in rows} == {("kernels", "planned")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["papers", "--topic", "kernel"], "did you mean 'kernels'"),
        (["papers", "--state", "plannd"], "did you mean 'planned'"),
        (["claims", "--kind", "ordr"], "did you mean 'order'"),
        (["cite", "zhang2008nystroem"], "did you mean 'zhang2008nystrom'"),
        (["cite", "zhang2008nystrom/kmeans-second"], "did you mean 'kmeans-second-to-svd'"),
        (["cite", "zhang2008nystrom", "--content"], "as zhang2008nystrom/CLAIM"),
        (["audit", "zhang2008nystroem"], "did you mean 'zhang2008nystrom'"),
        (["size", "parr2008liner"], "did you mean 'parr2008linear'"),
        (["size", "kondor2008skew"], "kondor2008skew is planned"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest(arguments, message):
    with pytest.raises(Icml2008Error, match=message):
        run(*arguments)


def test_a_citation_has_pages_and_venue():
    text = run("cite", "zhang2008nystrom", "lashkari2007convex")
    assert "pages = {1232--1239}" in text
    assert text.count("@inproceedings{") == 2
    assert "Advances in Neural Information Processing Systems 20" in text


def test_a_verdict_is_cited_by_the_hash_of_what_it_rests_on():
    claim = "zhang2008nystrom/kmeans-second-to-svd"
    content = run("cite", claim, "--content")
    assert f"sha256:{hashlib.sha256(content.encode()).hexdigest()}" in run("cite", claim)
    assert {row["claim"] for row in json.loads(content)["verdicts"]} == {"kmeans-second-to-svd"}


def test_claims_are_found_without_accents():
    rows = json.loads(run("claims", "--text", "nystrom", "--format", "json"))
    assert ("zhang2008nystrom", "kmeans-second-to-svd") in {(r["paper"], r["claim"]) for r in rows}


def test_listed_claims_are_filtered_by_kind():
    rows = json.loads(run("claims", "--kind", "order", "--format", "json"))
    assert {row["kind"] for row in rows} == {"order"}


def test_a_planned_paper_shows_listed_claims_data_and_gaps():
    text = run("show", "seeger2008experimental", "--all")
    for part in ("sbl-varies", "25 grey test images", "stopping tolerance of EP", "initial 16785"):
        assert part in text
    assert "snakemake" not in text


def test_a_rerun_paper_shows_quotes_notes_and_departures():
    text = run("show", "bergeron2008mirank", "--all")
    assert '"The method outperforms multiple instance classification models' in text
    assert "note        Not a claim of the paper, which prints four of the combinations" in text
    departures = text.partition("\nDepartures:\n")[2].partition("\n\n")[0]
    assert "claim objective-never-increases, 2026-11-22: nothing -> Algorithm 1's" in departures


def test_stored_verdicts_say_what_their_claims_say_of_themselves_today():
    rows = json.loads(run("verdicts", "bergeron2008mirank", "--format", "json"))
    claims = load_paper("bergeron2008mirank").claims
    assert {row["status"] for row in rows} == {"headline", "supporting", "ours", "stand_in"}
    for row in rows:
        claim = claims[row["claim"]]
        assert (row["page"], row["quote"], row["note"]) == (claim.page, claim.quote, claim.note)


def test_audit_lists_findings_with_their_evidence():
    rows = json.loads(run("audit", "bickel2008hiv", "--format", "json"))
    assert {"paper", "rule", "certainty", "where", "evidence"} <= rows[0].keys()
    assert rows[0]["certainty"] == "impossible"
    assert "443/653" in rows[0]["evidence"]


def test_a_paper_without_declared_numbers_says_so():
    assert "No printed numbers" in run("audit", "lashkari2007convex")


def test_coverage_counts_every_paper_and_each_of_its_own_claims_once():
    *topics, total, beside = json.loads(run("papers", "--coverage", "--format", "json"))
    assert (total["topic"], beside["topic"]) == ("all", "beside the proceedings")
    assert total["papers"] + beside["papers"] == len(json.loads(run("papers", "--format", "json")))
    for column in total.keys() - {"topic"}:
        assert total[column] == sum(row[column] for row in topics)
    assert total["claims"] == total["judged"] + total["untested"] + total["listed"]
    (row,) = json.loads(run("papers", "--coverage", "--topic", "multi-task", "--format", "json"))[
        :1
    ]
    assert (row["ours"], row["stand-in"]) == (7, 4)


def test_size_says_what_a_paper_takes_and_marks_what_exceeds_its_budget():
    (row,) = json.loads(run("size", "long2008random", "--format", "json"))
    assert row["over"] == sorted(row["over"])
    assert "quick_s" in row["over"]
    assert row["lines"] == row["yaml"] + row["code"] + row["tests"] + row["shared"]
    assert row["beyond"] == row["lines"] - 150 - 45 * row["claims"]
    table = run("size", "long2008random")
    assert f"{row['quick_s']}!" in table
    assert [line.split()[0] for line in table.splitlines()] == [
        *("key", "long2008random", "lines:", "furthest")
    ]
    assert run("size", "long2008random", "--format", "csv").startswith("key,smoke,smoke_s,quick,")
