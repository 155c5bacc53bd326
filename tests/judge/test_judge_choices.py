"""Choices that turn a claim."""

import pytest

from icml2008.judge.judgement import rejudge
from icml2008.judge.readings import with_readings
from icml2008.judge.turning import Robustness, robustness, turned, with_robustness
from icml2008.judge.verdict import Verdict

MEAN = {"mean": "A"}
EACH = {"d": ["x", "y"]}


@pytest.fixture
def at(judge, around):
    """Return a function from a mean to the verdict on a claim that it is above 50."""

    def verdict(mean, spread=2.0, n=12):
        return judge({("", "A"): around(mean, spread, n)}, statistic=MEAN, above="50")[0]

    return verdict


def test_change_of_verdict_with_a_change_of_effect_turns(at):
    assert turned(at(53), at(47))


def test_same_verdict_is_not_turned(at):
    assert not turned(at(53), at(60))


def test_verdict_that_only_loses_its_certainty_is_not_turned(at, judge, around):
    # The same mean with repeats in another order and a larger spread: the change includes 0.
    other = judge({("", "A"): around(53, 9.0, 12)[::-1]}, statistic=MEAN, above="50")[0]
    assert other.verdict == "inconclusive"
    assert not turned(at(53), other)


def test_change_is_paired_by_repeat(at, judge, around):
    # 0.4 off in every repeat is far less than the spread, and certain.
    low = at(50.8, 1.0)
    high = at(50.4, 1.0)
    assert (low.verdict, high.verdict) == ("confirmed", "inconclusive")
    values = around(50.8, 1.0, 12)
    shifted = [v - 0.4 + 0.01 * (i % 3) for i, v in enumerate(values)]
    other = judge({("", "A"): shifted}, statistic=MEAN, above="50")[0]
    assert turned(low, other)


def test_untested_turns_nothing(at, judge):
    (untested,) = judge({}, statistic=MEAN, above="50")
    assert untested.verdict == "untested"
    assert not turned(at(53), untested)


def test_whole_is_turned_by_a_part_that_is(judge, around):
    def verdicts(y):
        series = {("d=x", "A"): around(53, 2, 12), ("d=y", "A"): around(y, 2, 12)}
        return judge(series, statistic=MEAN, each=EACH, above="50")

    assert turned(verdicts(53), verdicts(47))
    assert not turned(verdicts(53), verdicts(52.9))


def test_whole_confirmed_here_and_refuted_there_is_turned_however_many_its_parts(judge, around):
    # No resample of six repeats shows a change of one of nine parts beyond Holm's correction.
    places = [str(place) for place in range(9)]

    def verdicts(first):
        series = {(f"d={d}", "A"): around(6 if d > "0" else first, 0.5, 6) for d in places}
        series |= {(f"d={d}", "B"): around(4, 0.5, 6)[::-1] for d in places}
        return judge(series, statistic={"ratio": ["A", "B"]}, each={"d": places}, above="1")

    before = verdicts(6)
    after = verdicts(2)
    assert (before[0].verdict, after[0].verdict) == ("confirmed", "refuted")
    assert turned(before, after)
    assert turned(after, before)


def test_whole_without_its_parts_is_an_error(judge, around):
    def verdicts(y):
        series = {("d=x", "A"): around(53, 2, 12), ("d=y", "A"): around(y, 2, 12)}
        return judge(series, statistic=MEAN, each=EACH, above="50")

    with pytest.raises(ValueError, match="pass all verdicts"):
        turned(verdicts(53)[0], verdicts(47)[0])


def test_ratio_is_turned_by_resampling_its_change(judge, around):
    def verdict(a):
        series = {("", "A"): around(a, 1, 12), ("", "B"): around(20, 1, 12)[::-1]}
        return judge(series, statistic={"ratio": ["A", "B"]}, above="2")[0]

    assert turned(verdict(50), verdict(30))


@pytest.mark.parametrize(("rival", "turns"), [(4.0, True), (8.2, False)])
def test_two_repeats_that_agree_show_how_a_deterministic_ratio_moved(judge, rival, turns):
    def verdict(value):
        series = {("", "A"): [2.0, 2.0], ("", "B"): [value, value]}
        return judge(series, statistic={"ratio": ["B", "A"]}, above="3", deterministic=True)[0]

    assert verdict(8.0).verdict == "confirmed"
    assert turned(verdict(8.0), verdict(rival)) == turns


def test_violated_invariant_turns_by_itself(judge):
    never = {"instances": 2, "tolerance": "1e-9"}
    kept, violated = (
        judge({("", "A"): [0.0, x]}, statistic=MEAN, never_violated=never)[0] for x in (0.0, 1.0)
    )
    assert turned(kept, violated)


