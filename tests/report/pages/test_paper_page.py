"""A paper's page: the answer first, then claims that open on demand, then all the rest."""

from dataclasses import replace
from itertools import count

import pytest

from icml2008.catalogue.parts import Answer, Choice
from icml2008.report.pages.answer import answer, caveat
from icml2008.report.pages.hinges import hinge
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.paper import provenance_in_words
from icml2008.report.pages.pictures import opener
from icml2008.report.templating import environment

KEY = "doe2008toy"


def test_tags_are_balanced_and_ids_unique(page, both):
    markup = page(both)
    assert markup.open == []
    assert len(markup.ids) == len(set(markup.ids))


def test_every_anchor_is_there(page, both):
    markup = page(both)
    anchors = [link[1:] for link in markup.links if link.startswith("#")]
    assert anchors
    assert set(anchors) <= set(markup.ids)


def test_claims_have_permanent_anchors_and_pages(page, both):
    markup = page(both)
    assert {KEY, "a-beats-b", "a-accuracy"} <= set(markup.ids)
    assert {f"{KEY}/a-beats-b.html", f"{KEY}/a-accuracy.html"} <= set(markup.links)


def test_the_first_block_says_what_it_hangs_on_and_where_the_evidence_is(page, both):
    markup = page(both)
    assert "No other reading that was tried changes a verdict." in markup.text
    assert {"#headline", "#evidence"} <= set(markup.links)
    both.reference[0] |= {"turned_by": ["ties"]}
    turned = page(both)
    assert "Some claims hang on Which of equals comes first?" in turned.text
    assert "#choices" in turned.links


def test_a_claim_that_is_open_and_is_refuted_nowhere_says_where_it_holds():
    rate = Choice(
        question="Which rate?", default="1", alternatives=["2", "3"], touches=["main"], why="So."
    )
    readings = {"inconclusive": ["default"], "confirmed": ["rate=2"]}
    text = hinge({"verdict": "depends", "readings": readings}, {"rate": rate})
    holds = 'it holds if "Which rate?" is answered 2'
    assert text == f"As we read the text it is open; {holds}."
    both_ways = readings | {"refuted": ["rate=3"]}
    text = hinge({"verdict": "depends", "readings": both_ways}, {"rate": rate})
    assert (
        text
        == f'As we read the text it is open; {holds}, and does not if "Which rate?" is answered 3.'
    )


def test_nothing_is_loaded_from_elsewhere(page, both):
    assert set(page(both).loaded) == {"site.css", "site.js", "data:,"}


def test_the_answer_stands_before_everything_else(page, both):
    text = page(both).text
    sentence = (
        "None of 2 judged claims holds, 1 does not under any reading tried, 1 is undecided; "
        "1 could not be tested."
    )
    assert text.index("Jane Doe") < text.index(sentence) < text.index("What was learnt")
    assert text.index(sentence) < text.index("The evidence was made by other code")


NAMES = map("claim-{}".format, count())


def row(verdict, status="headline", **more):
    named = {"name": next(NAMES), "says": "C.", "same_as": None, "disputed": False}
    group = "own" if status in ("headline", "supporting") else status
    return {**named, "verdict": verdict, "status": status, "group": group, **more}


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], "Nothing is judged yet."),
        ([row("untested"), row("untested", None)], "Nothing is judged yet; 2 claims wait."),
        ([row("confirmed")], "The one judged claim holds."),
        ([row("confirmed")] * 3, "All 3 judged claims hold."),
        ([row("confirmed"), row("refuted", "ours")], "The one judged claim holds."),
        (
            [row("refuted"), row("refuted")],
            "None of 2 judged claims holds, 2 do not under any reading tried.",
        ),
        (
            [row("confirmed"), row("depends"), row("inconclusive")],
            "1 of 3 judged claims holds, 1 hangs on a reading, 1 is undecided.",
        ),
        (
            [row("refuted", cause="trace"), row("depends", cause="trace"), row("confirmed")],
            "1 of 2 judged claims holds, 1 does not under any reading tried.",
        ),
        ([row("confirmed"), row("refuted", disputed=True)], "The one judged claim holds."),
        ([row("confirmed"), row("refuted", same_as="d")], "The one judged claim holds."),
    ],
)
def test_the_answer_counts_the_papers_own_claims_once(rows, text):
    assert answer(rows) == text


