"""A claim's page, complete by itself; what became of one that was taken out."""

from datetime import date

import pytest

from icml2008.catalogue.parts import Change
from icml2008.report.pages.claim import badge
from icml2008.report.pages.lines import claim_rows

KEY = "doe2008toy"


@pytest.fixture
def beats(claims, both):
    return claims(both)[f"{KEY}/a-beats-b.html"]


def test_tags_are_balanced_and_ids_unique(claims, both):
    for page in claims(both).values():
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))


def test_each_claim_has_its_page_and_leads_back(claims, both):
    pages = claims(both)
    assert set(pages) == {f"{KEY}/{name}.html" for name in both.paper.claims}
    assert all(f"../{KEY}.html" in page.links for page in pages.values())
    assert all("../site.css" in page.loaded for page in pages.values())


def test_it_says_claim_quote_page_note_and_whose_it_is(beats):
    for words in (
        "A is better than B & <i>never</i> worse.",
        "headline claim",
        "A outperforms B & C Page 3",
        "Not <b>C</b>.",
        "Learning <b>Fast</b> & Well",
    ):
        assert words in beats.text


def test_every_reason_is_on_a_page(claims, both):
    text = " ".join(page.text for page in claims(both).values())
    for verdict in both.reference:
        if verdict["universe"] == "default":
            assert verdict["reason"] in text


def test_every_reading_is_in_a_table_in_words(claims, both, full):
    both.reference[:] = [*full, *(row | {"universe": "ties=random"} for row in full)]
    page = claims(both)[f"{KEY}/a-beats-b.html"]
    assert "Both readings of the paper" in page.text
    words = "As we read the text Which of equals comes first? random"
    assert f"{words} ~ inconclusive 1 confirmed, 1 inc" in page.text
    assert "ties=random" not in page.text
    assert "Part by part" in page.text
    assert f"{words} ✓ confirmed 3.12 [1.88, 4.38]" in page.text


def test_what_no_choice_touches_has_no_table_of_readings(claims, both):
    page = claims(both)[f"{KEY}/on-a-cluster.html"]
    assert "Under other choices" not in page.text


def test_it_says_how_to_run_and_cite_it(beats):
    assert "icml2008 run doe2008toy/main" in beats.text
    assert "@misc{icml2008-doe2008toy-a-beats-b," in beats.text
    assert "@inproceedings" not in beats.text


def test_robustness_and_power_are_told(claims, both):
    tried = {"tried": ["mode", "order", "ties"], "turned_by": ["ties"]}
    whole, _, wine = both.reference[:3]
    whole |= {"robustness": "turns on: ties", "choices": tried["tried"], **tried}
    wine |= {"could_see": 3.1, "repeats_needed": 120}
    text = claims(both)[f"{KEY}/a-beats-b.html"].text
    assert "It turns on what the text leaves open: Which of equals comes first?" in text
    assert "3 of 3 choices tried" in text
    assert "could have seen 3.1 percent; about 120 repeats would decide" in text


def test_choices_are_counted_and_one_that_turns_is_said(claims, both):
    counted = {"tried": ["ties"], "robustness": "turns on: ties", "choices": ["mode", "ties"]}
    both.reference[0] |= counted | {"turned_by": ["ties"]}
    text = claims(both)[f"{KEY}/a-beats-b.html"].text
    assert "turns on a reading" in text
    assert "1 of 2 choices tried" in text


def test_the_address_of_a_withdrawn_claim_says_what_became_of_it(claims, both, other):
    gone = {"claim": "b-beats-c", "date": date(2026, 1, 3), "before": "B beats C by 2."}
    change = Change(**gone, reason="Only a bug refutes it.")
    page = claims(other(both, KEY, changes=[change]))[f"{KEY}/b-beats-c.html"]
    assert "The claim b-beats-c was taken out" in page.text
    assert "Only a bug refutes it." in page.text


def test_the_address_of_a_renamed_claim_leads_to_it(claims, both, other):
    gone = {"claim": "b-beats-c", "date": date(2026, 1, 3), "before": "B beats C by 2."}
    change = Change(**gone, renamed="a-beats-b", reason="C is A.")
    page = claims(other(both, KEY, changes=[change]))[f"{KEY}/b-beats-c.html"]
    assert "The claim b-beats-c has another name" in page.text
    assert "a-beats-b.html" in page.links


def test_a_badge_that_turns_on_a_choice_says_so_beside_the_word(both):
    row = claim_rows(both)["a-accuracy"]
    assert ">a-accuracy<" in badge(row)
    assert ">✗ refuted<" in badge(row)
    assert "refuted, turns on a reading" in badge(row | {"turned_by": ["ties", "mode"]})
    assert "refuted, disputed" in badge(row | {"disputed": True})


def test_labels_of_parts_keep_values_with_commas(claims, both, full):
    named = both.paper.model_dump(mode="json")
    named["claims"]["a-beats-b"]["each"] = {"dataset": ["iris, all", "wine"]}
    paper = type(both.paper).model_validate(named, strict=False)
    both.reference[:] = [
        row | {"part": row["part"].replace("iris", "iris, all")}
        if row["claim"] == "a-beats-b"
        else row
        for row in full
    ]
    text = claims(type(both)(paper, [], both.reference))[f"{KEY}/a-beats-b.html"].text
    assert "iris, all above 0" in text
