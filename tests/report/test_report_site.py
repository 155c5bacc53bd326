import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from icml2008.audit.findings import Finding
from icml2008.catalogue.model import Venue
from icml2008.harness.records import canonical
from icml2008.report import site
from icml2008.report.problems import NOTHING_WRONG, Outcome, Problem
from icml2008.report.site import overview, write_audit, write_index, write_paper, write_quality

KEY = "doe2008toy"
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """Collects what the tests ask about; complains of tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.loaded, self.tags = [], [], [], [], Counter()
        self.words, self.scripts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href"):
                (self.links if tag == "a" else self.loaded).append(value)
            elif name in ("src", "srcset", "data", "action", "poster"):
                self.loaded.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open[-1:] == ["script"] else self.words).append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


_drawn = {}


@pytest.fixture(autouse=True)
def _draw_each_figure_once(monkeypatch):
    """Keep figures: drawing takes most of the time, and equal results have equal figures."""
    drawings = site.drawings

    def drawn(results):
        key = canonical([results.current, results.reference])
        if key not in _drawn:
            _drawn[key] = [
                SimpleNamespace(name=one.name, caption=one.caption, svg=cache(one.svg))
                for one in drawings(results)
            ]
        return _drawn[key]

    monkeypatch.setattr(site, "drawings", drawn)


@pytest.fixture
def html(tmp_path, run):
    """Write a paper's page and return its text."""
    return lambda results: write_paper(tmp_path, results, run).read_text("utf-8")


@pytest.fixture
def page(html):
    return lambda results: Page(html(results))


@pytest.fixture
def index(tmp_path, run):
    """Write the scoreboard and read it."""

    def written(*results, outcome=NOTHING_WRONG):
        return Page(
            write_index(tmp_path, [overview(one, run) for one in results], run, outcome).read_text(
                "utf-8"
            )
        )

    return written


def other_paper(results, key):
    return replace(results, paper=results.paper.model_copy(update={"key": key}))


def test_tags_are_balanced(page, both):
    assert page(both).open == []


def test_every_id_is_unique(page, both):
    ids = page(both).ids
    assert len(ids) == len(set(ids))


def test_every_link_of_the_site_has_its_target(page, index, both, tmp_path):
    pages = {"doe2008toy.html": page(both), "index.html": index(both)}
    write_audit(tmp_path, [], [])
    write_quality(tmp_path, [], [])
    for name, found in pages.items():
        for link in found.links + found.loaded:
            file, _, anchor = link.partition("#")
            if not file.startswith("data:"):
                assert not file or (tmp_path / file).is_file()
                assert not anchor or anchor in pages[file or name].ids


def test_claims_have_permanent_anchors(page, both):
    assert {"doe2008toy", "a-beats-b", "a-accuracy"} <= set(page(both).ids)


def test_nothing_is_loaded_from_elsewhere(html, both):
    text = html(both)
    assert all(link.startswith("#") for link in Page(text).loaded)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "@import" not in style
    assert "url(" not in style


def test_no_script_runs(html, both):
    text = html(both)
    assert "<script" not in text
    assert not re.search(r"<[^>]* on\w+=", text)


def test_every_verdict_is_on_the_page(page, both):
    text = page(both).text
    for verdict in both.current + both.reference:
        assert verdict["reason"] in text


def test_a_universe_with_the_same_verdict_is_not_listed(page, full, both):
    same = [dict(v, universe="ties=random") for v in full if not v["part"]]
    listed = "Where a choice changes a verdict"
    text = page(replace(both, reference=full + same)).text
    assert f"{listed} Nowhere: 1 universes" in text


def test_every_verdict_is_in_the_data_beside_the_page(html, both, tmp_path):
    html(both)
    content = json.loads((tmp_path / "doe2008toy.json").read_text("utf-8"))
    assert content["current"] == both.current
    assert content["reference"] == both.reference


def test_texts_are_shown_as_they_are_and_never_as_markup(page, both):
    hostile = "</script ><script>alert(1)</script >"
    both.current[0]["reason"] = hostile
    found = page(both)
    assert found.tags["script"] == found.tags["b"] == found.tags["i"] == 0
    assert "Learning <b>Fast</b> & Well" in found.text
    assert "A is better than B & <i>never</i> worse." in found.text
    assert "A <CPU>" in found.text
    assert hostile in found.text


def test_the_printed_value_stands_beside_ours(page, preliminary):
    assert "96.10 ± 1.5 96.000 ± 1.400" in page(preliminary).text


def test_both_questions_are_answered(page, preliminary):
    text = page(preliminary).text
    assert "Reproduces Generalises" in text
    # The verdict, then the answer for new data with its wider interval.
    assert "✓ confirmed ~ inconclusive [91.000, 101.000]" in text


