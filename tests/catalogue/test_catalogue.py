"""The catalogue: the papers of the proceedings, and what is said of each."""

import re
import unicodedata
from itertools import pairwise

import pytest
import yaml

from icml2008.catalogue import library
from icml2008.catalogue.citing import bibtex
from icml2008.catalogue.model import ICML_2008, Head, read_head
from icml2008.judge.printed import PrintedError, parse
from icml2008.judge.standing import leaves

KEYS = library.paper_keys()
PROCEEDINGS = [key for key in KEYS if library.load_head(key).venue == ICML_2008]
PLANNED = [key for key in KEYS if library.state(key) != "re-run"]

TOPICS = {
    *("kernels", "svm", "gaussian-processes", "bayesian-nonparametric", "deep-learning"),
    *("multi-instance", "multi-task", "semi-supervised", "active-learning", "clustering"),
    *("dimensionality-reduction", "matrix-factorization", "ranking", "reinforcement-learning"),
    *("bandits-and-online", "graphical-models", "structured-prediction", "sparsity"),
    *("density-and-mixtures", "causality-and-ica", "relational", "boosting-and-ensembles"),
    *("evaluation", "missing-and-noisy-data", "retrieval-and-neighbours", "applications"),
}

# What stands in a table or theorem in place of a number.
NAMES = {
    *("RF", "PPV", "none", "hybrid", "sampled", "BSTDT", "Ht-from", "Ht-to", "Ct"),
    *("spain", "italy", "russia", "poland", "england"),
}
FORMULAS = {
    *("(1+2g)^2/(1-g)^2", "1/(1-g^2)", "1/(2 sigma^2)", "1/sigma^2"),
    *("a little more than 1",),
}


def is_number(text):
    try:
        parse(text)
    except PrintedError:
        return False
    return True


def test_the_proceedings_have_158_papers():
    assert len(PROCEEDINGS) == 158


def test_further_entries_are_what_the_proceedings_build_on():
    assert set(KEYS) - set(PROCEEDINGS) == {"foundations", "lashkari2007convex"}


def test_lectures_are_cited_as_such():
    entry = bibtex(library.load_head("foundations"))
    assert entry.startswith("@misc{foundations,\n")
    assert "howpublished = {Lecture" in entry
    assert "pages" not in entry


def test_pages_run_from_1_to_1263_without_overlap_or_hole():
    pages = sorted(library.load_head(key).pages for key in PROCEEDINGS)
    assert pages[0][0] == 1
    assert pages[-1][1] == 1263
    assert all(first[1] + 1 == second[0] for first, second in pairwise(pages))


@pytest.mark.parametrize("key", PROCEEDINGS)
def test_a_key_is_first_author_year_and_a_word(key):
    surname = re.fullmatch(r"([a-z]+)2008[a-z0-9]+", key)[1]
    author = unicodedata.normalize("NFKD", library.load_head(key).authors[0])
    assert surname in re.sub(r"[^a-z]", "", author.lower())


def test_no_two_papers_have_one_title():
    titles = {re.sub(r"\W", "", library.load_head(key).title.lower()) for key in KEYS}
    assert len(titles) == len(KEYS)


def test_topics_are_known():
    assert {library.load_head(key).topic for key in PROCEEDINGS} <= TOPICS


@pytest.mark.parametrize("key", KEYS)
def test_a_head_is_the_beginning_of_its_paper(key):
    paper = library.load_paper(key)
    assert library.load_head(key) == Head(
        **{name: getattr(paper, name) for name in Head.model_fields}
    )


@pytest.mark.parametrize("key", PLANNED)
def test_a_planned_paper_says_what_it_takes(key):
    paper = library.load_paper(key)
    assert paper.why
    assert paper.effort
    assert paper.idea
    assert paper.today
    assert paper.planned
    assert not paper.experiments
    assert not any(claim.statistic for claim in paper.claims.values())


@pytest.mark.parametrize("key", KEYS)
def test_a_judged_claim_is_a_sentence_that_needs_no_other(key):
    """It has a page of its own."""
    claims = library.load_paper(key).claims.items()
    begins = re.compile(r"\W|(It|Its|They|Their|And|So|Nor|But|There|This|These|Those|Then)\b")
    assert [name for name, one in claims if one.statistic and begins.match(one.says)] == []


@pytest.mark.parametrize("key", KEYS)
def test_each_listed_claim_waits_in_one_planned_experiment(key):
    paper = library.load_paper(key)
    waiting = sorted(name for planned in paper.planned.values() for name in planned.claims)
    assert waiting == sorted(name for name, claim in paper.claims.items() if not claim.statistic)


@pytest.mark.parametrize("key", KEYS)
def test_a_listed_claim_has_its_kind_and_a_page_of_the_paper(key):
    paper = library.load_paper(key)
    for name, claim in paper.claims.items():
        if claim.statistic is None:
            assert claim.kind, name
            if paper.pages and claim.page:
                assert paper.pages[0] <= claim.page <= paper.pages[1], name


@pytest.mark.parametrize("key", KEYS)
def test_no_quote_waits_for_its_words(key):
    claims = library.load_paper(key).claims.items()
    assert not [name for name, claim in claims if claim.quote and not re.search(r"\w", claim.quote)]


@pytest.mark.parametrize("key", KEYS)
def test_printed_values_are_numbers_names_or_formulas(key):
    for name, claim in library.load_paper(key).claims.items():
        for text in leaves(claim.printed):
            assert is_number(text) or text in NAMES | FORMULAS, (name, text)


@pytest.mark.parametrize("key", KEYS)
def test_states_are_known(key):
    assert library.state(key) in {
        *("re-run", "planned", "private data", "hardware or people", "theory")
    }


def test_the_catalogue_holds_the_listed_claims_of_the_proceedings():
    claims = [
        claim
        for key in PROCEEDINGS
        for claim in library.load_paper(key).claims.values()
        if claim.kind or claim.statistic
    ]
    assert len(claims) >= 1171


def test_a_head_is_read_without_the_rest_of_the_file(tmp_path):
    path = tmp_path / "doe2008toy" / "paper.yaml"
    path.parent.mkdir()
    head = {"key": "doe2008toy", "title": "A: Toy", "authors": ["J. Doe"], "pages": [1, 8]}
    text = yaml.safe_dump({**head, "topic": "svm"}) + "claims:\n  a: [not, a, claim]\nidea: [\n"
    path.write_text(text)
    assert read_head(path).title == "A: Toy"
