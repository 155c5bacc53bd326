"""Explanations hold all that a person needs to compute a verdict again."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from icml2008.judge.explain import explain
from icml2008.judge.measures import Metric
from icml2008.judge.reasons import outlook

LOSS = Metric(unit="nats", better="higher")


def test_interval_can_be_computed_from_the_printed_values(judge, around):
    series = {("", "A"): around(52, 2, 12), ("", "B"): around(50, 1, 12)[::-1]}
    (verdict,) = judge(series, statistic={"difference": ["A", "B"]}, above="0")
    text = explain(verdict)
    values = np.array(re.search(r"values +(.*)", text)[1].split(), dtype=float)
    low, high = map(float, re.search(r"95 % interval \[(\S+), (\S+)\]", text).groups())
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    # Numbers are printed with four digits or more.
    assert (low, high) == pytest.approx(tuple(expected), rel=1e-3)


def test_every_series_is_printed_where_repeats_have_no_number(judge, around):
    series = {("", "A"): around(60, 1, 8), ("", "B"): around(20, 1, 8)}
    (verdict,) = judge(series, metric=LOSS, statistic={"ratio": ["A", "B"]}, above="2")
    text = explain(verdict)
    for name, mean in (("A", 60), ("B", 20)):
        values = np.array(re.search(rf"^  {name} +(.*)", text, re.MULTILINE)[1].split(), float)
        assert values.mean() == pytest.approx(mean, rel=1e-4)


def test_whole_lists_its_parts_with_their_p_values(judge, around):
    series = {("d=x", "A"): around(60, 1, 8), ("d=y", "A"): around(40, 1, 8)}
    whole, *_ = judge(series, statistic={"mean": "A"}, each={"d": ["x", "y"]}, above="50")
    text = explain(whole)
    assert "d=x: confirmed, p of refutation 1" in text
    assert re.search(r"d=y: refuted, p of refutation \S+e-", text)


def test_the_reason_of_a_whole_counts_its_parts_and_names_the_refuted_by_their_values(
    judge, around
):
    series = {("d=x", "A"): around(60, 1, 8), ("d=y", "A"): around(40, 1, 8)}
    whole, *_ = judge(series, statistic={"mean": "A"}, each={"d": ["x", "y"]}, above="50")
    sentence = r"2 parts: 1 confirmed, 1 refuted; y: p = \S+ × 2 parts \(Holm\) < 0\.025"
    assert re.fullmatch(sentence, whole.reason)
    whole, *_ = judge(series, statistic={"mean": "A"}, each={"d": ["x"]}, above="50")
    assert whole.reason == "1 part: 1 confirmed"


def test_preliminary_and_stand_in_are_marked(judge, around):
    series = {("", "A"): around(60, 1, 8)}
    (verdict,) = judge(series, statistic={"mean": "A"}, above="50", status="stand_in")
    assert explain(verdict).splitlines()[0] == "p / c: confirmed, stand-in data"


def test_choices_and_power_are_said(judge, around):
    series = {("", "A"): around(50, 1, 8)}
    (verdict,) = judge(series, statistic={"mean": "A"}, above="50")
    tried = {"tried": ["ties"], "robustness": "turns on: ties", "choices": ["mode", "ties"]}
    text = explain(replace(verdict, **tried))
    assert re.search(r"choices +turns on: ties; 1 of 2 choices tried\n", text)
    assert f"could have seen {verdict.could_see:.4g} percent from 50" in text


def test_repeats_are_not_said_to_help_against_failures():
    row = {"verdict": "inconclusive", "comparison": "near", "unit": "nats", "could_see": 2.0}
    assert outlook(row | {"repeats_needed": 6, "hindrance": "failures"}).endswith("printed value")
    assert outlook(row | {"repeats_needed": 6}).endswith("; about 6 repeats would decide")