def test_this_run_stands_beside_the_reference(page, both, preliminary):
    assert "this run (quick, 8 repeats)" in page(both).text
    assert "this run (" not in page(preliminary).text


def test_verdicts_of_a_small_run_are_marked(page, both, preliminary):
    def marks(results):
        return page(results).text.count("preliminary") - constant

    constant = page(replace(both, current=[])).text.count("preliminary")
    assert marks(preliminary) > 0
    assert marks(replace(both, current=[])) == 0


def test_the_scoreboard_counts_whole_claims(index, both):
    text = index(both).text
    board = text[text.index("Evidence") : text.index("reference, full scale")]
    assert board.split()[-4:] == ["0", "1", "1", "1"]


def test_the_scoreboard_lists_each_claim_with_its_verdict(index, both):
    assert "✗ refuted A's accuracy costs $5 or $6." in index(both).text


def test_totals_appear_with_the_second_paper(index, both):
    assert "All papers" not in index(both).text
    assert "All papers 0 2 2 2" in index(both, other_paper(both, "roe2008other")).text


def test_what_the_proceedings_build_on_is_in_no_total(index, both):
    venue = Venue(name="L", kind="lectures", booktitle="L", year=2022)
    lectures = other_paper(both, "lectures")
    lectures = replace(lectures, paper=lectures.paper.model_copy(update={"venue": venue}))
    text = index(both, other_paper(both, "roe2008other"), lectures).text
    assert "All papers 0 2 2 2" in text
    assert "What they build on, in no total Learning <b>Fast</b> & Well 0 1 1 1" in text


def test_findings_of_the_audit_stand_by_certainty(tmp_path, paper):
    findings = [
        Finding(KEY, name, "GRIM", certainty, f"Table {name}", f"{name} of 10")
        for name, certainty in (
            ("one", "impossible"),
            ("two", "overstated"),
            ("three", "consistent"),
        )
    ]
    text = Page(write_audit(tmp_path, findings, [paper]).read_text("utf-8")).text
    order = ["Impossible (1)", "Table one", "Overstated (1)", "Table two", "Consistent (1)"]
    assert [part for _, part in sorted((text.index(part), part) for part in order)] == order
    assert paper.title in text
    assert "one of 10 Rule GRIM." in text


def test_the_audit_has_the_errata_that_were_not_taken_back(tmp_path, paper):
    text = Page(write_audit(tmp_path, [], [paper]).read_text("utf-8")).text
    assert "Misprints found by reading (1)" in text
    assert "Eq. 1 A sign is wrong. n < 0." in text
    assert "So it seemed." not in text


def absent(*names, why="not in the cache"):
    return {
        name: {
            "dataset": name,
            "status": "unavailable",
            "files": {},
            "reasons": {f"{name}.csv": why, f"{name}.txt": why},
        }
        for name in names
    }


def test_what_is_left_out_is_grouped_by_reason_below_the_scoreboard(index, both):
    gone = absent("wine", "iris") | absent("moons", why="no moon today")
    text = index(replace(both, data=gone), other_paper(both, "roe2008other")).text
    box = text[text.index("Left out") : text.index("All claims Learning")]
    assert text.index("Scoreboard Whole") < text.index("Left out")
    assert "3 data sets" in box
    assert "Not in the cache: iris, for doe2008toy wine, for doe2008toy No moon today:" in box
    assert box.count("ICML2008_MIRROR") == 1


def test_a_data_set_that_two_papers_read_is_named_once(index, both):
    gone = replace(both, data=absent("wine"))
    text = index(gone, other_paper(gone, "roe2008other")).text
    assert "what needs a data set that could not be had" in text
    assert "wine, for doe2008toy , roe2008other" in text


def test_nothing_left_out_is_not_mentioned(page, both):
    state = {"dataset": "wine", "status": "available", "files": {}, "reasons": {}}
    assert "Left out" not in page(replace(both, data={"wine": state})).text


def test_what_is_wrong_stands_above_the_scoreboard_with_links(index, both):
    wrong = Outcome([Problem("moved", "A became B", KEY), Problem("corrupt", "wine: rotten")], 9)
    found = index(both, outcome=wrong)
    top = found.text[: found.text.index("Scoreboard Whole")]
    assert "1 data set is corrupt, 1 mean moved" in top
    assert "Not of one paper (1) wine: rotten doe2008toy (1) A became B" in top
    assert found.links[0] == f"{KEY}.html"
    assert "agrees with" not in found.text


def test_a_good_run_says_quietly_that_it_agrees(index, both):
    small = Outcome(compared=1234, explained=[Problem("arithmetic", "A became B", KEY)])
    text = index(both, outcome=small).text
    assert text.index("Scoreboard Whole") < text.index("agrees with the reference: 1,234 values")
    assert "other arithmetic explains (1) doe2008toy (1) A became B" in text
    assert "wrong" not in text