def test_the_sharpest_caveat_is_the_gravest():
    hanging = row("depends")
    small = row("refuted", "supporting")
    large = row("refuted")
    assert caveat([row("confirmed")]) is None
    assert caveat([small])["lead"] == "A claim does not hold under any reading tried"
    assert caveat([hanging]) is None  # the answer says on what it hangs
    assert caveat([hanging, small, large])["claim"]["name"] == large["name"]
    assert caveat([row("refuted", "ours")]) is None
    assert "other code" in caveat([large], stale=True)["lead"]


def test_a_claim_that_was_not_run_here_has_no_word_of_this_run(page, both, preliminary):
    assert "this run" not in page(preliminary).text
    assert "this run" not in page(both).text  # it says what the reference says


def test_this_run_is_shown_where_it_says_something_else(page, both, quick):
    flipped = [
        row | {"verdict": "confirmed"} if row["claim"] == "a-accuracy" and not row["part"] else row
        for row in quick
    ]
    text = page(replace(both, current=flipped)).text
    assert text.count("this run: confirmed") == 1


def test_texts_are_shown_as_they_are_and_never_as_markup(page, claims, both):
    hostile = "</script ><script>alert(1)</script >"
    both.reference[0]["reason"] = hostile
    markup = page(both)
    assert markup.tags["i"] == markup.source.count("<b>") == 0
    assert markup.tags["script"] == 1
    assert "Learning <b>Fast</b> & Well" in markup.text
    assert "A is better than B & <i>never</i> worse." in markup.text
    assert hostile in claims(both)[f"{KEY}/a-beats-b.html"].text


def test_the_printed_value_stands_beside_ours_with_the_interval_that_decides(page, preliminary):
    assert "96.10 ± 1.5 96.000 95 % [94.750, 97.250]" in page(preliminary).text


def test_both_questions_are_answered(page, preliminary):
    text = page(preliminary).text
    assert "Reproduces Repeats Generalises" in text
    # The verdict, then the answer for new data with its wider interval.
    assert "✓ confirmed 8 ~ inconclusive [91.000, 101.000]" in text


def test_verdicts_of_a_small_run_are_marked(page, both, preliminary):
    assert "preliminary" in page(preliminary).text
    assert "preliminary" not in page(replace(both, current=[])).text


def test_a_failed_job_is_on_its_papers_page(page, both):
    assert "run_trials 0003" in page(replace(both, failed_jobs=["run_trials 0003"])).text
    assert "jobs failed" not in page(both).text


def test_stale_evidence_wears_a_badge(page, both):
    assert "stale The reference was made by other code than today's" in page(both).text
    assert "stale" not in page(replace(both, stale=False)).text


def test_facts_of_the_paper_are_there(page, both):
    text = page(both).text
    for expected in (
        "Jane Doe, John O'Neil",
        "pages 1–8",
        "Seeds matter.",
        "Which of equals comes first?",
        "A stable sort was the custom.",
        "A sign is wrong. n < 0.",
        "c0ffee",
        "numpy 2.4",
        "@inproceedings{doe2008toy,",
        "Evidence of 2026-01-02.",
    ):
        assert expected in text


def test_it_names_its_public_methods_or_says_that_there_is_none(page, both):
    bare = page(both)
    assert "No public method" in bare.text
    named = page(both, public={"run": ["Alpha"], "beside": ["beta"]})
    assert {"methods/Alpha.html", "methods/beta.html"} <= set(named.links)
    assert "Ready for use, from icml2008.methods : Alpha . Beside it: beta ." in named.text
    kin = page(both, public={"run": [], "beside": ["beta"]})
    assert "Ready for use, from icml2008.methods : beta ." in kin.text
    planned = page(both, state="planned")
    assert "public" not in planned.ids


