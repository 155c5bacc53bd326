"""A claim's sentence says what its long form says, and an error points at the word."""

from __future__ import annotations

import pytest
import yaml

from icml2008.catalogue import library
from icml2008.catalogue.comparing import VERBS
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.phrases import SentenceError
from icml2008.catalogue.reading import read_paper
from icml2008.catalogue.sentences import read, written_out
from icml2008.catalogue.spoken import sentence_for

BETTER = {"fit": "higher", "error": "lower", "share": "neither"}

# A sentence, and the statistic, comparison and parts that it stands for.
MEANT = {
    "fit of A > B; in e": ({"difference": ["A", "B"], "metric": "fit"}, {"above": "0"}),
    "fit of A < B; in e": ({"difference": ["B", "A"], "metric": "fit"}, {"above": "0"}),
    "error of A < B; in e": ({"difference": ["A", "B"], "metric": "error"}, {"above": "0"}),
    "error of A > B; in e": ({"difference": ["B", "A"], "metric": "error"}, {"above": "0"}),
    "share of A > B; in e": ({"difference": ["A", "B"], "metric": "share"}, {"above": "0"}),
    "fit of A - B > 3; in e": ({"difference": ["A", "B"], "metric": "fit"}, {"above": "3"}),
    "error of B - A ~ 3; in e": ({"difference": ["A", "B"], "metric": "error"}, {"near": "3"}),
    "error of B / A ~ 2.0; in e": ({"ratio": ["A", "B"], "metric": "error"}, {"near": "2.0"}),
    "error of A < all of B | C c; in e": (
        {"lead": "A", "over": ["B", "C c"], "metric": "error"},
        {"above": "0"},
    ),
    "fit of A ~ -5.35 within 0.5; in e": (
        {"mean": "A", "metric": "fit"},
        {"near": {"value": "-5.35", "margin": "0.5"}},
    ),
    "fit of '0.632' = 451,592; in e": (
        {"mean": "0.632", "metric": "fit"},
        {"exactly": "451,592"},
    ),
    "fit of A > '0.632'; in e": ({"difference": ["A", "0.632"], "metric": "fit"}, {"above": "0"}),
    "fit of A < 1e-3; in e; deterministic": (
        {"mean": "A", "metric": "fit"},
        {"below": "1e-3", "deterministic": True},
    ),
    "fit of A never above 1e-9 in 59 repeats; in e; max over n, k=1|x": (
        {"mean": "A", "metric": "fit", "across": {"n": "all", "k": [1, "x"]}, "reduce": "max"},
        {"never_violated": {"instances": 59, "tolerance": "1e-9", "by": "repeat"}},
    ),
    "fit of A rises with log n over 10|20; in e": (
        {"slope": "A", "metric": "fit", "along": "n", "log": True, "points": [10, 20]},
        {"above": "0"},
    ),
    "error of B - A falls with n; in e": (
        {"slope": ["A", "B"], "metric": "error", "along": "n"},
        {"below": "0"},
    ),
    "slope of fit of A with log n; in e; holds from -0.7, fails from -0.3": (
        {"slope": "A", "metric": "fit", "along": "n", "log": True},
        {"holds": "-0.7", "fails": "-0.3"},
    ),
    "rank correlation of fit of A with n > 0; in e": (
        {"rank_correlation": "A", "metric": "fit", "along": "n"},
        {"above": "0"},
    ),
    "fit of A overtakes B with n over 5|80; in e": (
        {"crosses": ["A", "B"], "metric": "fit", "along": "n", "points": [5, 80]},
        {"above": "0"},
    ),
    "last crossing of fit of A over B with n ~ 30; in e": (
        {"last_crossing": ["A", "B"], "metric": "fit", "along": "n"},
        {"near": "30"},
    ),
    "fit of {method} > 'MWAL, scaled'; in e at n=5, eta=1.0, of='5.1'; "
    "each method of others, set='b, c'|3": (
        {
            "difference": ["{method}", "MWAL, scaled"],
            "metric": "fit",
            "where": {"n": 5, "eta": 1.0, "of": "5.1"},
        },
        {"above": "0", "each": {"method": "others", "set": ["b, c", 3]}},
    ),
}


def long_form(sentence):
    statistic, others = MEANT[sentence]
    return {"statistic": {**statistic, "experiment": "e"}, **others}


@pytest.mark.parametrize("sentence", MEANT)
def test_a_sentence_stands_for_statistic_parts_and_comparison(sentence):
    assert read(sentence, BETTER) == long_form(sentence)


