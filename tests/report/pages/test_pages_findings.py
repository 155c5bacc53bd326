"""What the proceedings taught: kinds of claims, counts by a plain loop, sentences."""

import re

import pytest

from icml2008.audit.findings import CONSISTENT, IMPOSSIBLE, OVERSTATED, Finding
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.judge.claims import Claim
from icml2008.report.in_sentences import compared, percent
from icml2008.report.lessons import Told, arithmetic, form, kind, own_claims, told
from icml2008.report.pages.findings_page import findings_page, of_audit
from icml2008.report.pages.page import Page
from icml2008.report.shares import Share, limits
from icml2008.report.what_holds import of_claims
from icml2008.store import Shelf, write_json
from reading import Read

AT = {"metric": "accuracy", "experiment": "main"}
AB = ["A", "B"]


def claim(**fields):
    fields["statistic"] = {**AT, **fields["statistic"]}
    return Claim.model_validate({"says": "So it is.", **fields})


def one(paper="a", verdict="confirmed", **more):
    about = {"claim": "c", "topic": "deep-learning", "standing": "headline", "kind": "order"}
    about |= dict.fromkeys(("tested", "spread", "repeats", "robustness"))
    about |= {"tried": (), "turned_by": (), "misprint": False, "hindrance": None}
    return Told(paper=paper, verdict=verdict, **about | more)


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("expected", "fields"),
    [
        ("order", {"statistic": {"difference": AB}, "above": "0"}),
        ("order", {"statistic": {"lead": "A", "over": ["B", "C"]}, "above": "0"}),
        ("trend", {"statistic": {"slope": "A", "along": "n"}, "below": "0"}),
        ("trend", {"statistic": {"ratio": AB}, "near": "3"}),
        ("value", {"statistic": {"mean": "A"}, "near": "71.2"}),
        ("value", {"statistic": {"difference": AB}, "near": {"value": "0", "margin": "1"}}),
        ("value", {"statistic": {"mean": "A"}, "exactly": "17"}),
        ("limit", {"statistic": {"mean": "A"}, "above": "50"}),
        (
            "theorem",
            {
                "statistic": {"mean": "A"},
                "never_violated": {"instances": 300, "tolerance": "1e-9"},
            },
        ),
    ],
)
def test_the_kind_of_a_claim_follows_from_statistic_and_comparison(expected, fields):
    assert kind(claim(**fields)) == expected


def test_what_is_printed_is_told_by_numbers_of_the_same_measure(paper, verdict):
    rows = [verdict(name) for name in ("a-beats-b", "a-accuracy", "on-a-cluster")]
    order, value, untested = told(paper, rows)
    assert (order.spread, order.repeats, order.tested) == ("yes", "yes", "no")
    assert (value.spread, value.repeats) == ("yes", "yes")
    assert (untested.kind, untested.spread, untested.tested) == ("", None, None)


def test_a_test_is_told_by_the_words_of_claim_or_quote(paper, verdict):
    def told_of(words):
        changed = paper.claims["a-beats-b"].model_copy(update={"quote": words})
        with_quote = paper.model_copy(update={"claims": {**paper.claims, "a-beats-b": changed}})
        return told(with_quote, [verdict("a-beats-b")])[0].tested

    for words in ("significantly better", "(p < 0.05)", "by a paired t-test", "at p=.01"):
        assert told_of(words) == "yes"
    for words in ("clearly better", "for p > 1 features", "an insignificant"):
        assert told_of(words) == "no"


@pytest.mark.parametrize(
    "fact", [{"status": "ours"}, {"same_as": "a-accuracy"}, {"disputed": True}]
)
def test_only_claims_of_the_paper_itself_count_once_and_undisputed(paper, verdict, fact):
    changed = paper.claims["a-beats-b"].model_copy(update=fact)
    today = paper.model_copy(update={"claims": {**paper.claims, "a-beats-b": changed}})
    rows = [verdict("a-beats-b"), verdict("a-accuracy", word="refuted")]
    rows.append(verdict("a-beats-b") | {"claim": "gone"})
    assert [(it.claim, it.verdict) for it in told(today, rows)] == [("a-accuracy", "refuted")]


