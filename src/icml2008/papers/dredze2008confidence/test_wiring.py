"""What trials record, derived from their own draws and from learners that err by rule."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from wiring import wire

from . import experiments
from .method import ConfidenceWeighted, combine

N = 600
LABELS = np.where(np.arange(N) % 3, 1, -1)


class ByRule:
    """Errs on rows whose number ends below log10(value) + 5 - passes."""

    trained_on = None

    def __init__(self, value):
        self.value = value
        self.passes = 0

    def partial_fit(self, X, y, classes):
        self.passes += 1
        self.trained_on.append(len(y))
        return self

    def predict(self, X):
        rows = X.toarray()[:, 0].astype(int) - 1
        wrong = rows % 10 < round(np.log10(self.value)) + 5 - self.passes
        return np.where(wrong, -LABELS[rows], LABELS[rows])


@pytest.fixture
def by_rule(monkeypatch):
    X = csr_array(np.arange(1.0, N + 1)[:, None])
    monkeypatch.setattr(experiments, "bags", lambda data, task, frame: (X, LABELS))
    monkeypatch.setattr(ByRule, "trained_on", [])
    return {"PA": (ByRule, (1e4, 1e2, 1e3)), "Variance": (ByRule, (1e3, 1e1, 1e2))}


def drawn(trial):
    draw = trial.rng("examples")
    rows = [draw.choice(np.flatnonzero(LABELS == y), 200, replace=False) for y in (-1, 1)]
    return np.concatenate(rows)


def online(methods, **choices):
    data = {"product-reviews": None}
    return wire(experiments.one_example_at_a_time, methods=methods, data=data, choices=choices)


def test_errors_are_those_of_the_best_parameter_after_one_pass_and_after_five(by_rule):
    seen = online(by_rule)
    last = drawn(seen) % 10
    for name, power in (("PA", 2), ("Variance", 1)):
        first = 100 * np.mean(last < power + 4)
        end = 100 * np.mean(last < power)
        assert seen[name]["parameter"] == pytest.approx(power)
        assert seen[name]["first_error"] == pytest.approx(first)
        assert seen[name]["error"] == pytest.approx(end)
        assert seen[name]["reduction"] == pytest.approx(100 * (first - end) / first)
        assert set(seen.n_test[name].values()) == {400, None}
    assert seen["Variance"]["significant"] == 100


def test_a_win_of_the_other_side_and_a_draw_are_not_significant(by_rule):
    turned = {"PA": by_rule["Variance"], "Variance": by_rule["PA"]}
    assert online(turned)["Variance"]["significant"] == 0
    assert online(dict.fromkeys(turned, by_rule["PA"]))["Variance"]["significant"] == 0


def test_tuning_is_on_every_division_or_on_one(by_rule):
    """On every one: 10 times 3 values on 9 tenths of 360 rows; on one: of all 400."""
    for tuning, tuned in (("one-division", {360}), ("inside", {324, 360})):
        ByRule.trained_on.clear()
        online(by_rule, tuning=tuning)
        assert set(ByRule.trained_on) == tuned
        runs = 3 if tuning == "one-division" else 30
        assert len(ByRule.trained_on) == 5 * 2 * (10 + runs)


def test_choices_reach_the_methods_that_they_name():
    for pa, schedule in (("PA-I", "pa1"), ("PA-II", "pa2")):
        make, _ = experiments.passive_aggressive({"pa": pa})
        assert make(0.5).learning_rate == schedule
        assert make(0.5).eta0 == 0.5
    for diagonal, update in (("of-inverse", "variance"), ("other", "projected")):
        make, values = experiments.confident({"diagonal": diagonal})
        assert make(0.1).update == update
        assert (min(values), max(values)) == pytest.approx((1e-3, 10))
    assert experiments.support_vectors(3.0).C == 3.0
    assert experiments.entropy(3.0).C == 3.0


def test_parts_of_a_stream_are_taught_by_the_best_parameter_and_combined():
    seen = wire(experiments.parts_of_a_stream)
    X, y, truth = experiments.common_words(seen.rng("documents"))
    rows = seen.rng("split").permutation(8000)
    new = rows[:1000]
    stream = rows[1000:]
    tuning = seen.rng("tuning").permutation(stream)

    def taught(phi, part):
        model = ConfidenceWeighted(phi, update="variance")
        return model.partial_fit(X[part], y[part], classes=[-1, 1])

    def error(model, part):
        return 100 * np.mean(model.predict(X[part]) != y[part])

    errors = [error(taught(phi, tuning[:2000]), tuning[2000:]) for phi in experiments.CONFIDENCES]
    phi = experiments.CONFIDENCES[errors.index(min(errors))]
    parts = [taught(phi, part) for part in np.array_split(stream, 10)]
    expected = {
        "Variance": error(taught(phi, stream), new),
        "Average": sum(error(part, new) for part in parts) / 10,
        "Uniform": error(combine(parts, "uniform"), new),
        "Weighted": error(combine(parts, "precision"), new),
        "Without noise": 100 - 100 * np.mean(truth[new] == y[new]),
    }
    assert {name: seen[name]["error"] for name in expected} == pytest.approx(expected)
    assert seen.n_test["PA"]["error"] == 1000


def test_documents_are_common_words_and_labels_cut_a_score_at_its_median():
    X, y, truth = experiments.common_words(np.random.default_rng(0))
    assert X.shape == (8000, 2880)
    assert set(X.data) == {1}
    assert (y == 1).sum() == (truth == 1).sum() == 4000
    often = np.asarray(X.mean(axis=0)).ravel()
    first = 1 - (1 - 1 / np.sum(1 / np.arange(1, 2881))) ** 60
    assert often[0] == pytest.approx(first, abs=0.02)
    assert 0.05 < np.mean(y != truth) < 0.1


def test_slack_and_excess_are_those_of_lemma_1_and_of_cheaper_steps():
    """Nothing above rounding breaks the constraint; relative entropies by inverses."""
    seen = wire(experiments.steps_of_a_full_covariance)["Lemma 1"]
    assert 0 <= seen["slack"] < 1e-9
    assert seen["excess"] < 1e-9
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(3, 3)) for _ in range(2))
    A = a @ a.T + np.eye(3)
    B = b @ b.T + np.eye(3)
    u, v = rng.normal(size=(2, 3))
    inverse = np.linalg.inv(B)
    expected = np.log(np.linalg.det(B) / np.linalg.det(A)) + np.trace(inverse @ A)
    expected += (v - u) @ inverse @ (v - u) - 3
    assert experiments.divergence(u, A, v, B) == pytest.approx(expected / 2)