def test_a_figure_is_shown_once(page, both):
    figures = [
        {"name": name, "path": f"{KEY}/figures/{name}.svg", "caption": "What is seen. More."}
        | {"lead": "What is seen.", "width": 4, "height": 3, "printed": name == "errors"}
        for name in ("errors", "times")
    ]
    source = page(both, figures=figures, opener=opener(figures)).source
    for figure in figures:
        assert (
            source.count(f"id=figure-{figure['name']}>")
            == source.count(f"src={figure['path']} ")
            == 1
        )
    assert source.index("figure-errors") < source.index("What was learnt") < source.index("times")


def test_where_the_evidence_comes_from_is_said_in_words():
    cost = {"trials": 2100, "trial_seconds": 65.2, "peak_mebibytes": 242}
    facts = provenance_in_words(
        {
            "date": "2026-11-23",
            "commit": "1f2e3d4",
            "arithmetic": {"blas": ["openblas 0.3.30 Haswell"], "numba": ["x86-64-v3"]},
            "cores": 2,
            "cost": {"default": cost, "ties=random": {**cost, "peak_mebibytes": 300}},
            "versions": {"numpy": "2.4.6"},
            "kept": {"race": "2026-11-22", "selection": "2026-11-22", "sizes": "2026-11-23"},
            "renewed": {"race": {"date": "2026-11-24", "lines": 72, "scale": "quick"}},
            "keys": {"race": {"code": "6dbdff6d258f6eef"}},
        }
    )
    assert facts["Run time"] == (
        "1 min 5 s for 2,100 trials, then 1 min 5 s for 2,100 trials in other universes"
    )
    assert facts["Memory"] == "at most 300 MiB in a process"
    assert facts["Arithmetic"] == "openblas 0.3.30 Haswell; numba for x86-64-v3"
    assert facts["Records of another day"] == "2026-11-22: race, selection"
    assert facts["Same records by later code"] == "2026-11-24 at scale quick: race"
    assert not any(sign in text for text in facts.values() for sign in "{}'[]")


def test_an_erratum_that_was_taken_back_is_not_shown(page, both):
    assert "So it seemed." not in page(both).text


def test_a_paper_without_page_numbers_has_none(page, both, other):
    assert ", pages 1–8" in page(both).text
    assert ", pages" not in page(other(both, KEY, pages=None)).text


def of_status(results, status):
    """Return results whose claim a-beats-b has another status."""
    changed = [
        row | {"status": status} if row["claim"] == "a-beats-b" else row for row in results.current
    ]
    return replace(results, current=changed)


@pytest.mark.parametrize(
    ("status", "heading"), [("ours", "Beyond the paper"), ("stand_in", "On stand-in data")]
)
def test_claims_that_are_not_the_papers_stand_apart_and_in_no_score(
    page, preliminary, status, heading
):
    text = page(of_status(preliminary, status)).text
    own, _, beyond = text.rpartition(f" {heading} ")
    assert "In no score." in beyond
    assert "A is better than B" not in own.partition("What was learnt")[2]
    assert "None of 1 judged claim holds" in own


def test_each_claim_of_the_paper_is_quoted_and_noted(page, both):
    assert "A outperforms B & C Page 3 Not <b>C</b>. Judged by" in page(both).text


def test_a_statistic_of_several_methods_speaks_of_the_method(page, preliminary):
    for verdict in preliminary.current:
        verdict["statistic"] = "difference of {method} and B"
    text = page(preliminary).text
    assert "Judged by: difference of the method and B" in text
    assert "{method}" not in text


def test_departures_say_what_was_changed_and_why(page, both, other):
    text = "a-accuracy claim, 2026-01-02 Before: margin 1 < 2. After: margin 2. Rounding."
    assert text in page(both).text
    assert "Departures" not in page(other(both, KEY, changes=[])).text


