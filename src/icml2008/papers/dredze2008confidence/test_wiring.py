"""What trials record, derived from their own draws and from learners that err by rule."""

from math import comb

import numpy as np
import pytest
from scipy.sparse import csr_array

from wiring import wire

from . import experiments
from .method import ConfidenceWeighted, combine_confidence_weighted

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
    rows = [draw.choice(np.flatnonzero(y == LABELS), 200, replace=False) for y in (-1, 1)]
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


def test_on_talk_the_fall_from_the_first_pass_to_the_fifth_is_measured(by_rule):
    data = {"product-reviews": None}
    methods = {"Variance": by_rule["PA"], "Variance-Exact": by_rule["Variance"]}
    for phi, power in (("own", 1), ("shared", 2)):
        cell = {"task": "kitchen-400"}
        seen = wire(
            experiments.exact_on_talk, cell, methods=methods, data=data, choices={"phi": phi}
        )
        last = drawn(seen) % 10
        first = 100 * np.mean(last < power + 4)
        end = 100 * np.mean(last < power)
        assert seen["Variance-Exact"]["first_error"] == pytest.approx(first)
        assert seen["Variance-Exact"]["reduction"] == pytest.approx(100 * (first - end) / first)


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
        "Uniform": error(combine_confidence_weighted(parts, "uniform"), new),
        "Weighted": error(combine_confidence_weighted(parts, "precision"), new),
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


def test_a_win_counts_where_its_p_value_is_below_five_per_cent(by_rule, monkeypatch):
    """Of 67 and 67 + 1 examples on which the two differ: exact p-values on either side of it."""
    for lost, won, significant in ((27, 44, 0), (26, 44, 100)):
        exact = 2 * sum(comb(won + lost, k) for k in range(lost + 1)) / 2 ** (won + lost)
        assert (exact < 0.05) == (significant == 100)
        assert exact < 0.06
        wrong = np.zeros((2, 5, 400), dtype=bool)
        wrong[0, :, :won] = True
        wrong[1, :, won : won + lost] = True
        missed = dict(zip(("PA", "Variance"), wrong, strict=True))
        monkeypatch.setattr(experiments, "measure_tasks", lambda trial, missed=missed: missed)
        assert online(by_rule)["Variance"]["significant"] == significant


def relative_entropy(u, A, v, B):
    inverse = np.linalg.inv(B)
    divergence = np.log(np.linalg.det(B) / np.linalg.det(A)) + np.trace(inverse @ A)
    return (divergence + (v - u) @ inverse @ (v - u) - len(u)) / 2


def test_slack_and_excess_are_those_of_lemma_1_and_of_cheaper_steps(monkeypatch):
    """As for steps that are twice too long, of which neither is zero."""
    right = experiments.multiplier
    monkeypatch.setattr(experiments, "multiplier", lambda *given: 2 * right(*given))
    seen = wire(experiments.steps_of_a_full_covariance)
    rng = seen.rng("steps")
    slack = []
    excess = []
    for _ in range(100):
        mean = rng.normal(size=2)
        root = rng.normal(size=(2, 2))
        x = rng.normal(size=2)
        S = root @ root.T + 0.1 * np.eye(2)
        phi = 10 ** rng.uniform(-2, 1)
        y = rng.choice([-1, 1])
        alpha = 2 * right(y * (mean @ x), x @ S @ x, phi)
        if alpha == 0:
            continue
        new = np.linalg.inv(np.linalg.inv(S) + 2 * alpha * phi * np.outer(x, x))
        moved = mean + alpha * y * S @ x
        gap = abs(y * (moved @ x) - phi * (x @ new @ x))
        slack.append(gap / (phi * (x @ S @ x) + abs(mean @ x)))
        cost = relative_entropy(moved, new, mean, S)
        for _ in range(20):
            bent = np.eye(2) + 10 ** rng.uniform(-4, -1) * rng.normal(size=(2, 2))
            rival = bent @ new @ bent.T
            need = max(0, phi * (x @ rival @ x) - y * (mean @ x)) / (x @ S @ x)
            excess.append(cost - relative_entropy(mean + need * y * S @ x, rival, mean, S))
    assert seen["Lemma 1"] == pytest.approx({"slack": max(slack), "excess": max(excess)}, rel=1e-6)
    assert seen.n_test["Lemma 1"] == {"slack": len(slack), "excess": len(excess)}
    monkeypatch.undo()
    seen = wire(experiments.steps_of_a_full_covariance)["Lemma 1"]
    assert max(seen.values()) < 1e-9


@pytest.mark.parametrize(("run", "fits"), [("ten-folds", 30), ("one-tenth", 3)])
def test_the_parameters_of_one_run_are_the_best_and_serve_all_folds(by_rule, run, fits):
    seen = wire(
        experiments.parameters_of_one_run,
        methods=by_rule,
        data={"product-reviews": None},
        choices={"run": run},
    )
    assert ByRule.trained_on == [360] * (2 * 5 * (fits + 10))
    last = drawn(seen) % 10
    for name, power in (("PA", 2), ("Variance", 1)):
        assert seen[name]["parameter"] == pytest.approx(power)
        assert seen[name]["error"] == pytest.approx(100 * np.mean(last < power))
        assert seen.n_test[name]["error"] == 400
    assert seen["Variance"]["significant"] == 100
