"""A verdict that can be cited: its hash, ClaimReview and nanopublication."""

import hashlib
import json
import re

import pytest

from icml2008.report.citable import IN_WORDS, SITE, citables
from icml2008.report.pages.claim import claim_pages
from icml2008.report.pages.lines import claim_rows
from icml2008.report.results import PaperResults

KEY = "doe2008toy"
RECORDS = {"main": "ab" * 32}
BEATS = f"{SITE}{KEY}/a-beats-b"


# rdflib's own reader of TriG calls what rdflib itself gives up.
reads_trig = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def dated(both):
    provenance = {"date": "2026-01-02", "kept": {"main": "2026-01-01"}}
    return PaperResults(both.paper, [], both.reference, provenance)


@pytest.fixture
def beats(dated):
    return citables(dated, RECORDS)["a-beats-b"]


def test_the_hash_is_that_of_the_content(beats):
    assert beats.hash == hashlib.sha256(beats.content.encode()).hexdigest()
    assert json.loads(beats.content)["records"] == RECORDS["main"]


def test_the_hash_is_the_same_whatever_order_verdicts_come_in(dated, beats):
    turned = PaperResults(dated.paper, [], dated.reference[::-1])
    assert citables(turned, RECORDS)["a-beats-b"].hash == beats.hash


@pytest.mark.parametrize("what", ["says", "verdict", "records", "universe"])
def test_the_hash_changes_with_claim_verdicts_and_measurements(dated, beats, what):
    records = {"main": "cd" * 32} if what == "records" else RECORDS
    rows = [dict(row) for row in dated.reference]
    if what == "universe":
        rows.pop([row["universe"] for row in rows].index("ties=random"))
    elif what != "records":
        rows[0][what] = "refuted"
    changed = citables(PaperResults(dated.paper, [], rows), records)["a-beats-b"]
    assert changed.hash != beats.hash


def test_bibtex_has_address_day_and_hash(beats):
    entry = beats.bibtex()
    assert f"url = {{{BEATS}.html}}" in entry
    assert f"sha256:{beats.hash}" in entry
    assert "year = {2026}" in entry
    assert "A is better than B \\& <i>never" in entry


# What schema.org and its readers ask of a claim review.
ASKED = {
    "ClaimReview": {"url", "claimReviewed", "author", "itemReviewed", "reviewRating"},
    "Claim": {"text", "author"},
    "Rating": {"alternateName", "ratingExplanation"},
    "ScholarlyArticle": {"name", "author", "datePublished", "isPartOf"},
    "PublicationVolume": {"name"},
    "Person": {"name"},
    "Organization": {"name", "url"},
}


def objects(content):
    """Yield the objects within JSON."""
    if isinstance(content, list):
        for item in content:
            yield from objects(item)
    elif isinstance(content, dict):
        yield content
        for value in content.values():
            yield from objects(value)


def test_a_claims_page_holds_its_claim_review(dated):
    pages = {
        page.path: page.render()
        for page in claim_pages(dated, claim_rows(dated), RECORDS, health={"line": ""}, whole=True)
    }
    script = r'<script type="?application/ld\+json"?>([^<>&]*)</script>'
    (text,) = re.findall(script, pages[f"{KEY}/a-beats-b.html"])
    review = json.loads(text)
    for item in objects(review):
        assert ASKED[item["@type"]] <= item.keys()
    assert review["claimReviewed"] == "A is better than B & <i>never</i> worse."
    assert review["url"] == f"{BEATS}.html"
    assert review["datePublished"] == "2026-01-01"
    assert review["reviewRating"]["alternateName"] == "inconclusive"
    assert [person["name"] for person in review["itemReviewed"]["author"]] == dated.paper.authors
    assert "ld+json" not in pages[f"{KEY}/on-a-cluster.html"]


def test_a_claim_of_ours_is_not_put_into_the_authors_mouths(dated):
    rows = [row | {"status": "ours"} for row in dated.reference]
    ours = citables(PaperResults(dated.paper, [], rows), RECORDS)["a-beats-b"]
    claim = json.loads(ours.claim_review())["itemReviewed"]
    assert claim["author"]["@type"] == "Organization"
    assert not {"appearance", "citation"} & claim.keys()
    assert "schema:appearance" not in ours.nanopublication()


def test_a_claim_that_is_not_judged_is_no_review(dated, verdict):
    row = verdict("on-a-cluster", word="untested")
    results = PaperResults(dated.paper, [], [*dated.reference, row])
    committed = citables(results, RECORDS)
    assert [name for name, citable in committed.items() if not citable.judged] == ["on-a-cluster"]
    assert set(IN_WORDS) == {"confirmed", "depends", "refuted", "inconclusive"}


@reads_trig
def test_the_nanopublication_is_four_graphs_that_are_linked(beats):
    rdflib = pytest.importorskip("rdflib")
    dataset = rdflib.Dataset()
    dataset.parse(data=beats.nanopublication(), format="trig")
    this = rdflib.URIRef(f"{BEATS}.trig")
    vocabulary = rdflib.Namespace("http://www.nanopub.org/nschema#")
    schema = rdflib.Namespace("https://schema.org/")
    head = dataset.graph(rdflib.URIRef(f"{this}#head"))
    assert (this, rdflib.RDF.type, vocabulary.Nanopublication) in head
    links = ("hasAssertion", "hasProvenance", "hasPublicationInfo")
    graphs = [dataset.graph(head.value(this, vocabulary[link])) for link in links]
    assertion, provenance, publication = graphs
    assert all(len(graph) for graph in graphs)
    claim = rdflib.URIRef(f"{BEATS}.html#a-beats-b")
    words = rdflib.Literal("A is better than B & <i>never</i> worse.")
    assert (claim, schema.text, words) in assertion
    (review,) = assertion.subjects(schema.itemReviewed, claim)
    rating = assertion.value(review, schema.reviewRating)
    assert str(assertion.value(rating, schema.alternateName)) == "inconclusive"
    identifiers = [str(text) for text in provenance.objects(None, rdflib.DCTERMS.identifier)]
    assert identifiers == [f"sha256:{RECORDS['main']}"]
    day = publication.value(this, rdflib.DCTERMS.created)
    assert day.toPython().isoformat() == "2026-01-01"
    assert str(publication.value(this, rdflib.DCTERMS.identifier)) == f"sha256:{beats.hash}"


@reads_trig
@pytest.mark.parametrize(
    "text", ['a "b" \\ c', "line\nbreak\ttab", "Grünwald \u2028 \x7f", "</script>"]
)
def test_any_text_is_read_back_from_a_nanopublication(dated, text):
    rdflib = pytest.importorskip("rdflib")
    rows = [row | {"says": text} for row in dated.reference]
    strange = citables(PaperResults(dated.paper, [], rows), RECORDS)["a-beats-b"]
    dataset = rdflib.Dataset()
    dataset.parse(data=strange.nanopublication(), format="trig")
    texts = [str(o) for _, p, o, _ in dataset.quads() if str(p) == "https://schema.org/text"]
    assert texts == [text]
    assert json.loads(strange.claim_review())["claimReviewed"] == text