def test_claims_are_read_of_papers_of_the_proceedings_that_were_judged(
    tmp_path, paper, verdict, monkeypatch
):
    monkeypatch.setattr(library, "load_paper", lambda key: paper)
    shelves = [Shelf(tmp_path, Entry(key)) for key in (paper.key, "roe2008none")]
    shelves[0].write_verdicts([verdict("a-beats-b"), verdict("a-beats-b", "iris")])
    assert [it.claim for it in own_claims(shelves)] == ["a-beats-b"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [(("yes", "no"), "whether"), (("0.1", "1e-3"), "number"), (("horizon", "0.1"), "number"),
     (("first", "random"), "way")],
)  # fmt: skip
def test_what_a_choice_leaves_open_is_told_by_its_values(paper, values, expected):
    choice = paper.choices["ties"].model_copy(
        update={"default": values[0], "alternatives": list(values[1:])}
    )
    assert form(choice) == expected


def many(counts, **more):
    """Return claims of papers by confirmed, refuted, inconclusive and untested ones."""
    words = ("confirmed", "refuted", "inconclusive", "untested")
    return [
        one(paper=f"p{i}", verdict=word, **more)
        for i, row in enumerate(counts)
        for word, count in zip(words, row, strict=True)
        for _ in range(count)
    ]


def test_the_overall_share_is_of_decided_claims_by_a_plain_loop():
    counts = [(3, 1, 0, 2), (5, 0, 1, 0), (2, 2, 0, 0), (1, 0, 0, 1), (4, 1, 1, 0), (2, 0, 0, 3)]
    overall = of_claims(many(counts))["overall"]
    held = sum(row[0] for row in counts)
    decided = sum(row[0] + row[1] for row in counts)
    assert overall["share"] == held / decided
    assert overall["counts"] == {"depends": 0} | {
        word: sum(row[i] for row in counts)
        for i, word in enumerate(("confirmed", "refuted", "inconclusive", "untested"))
    }
    assert overall["whole"] == (3, 6)
    low, high = limits([row[0] for row in counts], [row[0] + row[1] for row in counts])
    assert plain(overall["sentence"]) == (
        f"{sum(map(sum, counts))} claims of 6 papers were taken up. "
        f"{round(100 * held / decided)} % of those that could be decided hold: {held} of {decided} "
        f"(95 % interval over papers {round(100 * low)} to {round(100 * high)}); "
        f"{sum(row[1] for row in counts)} do not under any reading tried."
    )


def test_a_claim_that_hangs_on_a_reading_is_decided_and_does_not_hold():
    overall = of_claims([one("a"), one("a", "depends"), one("b", "inconclusive")])["overall"]
    assert overall["share"] == 1 / 2
    assert "1 hangs on how the paper is read" in overall["sentence"]
    assert [row["count"] for row in overall["open"]] == [1]


def test_groups_count_their_own_claims_and_leave_empty_ones_out():
    content = of_claims(
        [
            one("a"),
            one("a", "refuted"),
            one("b", "inconclusive", kind="value"),
            one("c", "untested"),
        ]
    )
    rows = {row["label"]: row for row in content["kinds"]["rows"]}
    assert list(rows) == ["Orders of methods", "Printed values"]
    assert [rows["Orders of methods"][name] for name in ("held", "decided", "open")] == [1, 2, 0]
    value = rows["Printed values"]
    assert (value["share"], value["open"], value["low"]) == (None, 1, None)
    assert [row["label"] for row in content["topics"]["rows"]] == ["Deep learning"]


def test_no_claim_and_one_paper_are_said_as_they_are():
    empty = of_claims([])
    assert empty["overall"]["sentence"] == "No claim is decided yet."
    assert empty["robust"]["sentence"] == (
        "No decided claim was tried under three choices yet, and none turns on one."
    )
    assert empty["choices"]["sentence"] == "No choice was tried on a decided claim yet."
    single = of_claims([one()])["overall"]["sentence"]
    assert single == (
        "1 claim of 1 paper was taken up. All of those that could be decided hold: 1 of 1 "
        "(of 1 paper, too few for an interval)."
    )


def shares(*rates, papers=10, claims=10):
    return {
        name: Share({f"p{i}": (round(rate * claims), claims) for i in range(papers)})
        for name, rate in zip(("Orders", "Values", "Limits"), rates, strict=False)
    }


def test_sentences_follow_the_numbers():
    apart = plain(compared(shares(0.9, 0.2), "hold"))
    assert apart.startswith(
        "Orders hold more often than values: 90 % against 20 %, 70 points apart"
    )
    turned = plain(compared(shares(0.2, 0.9), "hold"))
    assert turned.startswith("Values hold more often than orders: 90 % against 20 %")
    alike = plain(compared(shares(0.6, 0.5), "hold"))
    assert alike.startswith("Orders and values do not differ by more than papers vary: 60 %")
    three = plain(compared(shares(0.1, 0.9, 0.9), "hold"))
    assert three.startswith("Orders hold less often than the others: 10 % against 90 %, 80 points")
    assert "corrected for 3 comparisons" in three
    none = plain(compared(shares(0.5, 0.6, 0.5), "hold"))
    assert none.startswith("No group differs from the others by more than papers vary. Furthest")
    assert "values, 60 % against 50 %" in none