def test_a_paper_that_is_only_planned_has_its_claims_untested(page, both):
    planned = replace(both, current=[], reference=[], provenance=None, stale=False)
    text = page(planned).text
    assert "Nothing is judged yet; 3 claims wait." in text
    assert "– untested It scales." in text


def test_the_page_is_the_same_bytes_each_time(page, both):
    assert page(both).source == page(both).source


OTHER = {
    "runs": {
        "nehalem": {"scale": "quick", "equal": 5, "within": 2, "beyond": 1, "judged": 4},
        "prescott": {"scale": "full", "equal": 7, "within": 1, "beyond": 0, "judged": 4},
    },
    "means": [
        {"arithmetic": "nehalem", "experiment": "e", "cell": "{}", "method": "A", "metric": "m"}
    ],
    "flips": [
        {
            "arithmetic": "nehalem",
            "claim": "a-accuracy",
            "part": "",
            "old": "confirmed",
            "new": "inconclusive",
        }
    ],
}


def test_what_other_arithmetics_do_is_on_the_page(page, both):
    text = page(replace(both, arithmetic=OTHER)).text
    assert "Whether it turns on the processor: 1 verdict does under 2 other arithmetics" in text
    assert "nehalem quick 8 5 2 1 a-accuracy: confirmed becomes inconclusive" in text
    assert "prescott full 8 7 1 0 all 4 as in the reference" in text
    assert "turns on the processor" not in page(both).text


def test_each_experiment_says_what_it_takes_of_ones_own(page, both):
    takes = {"main": ("methods of your own have fit", [("fit(X)", "Learn from X < 1.")])}
    markup = page(both, takes=takes)
    assert "Methods of your own have fit." in markup.text
    assert "<code>fit(X)</code>" in markup.source
    assert "Learn from X &lt; 1." in markup.source


def test_a_number_is_not_parted_from_its_per_cent_sign():
    shown = (
        environment().from_string("{{ said }} {{ format }}").render(said="5 % of", format="a % b")
    )
    assert shown == "5\N{NO-BREAK SPACE}% of a % b"


def test_parts_have_their_own_word_where_the_whole_has_another(page, both):
    rows = claim_rows(both)
    whole = next(row for row in rows.values() if row["parts"])
    whole["parts"] = [whole["parts"][0] | {"verdict": "refuted"}] * 2
    whole["verdict"] = "inconclusive"
    assert "all 2 parts refuted" in page(both, rows=rows).text


def test_headline_claims_stand_at_the_top_with_their_marks_those_that_hold_first(page, both):
    text = page(both).text
    assert text.index("A is better than B") < text.index("What was learnt")


def test_a_written_answer_stands_in_place_of_the_count_as_long_as_its_verdicts_do(
    page, both, other
):
    verdict = claim_rows(both)["a-beats-b"]["verdict"]
    for word, shown in ((verdict, True), ("untested", False)):
        answered = other(both, KEY, answer=Answer(says="A wins.", claims={"a-beats-b": word}))
        assert ("A wins." in page(answered).text) is shown


def test_claims_by_readings_are_a_table_in_words(page, both, full):
    both.reference[:] = [*full, *(row | {"universe": "ties=random"} for row in full)]
    text = page(both).text
    assert "As we read the text" in text
    assert "Which of equals comes first? random" in text
    assert "ties=random" not in text


def test_both_methods_of_an_order_stand_with_their_means(claims, both):
    whole = both.reference[1]
    inputs = {
        "formula": {"kind": "difference"},
        "methods": ["A", "B"],
        "cells": ["dataset=iris"],
        "values": [[[[96.0]], [[92.5]]], [[[97.0]], [[93.5]]]],
    }
    whole["inputs"] = inputs
    text = claims(both)[f"{KEY}/a-beats-b.html"].text
    assert "iris A not printed 96.50" in text
    assert "iris B not printed 93.00" in text
