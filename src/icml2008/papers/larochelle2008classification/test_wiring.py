"""What trials record, on learners that name one class after each pass."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from icml2008.harness.trial import Trial
from wiring import wire

from . import experiments
from .experiments import UNLABELLED, topics


class OneClass:
    """Names class 0 after the first pass, 1 after the second, and so on."""

    def __init__(self, seed):
        self.named = -1
        self.seed = seed
        self.taught = []

    def partial_fit(self, X, y, classes):
        self.named += 1
        self.taught.append(y)
        self.classes = classes

    def predict(self, X):
        return np.full(len(X), self.named)


def stubs(*names):
    made = {}

    def maker(name):
        def make(seed):
            made[name] = OneClass(seed)
            return made[name]

        return make

    return {name: maker(name) for name in names}, made


def test_the_error_is_the_test_error_of_the_best_of_three_passes():
    for repeat in range(4):
        methods, made = stubs("DRBM", "NNet")
        seen = wire(experiments.run_digits, methods=methods, repeat=repeat)
        parts = topics(seen.rng("split"))
        valid = [100 * np.mean(parts.valid[1] != c) for c in range(3)]
        test = [100 * np.mean(parts.test[1] != c) for c in range(3)]
        early = int(valid[1] < valid[0])
        best = min(range(3), key=valid.__getitem__)
        for name in methods:
            assert seen[name]["error"] == pytest.approx(test[best])
            assert seen[name]["early"] == pytest.approx(test[early])
            assert seen.n_test[name] == {"error": len(parts.test[1]), "early": len(parts.test[1])}
            order = seen.rng(f"order {name}").permutation(len(parts.train[1]))
            np.testing.assert_array_equal(made[name].taught[0], parts.train[1][order])
            assert made[name].seed == int(seen.rng(f"seed {name}").integers(2**31))
        if repeat == 0:
            np.testing.assert_allclose(seen.kept["DRBM"], valid, atol=0.005)
        else:
            assert not seen.kept


def test_topics_are_documents_of_six_topics_in_three_parts():
    parts = topics(np.random.default_rng(0))
    assert [len(part[1]) for part in parts[:3]] == [160, 70, 70]
    assert [name[:-1] for name in parts.names] == [
        family for family in experiments.FAMILIES[:3] for _ in "ab"
    ]
    assert set(np.unique(parts.train[0])) == {0, 1}
    assert set(parts.train[1]) == set(range(6))


def test_kinship_is_of_the_best_hybrid_machine_alone():
    methods, made = stubs("RBM", "HDRBM")
    U = np.eye(6)
    U[:, 1] = U[:, 0]

    class Hybrid(OneClass):
        class_components_ = U

    methods["HDRBM"] = Hybrid
    seen = wire(experiments.run_newsgroups, methods=methods)
    alike = 1 / (1 + np.exp(-1))
    assert seen["HDRBM"]["kinship"] == pytest.approx((alike + 0.5 + 0.5) / 3 - 0.5)
    assert "kinship" not in seen["RBM"]
    np.testing.assert_allclose(seen.kept["similarity"], experiments.similarity(U), atol=6e-4)


def test_few_rows_have_their_class_and_the_rest_are_unlabelled_or_left_out():
    methods, made = stubs("HDRBM", "semi-supervised HDRBM")
    seen = wire(experiments.run_few, methods=methods)
    y = topics(seen.rng("split")).train[1]
    assert sorted(made["HDRBM"].taught[0]) == sorted(y[:40])
    assert sorted(made["semi-supervised HDRBM"].taught[0]) == sorted([*y[:40], *[UNLABELLED] * 120])


@pytest.mark.parametrize("inputs", ["threshold", "other"])
def test_digits_are_divided_as_printed(inputs):
    rng = np.random.default_rng(0)
    images = rng.integers(256, size=(6600, 2, 2)).astype(np.uint8)
    y = np.arange(6600) % 10
    digits = SimpleNamespace(images=images, y=y, n_train=6500)
    methods, made = stubs("HDRBM", "semi-supervised HDRBM")
    choices = {"inputs": "threshold"} if inputs == "threshold" else {}
    seen = wire(
        experiments.run_few,
        {"dataset": "mnist-800"},
        methods=methods,
        data={"mnist": digits},
        choices=choices,
    )
    parts = experiments.divided(seen.trial)
    order = seen.rng("split").permutation(6500)[:6000]
    rows = images.reshape(6600, 4) / np.float32(255)
    rows = rows > 0.5 if choices else rows
    np.testing.assert_allclose(parts.train[0], rows[order[:5800]], rtol=1e-6)
    np.testing.assert_allclose(parts.valid[0], rows[order[5800:]], rtol=1e-6)
    np.testing.assert_array_equal(parts.test[1], y[6500:])
    assert sorted(made["HDRBM"].taught[0]) == sorted(y[order[:800]])
    labels = made["semi-supervised HDRBM"].taught[0]
    assert (labels == UNLABELLED).sum() == 5000


@pytest.mark.parametrize("table", ["of_table_1", "of_figure_3", "of_table_3"])
def test_rows_of_an_update_are_chosen_and_steps_stay_as_long(table):
    for rows in ("1", "20"):
        for name, make in getattr(experiments, table)({"rows": rows}).items():
            model = make(3)
            assert model.batch_size == int(rows)
            rate = 0.005 if name == "RBM" else 0.01 if name == "NNet" else 0.05
            assert model.learning_rate == pytest.approx(rate * int(rows))
            assert model.random_state == 3


@pytest.mark.parametrize("dataset", ["mnist", "newsgroups"])
def test_whole_sets_keep_their_order_or_give_up_the_printed_rows_for_stopping(dataset):
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(60_010, 4) if dataset == "mnist" else (2_000, 4))
    n = len(X) - 10
    data = SimpleNamespace(images=255 * X, X=csr_array(X), y=np.arange(len(X)) % 5, n_train=n)
    seen = trial_of(dataset, {experiments.SETS[dataset]: data})
    parts = experiments.divided(seen)
    cut = 50_000 if dataset == "mnist" else n - 1691
    order = np.arange(n) if dataset == "mnist" else seen.rng("split").permutation(n)
    np.testing.assert_array_equal(parts.train[1], data.y[order[:cut]])
    np.testing.assert_array_equal(parts.valid[0], X[order[cut:]])
    np.testing.assert_array_equal(parts.test[1], data.y[n:])


def trial_of(dataset, data):
    return Trial(
        "larochelle2008classification",
        experiments.run_digits,
        {"dataset": dataset},
        0,
        choices={"inputs": "grey", "rows": "1"},
        load=data.__getitem__,
    )
