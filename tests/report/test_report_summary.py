"""A run ends on one screen: a line a paper, two totals, what was left out and why, what next."""

from dataclasses import replace

import pytest

from icml2008.report.results import PaperResults
from icml2008.report.summary import summary_lines

REASON = "the URL does not deliver"


@pytest.fixture
def committed(both):
    return PaperResults(both.paper, [], both.reference)


@pytest.fixture
def untested(committed):
    rows = [row | {"verdict": "untested", "scale": "quick"} for row in committed.reference]
    return PaperResults(committed.paper, rows)


def lines(here, committed, left_out=None, scale="quick"):
    more = {"scale": scale, "left_out": left_out or {}, "results": "results/quick"}
    return list(summary_lines(here, committed, **more))


def test_each_paper_is_a_line_with_both_counts_and_the_totals_are_their_sums(committed, untested):
    other = replace(untested, paper=untested.paper.model_copy(update={"key": "roe2008other"}))
    rows = [line.split() for line in lines([untested, other], [committed])]
    (toy,) = [row for row in rows if row[:1] == ["doe2008toy"]]
    (alone,) = [row for row in rows if row[:1] == ["roe2008other"]]
    (total,) = [row for row in rows if row[:1] == ["All"]]
    assert (len(toy), len(alone), len(total)) == (11, 6, 11)
    assert toy[5] == alone[5] != "·"
    assert int(total[5]) == 2 * int(toy[5])
    assert total[6:] == toy[6:] != ["·"] * 5


def test_it_is_one_screen_of_eighty_columns(committed, untested):
    screen = lines([untested] * 49, [committed], {REASON: [f"set-{place}" for place in range(40)]})
    assert len(screen) < 49 + 25
    assert max(map(len, screen)) <= 80


def test_what_was_left_out_is_said_with_its_reason_its_price_and_the_cure(committed, untested):
    text = " ".join(lines([untested], [committed], {REASON: ["wine", "iris"]}))
    lost = sum(
        not row["part"] and row["universe"] == "default" and row["verdict"] != "untested"
        for row in committed.reference
    )
    assert f"2 data sets could not be had, which leaves {lost} claims untested" in text
    assert f"{REASON}: wine, iris." in text
    assert "ICML2008_MIRROR" in text
    assert "could not be had" not in " ".join(lines([untested], [committed]))


def test_it_says_what_to_do_next_with_the_folder_that_was_run(untested):
    text = "\n".join(lines([untested], []))
    assert "icml2008 show doe2008toy" in text
    assert "icml2008 verdicts doe2008toy --results results/quick" in text
    assert "committed, at full" not in text
