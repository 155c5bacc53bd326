"""The catalogue: the papers of the proceedings, and what is said of each."""

import re
import unicodedata
from collections import Counter
from itertools import pairwise

import yaml

from icml2008.catalogue import library
from icml2008.catalogue.citing import bibtex
from icml2008.catalogue.model import ICML_2008, Head
from icml2008.catalogue.reading import read_head
from icml2008.judge.printed import PrintedError, leaves, parse

KEYS = library.paper_keys()
PAPERS = {key: library.load_paper(key) for key in KEYS}
CARD = ("why", "effort", "idea", "today", "planned")
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


def test_a_key_is_first_author_year_and_a_word():
    strange = {}
    for key in PROCEEDINGS:
        named = re.fullmatch(r"([a-z]+)2008[a-z0-9]+", key)
        author = unicodedata.normalize("NFKD", library.load_head(key).authors[0])
        if not named or named[1] not in re.sub(r"[^a-z]", "", author.lower()):
            strange[key] = author
    assert strange == {}, "a key is the first author's surname, 2008 and a word"


def test_no_two_papers_have_one_title():
    titles = {re.sub(r"\W", "", library.load_head(key).title.lower()) for key in KEYS}
    assert len(titles) == len(KEYS)


def test_topics_are_known():
    assert {library.load_head(key).topic for key in PROCEEDINGS} <= TOPICS


def test_a_head_is_the_beginning_of_its_paper():
    other = [
        key
        for key, paper in PAPERS.items()
        if library.load_head(key)
        != Head(**{name: getattr(paper, name) for name in Head.model_fields})
    ]
    assert other == [], "the head of a file, read alone, is another than in the whole of it"


def test_a_planned_paper_says_what_it_takes():
    lacking = {
        key: missing
        for key in PLANNED
        if (missing := [name for name in CARD if not getattr(PAPERS[key], name)])
    }
    assert lacking == {}, "a planned paper has these keys"
    begun = [
        key
        for key in PLANNED
        if PAPERS[key].experiments or any(claim.statistic for claim in PAPERS[key].claims.values())
    ]
    assert begun == [], "a paper without experiments.py has neither experiments nor judged claims"


def failing(fails):
    """Return the claims that fail a check, as ``KEY/CLAIM``."""
    return [
        f"{key}/{name}"
        for key, paper in PAPERS.items()
        for name, claim in paper.claims.items()
        if fails(claim, paper)
    ]


def test_a_judged_claim_is_a_sentence_that_needs_no_other():
    begins = re.compile(r"\W|(It|Its|They|Their|And|So|Nor|But|There|This|These|Those|Then)\b")
    lost = failing(lambda claim, _: claim.statistic and begins.match(claim.says))
    assert lost == [], "it has a page of its own: let `says` say of what it is"


def test_each_listed_claim_waits_in_one_planned_experiment():
    waiting = Counter(
        f"{key}/{name}"
        for key, paper in PAPERS.items()
        for planned in paper.planned.values()
        for name in planned.claims
    )
    listed = failing(lambda claim, _: claim.statistic is None)
    assert sorted(waiting.elements()) == sorted(listed), "one entry of `planned` for each"


def test_a_listed_claim_has_its_kind_and_a_page_of_the_paper():
    assert failing(lambda claim, _: not (claim.statistic or claim.kind)) == [], "give their `kind`"
    outside = failing(
        lambda claim, paper: (
            not claim.statistic
            and claim.page
            and paper.pages
            and not paper.pages[0] <= claim.page <= paper.pages[1]
        )
    )
    assert outside == [], "these pages are none of the paper's"


def test_no_quote_waits_for_its_words():
    waiting = failing(lambda claim, _: claim.quote and not re.search(r"\w", claim.quote))
    assert waiting == [], "`...` stands for the paper's own words"


def test_printed_values_are_numbers_names_or_formulas():
    strange = {
        f"{key}/{name}": text
        for key, paper in PAPERS.items()
        for name, claim in paper.claims.items()
        for text in leaves(claim.printed)
        if not is_number(text) and text not in NAMES | FORMULAS
    }
    assert strange == {}, "write numbers as in the paper; else add it to NAMES or FORMULAS here"


def test_states_are_known():
    states = {"re-run", "planned", "private data", "hardware or people", "theory"}
    assert {key: library.state(key) for key in KEYS if library.state(key) not in states} == {}


def test_any_loader_of_yaml_reads_the_papers_files():
    """PyYAML's own loader refuses what libyaml takes, and so do loaders of other languages."""
    refused = {}
    for file in sorted(file for folder in library.folders() for file in folder.glob("*.yaml")):
        try:
            for _ in yaml.parse(file.read_text("utf-8"), Loader=yaml.SafeLoader):
                pass
        except yaml.YAMLError as error:
            refused[f"{file.parent.name}/{file.name}"] = str(error)
    assert refused == {}, "put what it trips over in quotes"


def test_the_catalogue_holds_the_listed_claims_of_the_proceedings():
    claims = [
        claim
        for key in PROCEEDINGS
        for claim in PAPERS[key].claims.values()
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
