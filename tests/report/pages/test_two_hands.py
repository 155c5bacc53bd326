"""What a second hand found, on the pages of paper and claims and on the page of all."""

from dataclasses import replace

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.second import SecondHand
from icml2008.report import hand_pairs
from icml2008.report.pages import two_hands
from reading import Read

KEY = "doe2008toy"
HEALTH = {"line": "Evidence of 2026-01-02."}
HAND = SecondHand.model_validate(
    {
        "limits": ["One <thread>."],
        "readings": [
            {"what": "Who wins a tie", "considered": ["first", "both"], "choice": "ties"},
            {"what": "How long a game is", "answer": "It changes nothing."},
        ],
        "sentences": {
            "a-better": {
                "says": "A is better & faster.",
                "quote": "A outperforms B & C",
                "page": 3,
                "measured": [{"what": "lead on iris", "value": "3.3", "se": "0.4"}],
                "verdict": "holds",
                "claims": {"a-beats-b / dataset=iris": "inconclusive"},
                "cause": "repeats",
                "answer": "32 repeats decide it.",
            },
            "accuracies": {
                "says": "A has these accuracies.",
                "quote": "A's accuracy is",
                "page": 4,
                "measured": [
                    {"what": "iris", "value": "96.1", "se": "0.4", "claim": "a-accuracy"},
                ],
                "verdict": "depends",
                "depends_on": "ties",
                "claims": {"a-accuracy": "confirmed"},
                "cause": "reading",
                "answer": "The choice ties.",
            },
            "simple": {
                "says": "It is simple.",
                "quote": "simple",
                "page": 5,
                "verdict": "open",
                "answer": "Nothing measures it.",
            },
        },
    }
)


@pytest.fixture
def twice(both):
    return replace(both, hands={"second": HAND})


def test_a_papers_page_has_every_sentence_beside_our_verdict(page, twice):
    markup = page(twice)
    assert markup.open == []
    assert len(markup.ids) == len(set(markup.ids))
    for words in (
        "Who had the paper's text alone. Of 2 sentences of 1 paper that both hands judged",
        "A is better & faster. “A outperforms B & C”, page 3 holds lead on iris 3.3 (standard "
        "error 0.4) holds at first open a-beats-b (iris) More or fewer repeats. 32 repeats decide",
        "depends on ties",
        "fails at first holds",
        "not judged Nothing measures it.",
        "Considered: first; both. Our question: Which of equals comes first?",
        "Limits of the attempt: One <thread>.",
    ):
        assert words in markup.text
    assert f"{KEY}/a-beats-b.html" in markup.links
    assert "#second-hand" in markup.links


def test_a_claims_page_has_the_sentences_that_it_judges(claims, twice):
    pages = claims(twice)
    assert "A is better & faster." in pages[f"{KEY}/a-beats-b.html"].text
    assert "A has these accuracies." not in pages[f"{KEY}/a-beats-b.html"].text
    assert "What a second hand found" not in pages[f"{KEY}/on-a-cluster.html"].text


def test_without_a_second_hand_no_page_speaks_of_one(page, claims, both):
    assert "second hand" not in page(both).text
    assert all("second hand" not in page.text for page in claims(both).values())


def read_hands(results, monkeypatch):
    pairs = hand_pairs.pairs_of(results.paper, "second", HAND, results.shown()) if results else []
    monkeypatch.setattr(two_hands, "read_pairs", lambda *_: pairs)
    monkeypatch.setattr(library, "load_head", lambda _: results.paper)
    rendered = two_hands.hands_page([], health=HEALTH, whole=True)
    assert rendered.path == "hands.html"
    return Read(rendered.render())


def test_the_page_of_all_has_kappa_causes_and_each_difference_with_its_answer(twice, monkeypatch):
    markup = read_hands(twice, monkeypatch)
    assert markup.open == []
    assert len(markup.ids) == len(set(markup.ids))
    for words in (
        "Of 2 sentences of 1 paper that both hands judged at first, "
        "0 % came out alike and none with opposite verdicts",
        "Another reading of what the text leaves open 1 1",
        "More or fewer repeats 1 0",
        "open , holds a-beats-b (iris) More or fewer repeats. 32 repeats decide it.",
        "Each difference (2)",
        "Ours, at first Second hand: holds Second hand: fails Second hand: depends Second hand: "
        "open holds 0 0 1 0 fails 0 0 0 0 depends 0 0 0 0 open 1 0 0 0",
        "No number has a standard error on both sides yet.",
    ):
        assert words in markup.text
    assert f"{KEY}.html#second-hand" in markup.links


def test_without_any_second_hand_the_page_says_so(monkeypatch):
    text = read_hands(None, monkeypatch).text
    assert "No paper has a second hand yet." in text
    assert "Why they differ" not in text