@pytest.mark.parametrize(
    ("means", "word"),
    [
        ({"a": [54], "b": [55], "c": [52.9]}, "robust"),
        ({"a": [54, 47], "b": [55], "c": [56]}, "turns on: a"),
        ({"a": [47], "b": [45], "c": [56]}, "turns on: a, b"),
        ({"a": [54], "b": [55]}, None),
        ({"a": [54], "b": [47]}, "turns on: b"),
    ],
)
def test_robustness_names_the_choices_that_turn(at, means, word):
    others = {name: [at(mean) for mean in tried] for name, tried in means.items()}
    assert robustness(at(53), others).word == word


def test_three_choices_tried_on_some_parts_only_make_no_whole_robust(at):
    others = {name: [at(mean)] for name, mean in {"a": 54, "b": 55, "c": 56}.items()}
    assert robustness(at(53), others, fewest=3).word == "robust"
    assert robustness(at(53), others, fewest=2).word is None


@pytest.mark.parametrize(
    ("alone", "word", "turning"),
    [
        (54, "turns on: a+b", ("a+b",)),
        (47, "turns on: a", ("a",)),  # what a turns alone, it turns beside b, too
    ],
)
def test_choices_that_turn_a_claim_together_are_named_and_not_counted(at, alone, word, turning):
    others = {"a": [at(alone)], "b": [at(55)], "c": [at(56)], "a+b": [at(47)]}
    result = robustness(at(53), others)
    assert (result.word, result.tried, result.turned_by) == (word, ("a", "b", "c"), turning)


def test_nothing_tried_says_nothing(at):
    assert robustness(at(53), {}) == Robustness()


def test_a_choice_with_five_common_repeats_is_not_tried(at):
    result = robustness(at(53), {"a": [at(54, n=5)], "b": [at(54, n=6)]})
    assert result.tried == ("b",)


def test_a_whole_is_tried_by_what_tries_a_part(judge, around):
    def verdicts(n, mean):
        series = {("d=x", "A"): around(53, 2, 12)[:n], ("d=y", "A"): around(mean, 2, 12)}
        return judge(series, statistic=MEAN, each=EACH, above="50")

    assert robustness(verdicts(12, 54), {"a": [verdicts(3, 55)]}).tried == ("a",)


def test_a_choice_under_which_nothing_that_counts_changed_is_not_tried(at):
    assert robustness(at(53), {"a": [at(53)]}).tried == ()


def test_two_common_repeats_try_a_claim_that_is_declared_deterministic(judge):
    def verdict(*values):
        return judge({("", "A"): values}, statistic=MEAN, above="50", deterministic=True)[0]

    assert robustness(verdict(53, 53), {"a": [verdict(54, 54)], "b": [verdict(54)]}).tried == ("a",)


@pytest.mark.parametrize("comparison", ["above", "exactly"])
def test_a_choice_under_which_all_failed_is_not_tried_and_turns_nothing(judge, comparison):
    verdict, other = (
        judge({("", "A"): [value] * 8}, statistic=MEAN, **{comparison: "50"})[0]
        for value in (50.0, None)
    )
    assert verdict.verdict != other.verdict or comparison == "above"
    assert robustness(verdict, {"a": [other]}) == Robustness()


def test_a_counter_example_counts_however_few_its_repeats(judge):
    never = {"instances": 2, "tolerance": "1e-9"}
    kept, violated = (
        judge({("", "A"): [0.0, x]}, statistic=MEAN, never_violated=never)[0] for x in (0.0, 1.0)
    )
    result = robustness(kept, {"a": [violated], "b": [kept]})
    assert (result.tried, result.turned_by) == (("a",), ("a",))


def test_robustness_is_kept_on_the_verdict_and_when_it_is_judged_again(at):
    verdict = at(53)
    result = robustness(verdict, {"a": [at(47)], "b": [at(54)]})
    judged = with_robustness(verdict, result, ["c", "b", "a"])
    assert (judged.tried, judged.turned_by, judged.choices) == (["a", "b"], ["a"], ["a", "b", "c"])
    assert rejudge(judged.to_json()) == Verdict.from_json(judged.to_json())


def test_a_verdict_written_before_choices_were_counted_can_be_read(at):
    former = at(53).to_json() | {"robustness": "robust"}
    for name in ("tried", "turned_by", "choices"):
        del former[name]
    assert Verdict.from_json(former).tried == []


def test_readings_are_kept_when_it_is_judged_again(at):
    verdict = at(53)
    readings = {"confirmed": ["default", "a=2"], "refuted": ["b=3"]}
    judged = with_readings(verdict, readings, None)
    assert judged.verdict == "depends"
    again = rejudge(judged.to_json())
    assert (again.verdict, again.finding) == ("depends", "confirmed")
    assert {word: set(names) for word, names in again.readings.items()} == {
        "confirmed": {"default", "a=2"},
        "refuted": {"b=3"},
    }
