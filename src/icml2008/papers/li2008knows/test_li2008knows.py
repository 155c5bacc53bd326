"""What learners and worked examples must agree with, and that claims fail for careless learners."""

import itertools
import math

import numpy as np
import pytest

from . import experiments as ours
from .experiments import Distance, Linear, Lines, Union


def test_example_2_goes_as_the_text_has_it():
    learner = Union([Distance(1), Lines(2)])
    for x, y in ((2.0, 2.0), (8.0, 4.0)):
        assert [hypothesis.predict(np.array([x])) for hypothesis in learner.active] == [None, None]
        learner.learn(np.array([x]), y)
    predictions = [hypothesis.predict(np.array([1.0])) for hypothesis in learner.active]
    assert predictions == pytest.approx([3, 5 / 3])
    assert learner.predict(np.array([1.0])) is None
    learner.learn(np.array([1.0]), 3.0)
    assert [type(hypothesis) for hypothesis in learner.active] == [Distance]
    assert learner.predict(np.array([7.0])) == pytest.approx(3)


def test_a_line_of_points_leaves_two_centres_and_tells_distances_on_it():
    """Figure 3b: centres (1, 1) and (1, -1) have the same distances from the axis."""
    learner = Distance(2)
    centre = np.array([1.0, 1.0])
    for x in ((0.0, 0.0), (3.0, 0.0)):
        learner.learn(np.array(x), np.linalg.norm(np.array(x) - centre))
    assert learner.predict(np.array([5.0, 0.0])) == pytest.approx(math.hypot(4, 1))
    assert learner.predict(np.array([0.0, 1.0])) is None


def test_section_2_knows_the_bottom_path_and_not_the_top_one():
    learner = Linear(3)
    for edge in ours.PATHS["middle"]:
        if learner.predict(edge) is None:
            learner.learn(edge, edge @ ours.W)
    assert sum(learner.predict(edge) for edge in ours.PATHS["bottom"]) == pytest.approx(14)
    assert learner.predict(ours.PATHS["top"][-1]) is None
    paths = list(ours.PATHS.values())
    assert ours.walked(paths, ours.W, knows=False) == 50
    assert ours.walked(paths, ours.W, knows=True) <= 3


def test_enumeration_is_a_plain_loop_over_patrons():
    """Example 1 with three patrons: of those that fit, all agree or the answer is unknown."""
    learner, inputs, truth, bound = ours.bar(np.random.default_rng(0), n=3)
    groups = list(itertools.product((0, 1), repeat=3))
    fit = list(itertools.permutations(range(3), 2))
    count = 0
    for x in inputs:
        answers = {bool(groups[x][f] and not groups[x][p]) for f, p in fit}
        assert (learner.predict(x) is None) == (len(answers) > 1)
        if len(answers) > 1:
            count += 1
            learner.learn(x, truth(x))
            fit = [(f, p) for f, p in fit if (groups[x][f] and not groups[x][p]) == truth(x)]
    assert 0 < count <= bound == 5


@pytest.mark.parametrize("name", ours.CLASSES)
def test_a_learner_that_forgets_exceeds_its_bound(name, monkeypatch):
    rng = np.random.default_rng(0)
    assert ours.asked(rng, ours.CLASSES[name], adversary=False) <= (0, 0)
    for kind in (ours.Memory, ours.Enumeration, Linear, Distance, Union):
        monkeypatch.setattr(kind, "learn", lambda self, x, y: None)
    assert ours.asked(rng, ours.CLASSES[name], adversary=False)[0] > 0


def test_fewer_observations_fail_more_often(monkeypatch):
    rng = np.random.default_rng(0)
    p = np.full((ours.RUNS, 1), 0.5)
    assert (
        np.mean(ours.coin_failures(rng, p, 0.05)) < 0.05 < np.mean(ours.coin_failures(rng, p, 0.9))
    )
    assert np.mean(ours.union_failures(rng, 0.5)) < 0.05 / 3