def test_every_verb_is_among_the_sentences():
    assert [verb for verb in VERBS if not any(f" {verb} " in text for text in MEANT)] == []


def test_what_a_sentence_stands_for_is_said_by_one_again():
    for sentence in MEANT:
        again = sentence_for(long_form(sentence), BETTER)
        assert read(again, BETTER) == long_form(sentence), again


def test_the_claims_of_all_papers_are_said_by_sentences_that_are_read_back():
    files = [
        folder / "paper.yaml"
        for folder in library.folders()
        if library.has_experiments(folder.name)
    ]
    counts = {"sentence": 0, "long": 0}
    for file in files:
        entry = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
        better = {name: facts.get("better", "neither") for name, facts in entry["metrics"].items()}
        for claim in entry["claims"].values():
            full = written_out(claim, better)
            if "statistic" in full:
                sentence = sentence_for(full, better)
                counts["sentence" if sentence else "long"] += 1
                if not full["statistic"].get("where", True):
                    del full["statistic"]["where"]
                assert read(sentence, better).items() <= full.items() if sentence else True
    assert counts["sentence"] > 0.95 * sum(counts.values()), counts


def test_a_head_is_status_page_and_quote():
    assert written_out({"headline 1067": "It is clear"}, {}) == {
        "status": "headline",
        "page": 1067,
        "quote": "It is clear",
    }
    assert written_out({"ours": None}, {}) == {"status": "ours"}
    assert written_out({"stand_in 3": None}, {}) == {"status": "stand_in", "page": 3}


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("fit of A rises wiht n; in e", "`rises wiht`.*did you mean 'rises with'"),
        ("fit of A rise with n; in e", "did you mean 'rises with'"),
        ("fit of A; in e", "`fit of A`: no verb in it; known verbs are >, <, ~"),
        ("fit of A >; in e", "nothing follows `>`; it is `A > B`"),
        ("fit A > B; in e", "`fit A` is not `METRIC of METHOD`"),
        ("fit of A > B", "in EXPERIMENT"),
        ("fit of A > B; inn e", "`inn e`.*did you mean 'in'"),
        ("fit of A > B; in e; each method", "`each method`: it is"),
        ("fit of A > B; in e at n", "`n`: give its value, `n=...`"),
        ("fit of A > B | C; in e", "more than one rival is `all of B | C`"),
        ("error of A > all of B | C; in e", "error is better lower: write `A < all of B | C`"),
        ("fit of A never above 0; in e", "`never above 0`; it is"),
        ("fit of 'A > B; in e", "a `'` is not closed"),
        ("fit of A > 3; in e; holds from 2, fails from 1; each n=1", "`holds.*another part or"),
        ("fit of A > 3; in e; in f", "`in f` comes after another"),
        ("slope of fit of A > 1; in e", "say along which coordinate"),
        ("fit of A - B > C; in e", "`C` is no number"),
    ],
)
def test_an_error_points_at_the_word(sentence, message):
    with pytest.raises(SentenceError, match=message):
        written_out({"that": sentence}, BETTER)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"that": "fit of A > B; in e", "above": "0"}, "`above` is said by `that`, too"),
        ({"each": {"n": [1]}, "that": "fit of A > B; in e; each n=1"}, "`each` is said by `that`"),
        ({"ours 7": "words", "page": 8}, "`page` is said by `ours 7`, too"),
        ({"that": {"method": None}}, "is no sentence; where it begins with a mark"),
    ],
)
def test_nothing_is_said_twice(claim, message):
    with pytest.raises(SentenceError, match=message):
        written_out(claim, BETTER)


def test_a_table_stands_beside_its_sentence():
    content = {"that": "fit of A; in e; each n=1|2", "near": {"1": "0.5", "2": "0.7"}}
    assert written_out(content, BETTER)["near"] == content["near"]


def test_a_file_with_a_broken_sentence_is_refused_by_file_claim_and_word(tmp_path):
    key = "tieleman2008pcd"
    path = tmp_path / key / "paper.yaml"
    path.parent.mkdir()
    text = (library.folder(key) / "paper.yaml").read_text("utf-8")
    entry = yaml.load(text, Loader=yaml.CSafeLoader)
    broken = {"says": "It rises.", "ours": None, "that": "fit of PCD rises wiht updates; in mrf"}
    entry["claims"]["broken"] = broken
    path.write_text(yaml.safe_dump(entry), "utf-8")
    with pytest.raises(PaperError) as refused:
        read_paper(path)
    assert f"{path}: claims.broken.that: `rises wiht`" in str(refused.value)