def test_too_few_papers_are_said_and_not_compared():
    few = shares(0.9, 0.2) | {"Values": shares(0.2, papers=4)["Orders"]}
    assert compared(few, "hold") == "Values come from 4 papers, too few to compare."
    assert compared(shares(0.9, 0.2, 0.5, papers=2), "hold").startswith("No two groups come from")


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.999, "99 %"), (1.0, "100 %"), (0.001, "1 %"), (0.0, "0 %"), (0.5, "50 %")],
)
def test_nearly_all_is_not_rounded_to_all(share, text):
    assert plain(percent(share)) == text


def test_choices_count_once_and_turn_if_they_turn_a_decided_claim(paper, monkeypatch):
    monkeypatch.setattr("icml2008.catalogue.library.load_paper", lambda key: paper)
    tried = {"tried": ("ties",), "robustness": "robust"}
    content = of_claims(
        [
            one("a", **tried),
            one("a", **tried | {"turned_by": ("ties",), "robustness": "turns on"}),
            one("b", "inconclusive", **tried | {"turned_by": ("ties",)}),
            one("c", **tried),
        ]
    )
    assert content["choices"]["sentence"].startswith(
        "Of 2 choices that were tried on a decided claim, 1 turns"
    )
    assert [(it["paper"], it["turned"], it["tried"]) for it in content["choices"]["turning"]] == [
        ("a", 1, 2)
    ]
    assert content["robust"]["counts"] == {"robust": 2, "turns on": 1}


def test_other_arithmetics_count_each_mean_and_verdict_once(tmp_path):
    run = {"judged": 5, "equal": 6, "within": 3, "beyond": 1, "scale": "quick"}
    mean = {"experiment": "e", "cell": "{}", "method": "A", "metric": "m"}
    flip = {"claim": "c", "part": ""}
    content = {"runs": {"x": run, "y": run}, "means": [mean, mean], "flips": [flip, flip]}
    write_json(tmp_path / "a" / "arithmetic.json", content)
    counts = arithmetic(Shelf(tmp_path, Entry(key)) for key in "ab")
    assert (counts["papers"], counts["verdicts"], counts["flipped"]) == (1, 5, 1)
    assert (counts["means"], counts["moved"], counts["names"]) == (10, 1, ["x", "y"])


def finding(paper, rule, certainty):
    return Finding(paper, "n", rule, certainty, "Table 1", "")


def test_the_audit_counts_papers_that_a_rule_could_look_at():
    content = of_audit(
        [
            finding("a", "GRIM", IMPOSSIBLE),
            finding("a", "GRIM", IMPOSSIBLE),
            finding("a", "SUM", CONSISTENT),
            finding("b", "GRIM", CONSISTENT),
            finding("c", "BEST", OVERSTATED),
        ]
    )
    rows = {row["label"]: row for row in content["rows"]}
    assert (rows["Means of counts (GRIM)"]["held"], rows["Means of counts (GRIM)"]["decided"]) == (
        1,
        2,
    )
    assert rows["Totals of parts (SUM)"]["held"] == 0
    assert content["sentence"].startswith("2 of 3 papers whose numbers could be checked")
    assert content["sentence"].endswith("2 impossible and 1 overstated of 5 entries.")
    assert of_audit([])["sentence"] == "No printed number was checked yet."


def test_the_page_is_whole_whether_much_little_or_nothing_is_known():
    empty = findings_page([], [], health={"line": ""}, whole=True)
    assert empty.path == "findings.html"
    claims = many([(3, 1, 1, 1)] * 7, robustness="robust", spread="yes")
    for known in ([], [one()], claims):
        content = empty.content | of_claims(known)
        page = Read(Page(empty.path, empty.template, content).render())
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
    assert "Deep learning" in page.text
    for raw in ("deep-learning", "never_violated", "{", "stand_in", "+-"):
        assert raw not in page.text
    assert not re.search(r"\b(nan|None(?! of))\b", page.text)


def test_each_chart_has_a_caption_that_names_it():
    page = findings_page([], [], health={"line": ""}, whole=True)
    content = page.content | of_claims(many([(3, 1, 1, 1)] * 7))
    text = Page(page.path, page.template, content).render()
    named = re.findall(r"<svg [^>]*aria-labelledby=([\w-]+)", text)
    assert len(named) == text.count("<svg") >= 6
    assert all(f"<figcaption id={name}>" in text for name in named)
