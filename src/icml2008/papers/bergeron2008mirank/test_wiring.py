"""What the trials record, on rankers that score by a rule and are tuned over a known nu."""

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .boxes import SYNTHETIC, Boxes, synthetic


class ByRule:
    """Scores by the first feature and noise that is least at one nu; notes what it was taught."""

    best = 10.0
    taught = None

    def __init__(self, nu):
        self.nu = nu

    def fit(self, X, y, *, boxes, bags):
        self.objective_path_ = [4.0, 4.0 - self.nu / 1e6, 3.0 + self.nu / 1e7]
        if self.taught is not None:
            self.taught.append((self.nu, X, y, boxes))
        return self

    def decision_function(self, X):
        wrong = abs(np.log10(self.nu) - np.log10(self.best))
        return X[:, 0] + wrong * np.sin(1e4 * X[:, 1])


def parts_of(seen, boxes):
    names = seen.rng("split").permutation(np.unique(boxes.boxes))
    a = round(0.6 * len(names))
    b = a + round(0.2 * len(names))
    return [boxes.take(part) for part in (names[:a], names[a:b], names[b:])]


def accuracy(part, X, nu, how="max"):
    """Return the percent of boxes of which one of the two best bags is preferred, and flat ones."""
    scores = ByRule(nu).decision_function(X)
    right = []
    for box, preferred in part.preferred.items():
        bags = sorted({bag for bag, of in zip(part.bags, part.boxes, strict=True) if of == box})
        rows = [(part.boxes == box) & (part.bags == bag) for bag in bags]
        values = [getattr(np, how)(scores[at]) for at in rows]
        guessed = [bags[i] for i in np.argsort(-np.array(values), kind="stable")[:2]]
        right.append(bool(set(guessed) & set(preferred)))
    return 100 * np.mean(right)


@pytest.mark.parametrize(
    "choices",
    [{}, {"standardise": "no"}, {"mic-score": "mean"}, {"draw": "many"}, {"nu-ties": "largest"}],
)
def test_the_accuracy_is_that_of_the_best_nu_on_the_validation_boxes(choices):
    methods = {"MIC": ByRule, "mine": ByRule}
    seen = wire(experiments.two_guess_accuracy, repeat=1, methods=methods, choices=choices)
    across = () if "draw" in choices else ("repeat",)
    boxes = synthetic(*SYNTHETIC["synthetic-1"], seen.rng("data", across=across))
    parts = parts_of(seen, boxes)
    spread = 1.0 if "standardise" in choices else parts[0].X.std(axis=0)
    for name in methods:
        how = "mean" if name == "MIC" and "mic-score" in choices else "max"
        valid = [accuracy(parts[1], parts[1].X / spread, nu, how) for nu in experiments.NUS]
        best = [nu for nu, value in zip(experiments.NUS, valid, strict=True) if value == max(valid)]
        nu = best[-1] if "nu-ties" in choices else best[0]
        assert min(valid) < max(valid)
        assert seen[name]["accuracy"] == pytest.approx(
            accuracy(parts[2], parts[2].X / spread, nu, how)
        )
        assert seen[name]["flat"] == 0
        assert seen.n_test[name]["accuracy"] == len(parts[2].preferred)
    assert not seen.kept


def test_boxes_whose_bags_score_alike_are_flat_and_guessed_in_order_or_by_chance():
    class Flat(ByRule):
        def decision_function(self, X):
            return np.zeros(len(X))

    for ties in ("first", "random"):
        choices = {"ties": ties}
        seen = wire(experiments.two_guess_accuracy, methods={"mine": Flat}, choices=choices)
        test = parts_of(seen, experiments.load_boxes(seen.trial))[2]
        assert seen["mine"]["flat"] == 100
        chances = []
        for box, preferred in test.preferred.items():
            bags = sorted(set(test.bags[test.boxes == box]))
            first = float(bool(set(bags[:2]) & set(preferred)))
            chances.append(first if ties == "first" else min(1.0, 2 / len(bags)))
            assert len(preferred) == 1
        assert seen["mine"]["accuracy"] == pytest.approx(100 * np.mean(chances))


def test_only_training_boxes_are_learnt_from_for_every_nu(monkeypatch):
    monkeypatch.setattr(ByRule, "taught", [])
    seen = wire(experiments.accuracy_over_widths, methods={"mine": ByRule})
    train = parts_of(seen, synthetic(0.01, 0.01, seen.rng("data")))[0]
    assert [nu for nu, *_ in ByRule.taught] == pytest.approx(np.logspace(-3, 6, 19))
    for _, X, y, boxes in ByRule.taught:
        np.testing.assert_allclose(X.std(axis=0), 1)
        np.testing.assert_array_equal(y, train.y)
        np.testing.assert_array_equal(boxes, train.boxes)


def test_the_increase_is_the_largest_of_all_paths_relative_to_the_objective():
    """Of nu = 1e6 the objective goes 4, 3, 3.1; smaller ones do not grow, 4, 4, 3."""
    seen = wire(experiments.objective_descent, methods={"mine": ByRule})
    assert seen["mine"]["increase"] == pytest.approx(0.1 / 3)
    assert seen.n_test["mine"]["increase"] == 19


def test_choices_of_mic_reach_mic_alone():
    plain = experiments.methods({"mic": "unweighted", "solution": "interior"})
    assert plain["MIC"].keywords == {"balanced": False, "solution": "interior"}
    other = experiments.methods({"mic": "balanced", "solution": "vertex"})
    assert other["MIC"].keywords == {"balanced": True, "solution": "vertex"}
    assert plain["MIRank"] is other["MIRank"] is experiments.MIRank


def test_the_first_split_of_the_pictured_set_keeps_five_boxes():
    cell = {"dataset": "synthetic-4"}
    seen = wire(experiments.two_guess_accuracy, cell, methods={"mine": ByRule})
    train = parts_of(seen, experiments.load_boxes(seen.trial))[0]
    kept = seen.kept["mine in five boxes"]
    assert set(kept[:, -3]) == set(list(train.preferred)[:5])
    shown = np.isin(train.boxes, list(train.preferred)[:5])
    np.testing.assert_allclose(kept[:, :-3], train.X[shown])
    np.testing.assert_array_equal(kept[:, -2], train.y[shown])
    later = wire(experiments.two_guess_accuracy, cell, repeat=1, methods={"mine": ByRule})
    assert not later.kept


def test_standardised_features_keep_a_constant_one():
    part = Boxes(np.array([[2.0, 1.0], [6.0, 1.0]]), np.zeros(2), np.zeros(2), {0: [0]})
    (new,) = experiments.standardised([part], {"standardise": "yes"})
    np.testing.assert_allclose(new.X, [[1, 1], [3, 1]])
