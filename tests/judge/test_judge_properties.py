"""What must not change a verdict, does not."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from icml2008.judge.judgement import rejudge
from icml2008.judge.measures import Metric

PAIRS = arrays(float, (9, 2), elements=st.integers(0, 100).map(float))
DIFFERENCE = {"difference": ["A", "B"]}
MIRRORED = {"confirmed": "refuted", "refuted": "confirmed"}
# The fixture only builds records: it keeps nothing between examples.
many = settings(suppress_health_check=list(HealthCheck), max_examples=40)


def series(x, cell=""):
    return {(cell, "A"): list(x[:, 0]), (cell, "B"): list(x[:, 1])}


def words(verdicts):
    return [(v.verdict, v.generalises) for v in verdicts]


@many
@given(x=PAIRS, factor=st.sampled_from([0.01, 1000.0]))
@pytest.mark.parametrize("comparison", [{"above": "0"}, {"near": "50"}])
def test_units_do_not_matter(judge, x, factor, comparison):
    statistic = DIFFERENCE if "above" in comparison else {"mean": "A"}
    if "near" in comparison:
        comparison = {"near": {"value": "50", "margin": "4"}}
        scaled = {"near": {"value": f"{50 * factor:g}", "margin": f"{4 * factor:g}"}}
    else:
        scaled = comparison
    verdicts = judge(series(x), statistic=statistic, **comparison)
    metric = Metric(unit="other", bounds=(0, 100 * factor), better="higher")
    other = judge(series(x * factor), metric=metric, statistic=statistic, **scaled)
    assert words(verdicts) == words(other)


@many
@given(x=PAIRS)
def test_order_of_repeats_does_not_matter(judge, x):
    assert words(judge(series(x), statistic=DIFFERENCE, above="0")) == words(
        judge(series(x[::-1]), statistic=DIFFERENCE, above="0")
    )


@many
@given(x=PAIRS)
def test_order_of_methods_turns_an_order_round(judge, x):
    (verdict,) = judge(series(x), statistic=DIFFERENCE, above="0")
    (other,) = judge(series(x[:, ::-1]), statistic=DIFFERENCE, above="0")
    assert other.verdict == MIRRORED.get(verdict.verdict, verdict.verdict)


@many
@given(x=PAIRS, constant=st.integers(1, 50))
def test_a_constant_for_all_methods_leaves_orders_alone(judge, x, constant):
    metric = Metric(unit="points", better="higher")
    verdicts = judge(series(x), metric=metric, statistic=DIFFERENCE, above="0")
    other = judge(series(x + constant), metric=metric, statistic=DIFFERENCE, above="0")
    assert words(verdicts) == words(other)


@many
@given(x=PAIRS, y=PAIRS)
def test_a_part_that_is_listed_twice_counts_once(judge, x, y):
    both = series(x, "d=x") | series(y, "d=y")
    verdicts = judge(both, statistic=DIFFERENCE, above="0", each={"d": ["x", "y"]})
    other = judge(both, statistic=DIFFERENCE, above="0", each={"d": ["x", "y", "x"]})
    assert words(verdicts) == words(other)


@many
@given(x=PAIRS, y=PAIRS)
def test_order_of_parts_does_not_matter(judge, x, y):
    both = series(x, "d=x") | series(y, "d=y")
    whole, *_ = judge(both, statistic=DIFFERENCE, above="0", each={"d": ["x", "y"]})
    other, *_ = judge(both, statistic=DIFFERENCE, above="0", each={"d": ["y", "x"]})
    assert whole.verdict == other.verdict


@many
@given(x=PAIRS)
def test_failures_never_decide_what_was_open(judge, x):
    metric = {"statistic": DIFFERENCE, "above": "0"}
    failing = series(x)
    failing["", "A"].append(None)
    failing["", "B"].append(50.0)
    (verdict,) = judge(series(x), **metric)
    (other,) = judge(failing, **metric)
    assert other.verdict in (verdict.verdict, "inconclusive")


@pytest.mark.parametrize(
    "statistic",
    [
        {"mean": "A"},
        DIFFERENCE,
        {"ratio": ["A", "B"]},
        {"lead": "A", "over": ["B"]},
        {"slope": "A", "along": "size"},
        {"rank_correlation": ["A", "B"], "along": "size"},
        {"second_difference": "A", "along": "size"},
        {"crosses": ["A", "B"], "along": "size"},
        {"crossing": ["A", "B"], "along": "size"},
        {"last_crossing": ["A", "B"], "along": "size"},
        {"argbest": "A", "along": "size"},
        {"difference": ["A", "B"], "across": {"size": "all"}, "reduce": "count"},
        {"mean": "A", "across": {"size": "all"}, "reduce": "max"},
    ],
    ids=lambda statistic: next(iter(statistic)) + statistic.get("reduce", ""),
)
@pytest.mark.parametrize("comparison", [{"above": "0"}, {"near": {"value": "2", "n": 4}}])
@pytest.mark.parametrize("kind", ["fresh", "resplit"])
def test_a_verdict_is_a_function_of_what_it_stores(judge, statistic, comparison, kind):
    rng = np.random.default_rng(2008)
    sizes = (1, 2, 3) if {"along", "across"} & set(statistic) else (1,)
    both = {}
    for size in sizes:
        both |= series(rng.uniform(40, 60, size=(8, 2)), f"size={size}")
    resampling = {"kind": kind} | ({"train": 0.6, "test": 0.2} if kind == "resplit" else {})
    (verdict,) = judge(both, statistic=statistic, resampling=resampling, **comparison)
    # The fixture has compared `rejudge` with the verdict; here, that its inputs are what counts.
    content = json.loads(json.dumps(verdict.to_json()))
    content |= {"effect": None, "low": None, "verdict": "untested", "reason": ""}
    assert rejudge(content) == verdict
