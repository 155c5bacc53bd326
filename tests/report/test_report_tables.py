import csv
import io

import pytest

from icml2008.report.claim_tables import (
    COLUMNS,
    claims_table,
    to_csv,
    to_latex,
    to_markdown,
    write_tables,
)


@pytest.fixture
def rows(preliminary):
    return {(row["claim"], row["part_text"]): row for row in claims_table(preliminary)}


def test_printed_values_stay_as_printed(rows):
    assert rows["a-accuracy", "iris"]["printed_text"] == "96.10 ± 1.5"
    assert rows["a-accuracy", "wine"]["printed_text"] == "70.5"
    assert rows["a-beats-b", "iris"]["printed_text"] == "above 0"


def test_our_value_has_one_decimal_more_than_the_printed_one(rows):
    assert rows["a-accuracy", "iris"]["ours_text"] == "96.000 ± 1.400"
    assert rows["a-accuracy", "wine"]["ours_text"] == "60.25 ± 1.40"


def test_without_a_printed_precision_the_standard_error_gets_two_digits(rows):
    # se = 0.5: two digits are two decimals.
    assert rows["a-beats-b", "wine"]["ours_text"] == "−0.50 ± 1.40"
    assert rows["a-beats-b", "wine"]["interval_text"] == "[−1.75, 0.75]"


def test_the_spread_is_the_standard_deviation_of_the_repeats(rows):
    # n values at steps of h have the variance h^2 n (n + 1) / 12; here n = 8, h = 4 / 7.
    expected = (4 / 7) * (8 * 9 / 12) ** 0.5
    assert rows["a-accuracy", "iris"]["sd"] == pytest.approx(expected, rel=1e-12)


def test_a_whole_with_parts_has_a_verdict_and_no_numbers(rows):
    whole = rows["a-accuracy", ""]
    assert whole["verdict_text"] == "✗ refuted (preliminary)"
    assert whole["ours_text"] == whole["printed_text"] == whole["interval_text"] == ""


def test_failed_repeats_are_said(preliminary):
    preliminary.current[1]["failed"] = 2
    assert claims_table(preliminary)[1]["repeats_text"] == "8 (2 failed)"


def test_the_csv_gives_the_numbers_back_exactly(preliminary):
    rows = claims_table(preliminary)
    read = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert tuple(read[0]) == COLUMNS
    for row, back in zip(rows, read, strict=True):
        for name in ("effect", "low", "high", "sd", "tolerance"):
            assert (float(back[name]) if back[name] else None) == row[name]
        assert back["reason"] == row["reason"]


def test_every_row_of_the_markdown_has_all_cells(preliminary):
    preliminary.current[1]["part"] = "dataset=a|b"
    lines = to_markdown(claims_table(preliminary)).replace(r"\|", "").splitlines()
    assert {line.count("|") for line in lines} == {11}
    assert len(lines) == 2 + len(preliminary.shown_claims())


def test_the_latex_has_only_what_its_packages_can_set(preliminary):
    preliminary.current[1]["part"] = "dataset=a_b & 5%"
    text = to_latex(claims_table(preliminary))
    assert text.isascii()
    assert r"a\_b \& 5\%" in text
    assert r"$-$0.50 $\pm$ 1.40" in text


def test_tables_are_the_same_bytes_each_time(both, tmp_path):
    for stem in ("one", "two"):
        write_tables(both, tmp_path / stem)
    for suffix in ("csv", "md", "tex"):
        first, second = (tmp_path / f"{stem}.{suffix}" for stem in ("one", "two"))
        assert first.read_bytes() == second.read_bytes() != b""


def test_the_csv_names_the_choices(preliminary):
    preliminary.current[0] |= {"tried": ["order", "ties"], "turned_by": ["ties"]}
    (row, *_) = csv.DictReader(io.StringIO(to_csv(claims_table(preliminary))))
    assert (row["tried"], row["turned_by"], row["choices"]) == ("order; ties", "ties", "")