def test_a_run_without_a_reference_says_nothing_of_it(index, both):
    text = index(both).text
    assert "agrees with" not in text
    assert "other arithmetic" not in text


def test_a_failed_job_is_on_its_papers_page(page, both):
    assert "run_trials 0003" in page(replace(both, failed_jobs=["run_trials 0003"])).text
    assert "jobs failed" not in page(both).text


def test_stale_evidence_is_marked(page, both):
    assert "other code than today's" in page(both).text
    assert "other code than today's" not in page(replace(both, stale=False)).text


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
        "ties=random",
    ):
        assert expected in text


def test_an_erratum_that_was_taken_back_is_not_shown(page, both):
    assert "So it seemed." not in page(both).text


def test_a_paper_without_page_numbers_has_none(page, both):
    unpaged = replace(both, paper=both.paper.model_copy(update={"pages": None}))
    assert ", pages 1–8" in page(both).text
    assert ", pages" not in page(unpaged).text


def test_robustness_is_marked(page, preliminary):
    tried = {"tried": ["mode", "order", "ties"], "turned_by": ["ties"]}
    preliminary.current[0] |= {"robustness": "depends: ties", "choices": tried["tried"], **tried}
    assert "depends: ties; 3 of 3 choices tried" in page(preliminary).text


def test_choices_are_counted_where_there_is_no_word(page, preliminary):
    preliminary.current[0] |= {
        "tried": ["ties"],
        "turned_by": ["ties"],
        "choices": ["mode", "ties"],
    }
    assert "1 of 2 choices tried; turned by ties" in page(preliminary).text


def test_an_inconclusive_part_says_what_it_could_have_seen(page, preliminary):
    preliminary.current[2] |= {"could_see": 3.1, "repeats_needed": 120}
    assert "could have seen 3.1 percent; about 120 repeats would decide" in page(preliminary).text


def of_status(results, status):
    """Return results whose claim a-beats-b has another status."""
    changed = [
        row | {"status": status} if row["claim"] == "a-beats-b" else row for row in results.current
    ]
    return replace(results, current=changed)


@pytest.mark.parametrize(
    ("status", "heading", "label"),
    [
        ("ours", "Beyond the paper", "ours"),
        ("stand_in", "On stand-in data", "stand-in data"),
    ],
)
def test_claims_that_are_not_the_papers_stand_apart_and_in_no_score(
    page, index, preliminary, status, heading, label
):
    found = of_status(preliminary, status)
    text = page(found).text
    own, _, beyond = text.partition(f" {heading} ")
    assert "In no score." in beyond
    assert "A is better than B" not in own
    assert "A's accuracy costs" not in beyond.partition("Download")[0]
    assert f"preliminary {label} " in beyond
    board = index(found).text
    assert f"0 1 0 1 {heading}: 1 inconclusive this run" in board


def test_each_claim_of_the_paper_is_quoted_and_noted(page, both):
    text = page(both).text
    assert "A outperforms B & C Page 3 Not <b>C</b>. Judged by" in text
    assert "headline claim" in text


def test_departures_say_what_was_changed_and_why(page, both):
    text = page(both).text
    departures = text.partition(" Departures ")[2].partition(" Errata ")[0]
    assert (
        "a-accuracy claim, 2026-01-02 Before: margin 1 < 2. After: margin 2. Rounding."
        in departures
    )
    unchanged = replace(both, paper=both.paper.model_copy(update={"changes": []}))
    assert "Departures" not in page(unchanged).text


def test_a_paper_that_is_only_planned_has_its_claims_untested(page, both):
    planned = replace(both, current=[], reference=[], provenance=None, stale=False)
    text = page(planned).text
    assert "Evidence: none yet." in text
    assert "needs hardware" in text


def test_the_page_is_the_same_bytes_each_time(html, both):
    assert html(both) == html(both)


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


def test_what_other_arithmetics_do_is_on_the_papers_page_and_counted_on_the_index(
    page, index, both
):
    tried = replace(both, arithmetic=OTHER)
    text = page(tried).text
    section = text.partition(" Whether it turns on the processor ")[2]
    assert "nehalem quick 8 5 2 1 a-accuracy : confirmed becomes inconclusive" in section
    assert "prescott full 8 7 1 0 all 4 as in the reference" in section
    counted = index(tried).text
    assert "Of 4 verdicts on claims and their parts, 1 depends on which computes" in counted
    assert "of 8 means, 1 shifts beyond its resolution" in counted
    assert "turns on the processor" not in page(both).text


def test_a_statistic_of_several_methods_speaks_of_the_method(page, preliminary):
    for row in preliminary.current:
        row["statistic"] = "difference of {method} and B"
    text = page(preliminary).text
    assert "Judged by: difference of the method and B" in text
