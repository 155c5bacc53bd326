from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array

from icml2008.catalogue import library
from icml2008.data import load
from icml2008.data.texts import Texts
from icml2008.harness.trial import Trial
from icml2008.papers.dredze2008confidence import experiments
from icml2008.papers.dredze2008confidence.averages import AveragedConfidenceWeighted
from icml2008.papers.dredze2008confidence.method import (
    ConfidenceWeighted,
    combine_confidence_weighted,
    multiplier,
)
from icml2008.papers.dredze2008confidence.tasks import bags

KEY = "dredze2008confidence"
PHI = 0.3


def draw(n=30, d=6, seed=0):
    """Return sparse counts and labels of two classes."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.7, size=(n, d)).astype(float)
    X[:, 0] += 1  # no empty row
    return csr_array(X), np.where(rng.random(n) < 0.5, "no", "yes")


@pytest.mark.parametrize("wrong", [True, False])
def test_the_multiplier_is_the_larger_root_of_the_quadratic(wrong):
    m, v, phi = (-2.0, 1.5, 0.7) if wrong else (0.3, 1.5, 0.7)
    roots = np.roots([2 * phi * v**2, v * (1 + 2 * phi * m), m - phi * v])
    assert np.isclose(multiplier(m, v, phi), roots.max())
    assert roots.min() < 0
    assert multiplier(phi * v, v, phi) == 0


def test_the_exact_update_is_the_optimum_of_a_general_solver():
    x = np.array([1.0, 2.0, 0.5])
    before = np.array([-0.5, 0.2, 0.0])
    spread = 0.8
    phi = 0.9
    model = ConfidenceWeighted(phi=phi, a=spread, update="exact")
    model.partial_fit(csr_array(x[None]), [1], classes=[0, 1])
    model.coef_ = before[None].copy()
    model.variance_ = np.full(3, spread)
    model.partial_fit(csr_array(x[None]), [1])

    def divergence(z):
        mean = z[:3]
        s = np.exp(z[3:])
        return np.sum(s / spread - np.log(s / spread) + (mean - before) ** 2 / spread) / 2

    optimum = minimize(
        divergence,
        np.concatenate([before, np.log(np.full(3, spread))]),
        constraints={"type": "ineq", "fun": lambda z: x @ z[:3] - phi * x**2 @ np.exp(z[3:])},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(model.coef_[0], optimum.x[:3], atol=1e-5)
    np.testing.assert_allclose(model.variance_, np.exp(optimum.x[3:]), atol=1e-5)


def test_averages_are_the_mean_of_the_weights_after_each_example_of_all_passes():
    X, y = draw()
    plain = ConfidenceWeighted(phi=PHI)
    averaged = AveragedConfidenceWeighted(phi=PHI)
    weights = []
    for _ in range(2):
        averaged.partial_fit(X, y)
        for i in range(len(y)):
            plain.partial_fit(X[[i]], y[[i]], classes=["no", "yes"])
            weights.append(plain.coef_[0].copy())
    mean = np.mean(weights, axis=0)
    np.testing.assert_allclose(averaged.decision_function(X), X @ mean, atol=1e-12)
    np.testing.assert_array_equal(averaged.coef_, plain.coef_)
    assert np.abs(X @ (mean - plain.coef_[0])).max() > 0.01


def test_adding_to_the_inverse_leaves_smaller_variances():
    """Equation 17 against the diagonal of Equation 13: not equivalent, as the text has it."""
    X = csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]))
    added, dropped = (
        ConfidenceWeighted(update=update, max_iter=1).fit(X, [0, 1]).variance_
        for update in ("variance", "projected")
    )
    assert (added[:2] < dropped[:2]).all()
    assert np.isclose(added[2], dropped[2])


def test_dropping_off_diagonals_is_the_diagonal_of_the_inverse():
    x = np.array([1.0, 2.0, 3.0])
    model = ConfidenceWeighted(phi=0.3, a=2.0, update="projected")
    model.partial_fit(csr_array(x[None]), [1], classes=[0, 1])
    alpha = multiplier(0.0, 2 * x @ x, 0.3)
    full = np.linalg.inv(np.eye(3) / 2 + 2 * alpha * 0.3 * np.outer(x, x))
    np.testing.assert_allclose(model.variance_, np.diag(full))


@pytest.mark.parametrize("update", ["variance", "projected", "exact"])
def test_only_phi_times_the_root_of_a_matters(update):
    X, y = draw()
    scaled = ConfidenceWeighted(phi=0.6, a=1.0, update=update).fit(X, y)
    other = ConfidenceWeighted(phi=0.2, a=9.0, update=update).fit(X, y)
    np.testing.assert_allclose(other.coef_, 3 * scaled.coef_)
    np.testing.assert_allclose(other.variance_, 9 * scaled.variance_)


def test_a_fit_is_as_many_passes_and_forgets():
    X, y = draw()
    passes = ConfidenceWeighted()
    for _ in range(3):
        passes.partial_fit(X, y, classes=["no", "yes"])
    whole = ConfidenceWeighted(max_iter=3).fit(X, y).fit(X, y)
    np.testing.assert_array_equal(passes.coef_, whole.coef_)
    assert set(whole.predict(X)) <= {"no", "yes"}


def test_combined_by_precision_gaussians_multiply():
    models = [ConfidenceWeighted().fit(*draw(seed=seed)) for seed in range(3)]
    joined = combine_confidence_weighted(models)
    precisions = [1 / model.variance_ for model in models]
    np.testing.assert_allclose(1 / joined.variance_, np.sum(precisions, axis=0))
    pulls = [model.coef_[0] / model.variance_ for model in models]
    np.testing.assert_allclose(joined.coef_[0] / joined.variance_, np.sum(pulls, axis=0))
    plain = combine_confidence_weighted(models, weights="uniform")
    np.testing.assert_allclose(plain.coef_, np.mean([model.coef_ for model in models], axis=0))


def test_what_cannot_be_learnt_or_combined_is_named():
    X, y = draw()
    with pytest.raises(ValueError, match="Only binary classification is supported.* 3 classes"):
        ConfidenceWeighted().fit(X[:3], ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"classes \['maybe'\] beyond"):
        ConfidenceWeighted().fit(X, y).partial_fit(X[:1], ["maybe"])
    counts = np.random.default_rng(0).random((60, 4))
    with pytest.raises(ValueError, match="features are so large that a variance vanishes; scale"):
        ConfidenceWeighted().fit(1e8 * counts, counts[:, 0] + counts[:, 1] > 1)
    with pytest.raises(ValueError, match="weights is 'precision' or 'uniform', not 'equal'"):
        combine_confidence_weighted([ConfidenceWeighted().fit(X, y)], weights="equal")
    with pytest.raises(ValueError, match="of the same classes and features"):
        combine_confidence_weighted(
            [ConfidenceWeighted().fit(X, y), ConfidenceWeighted().fit(X[:, :3], y)]
        )


def test_postings_are_sets_of_words_and_reviews_counts_of_words_and_pairs():
    label = ("talk.politics.guns", "talk.politics.mideast", "books/negative")
    texts = Texts(("From: me\n\nso so", "To: all\n\nthen", "Bad\n\nso so"), np.array(label), label)
    X, y = bags(texts, "talk", "kept")
    assert X.toarray().tolist() == [
        [0, 1, 1, 1, 0, 0],
        [1, 0, 0, 0, 1, 1],
    ]  # all from me so then to
    assert y.tolist() == [-1, 1]
    X, _ = bags(texts, "books", "body")
    assert X.toarray().tolist() == [[2, 1]]  # so, so so


def test_of_equally_good_parameters_the_middle_one_is_taken():
    X = csr_array(np.ones((20, 1)))
    y = np.ones(20)
    constant = SimpleNamespace(predict=lambda X: np.ones(X.shape[0]))
    made = (lambda _: SimpleNamespace(fit=lambda X, y: constant), (0.1, 1.0, 10.0))
    assert experiments.best_parameter(made, X, y, np.arange(20)) == 1.0


def test_a_plain_loop_finds_the_errors_of_variance_again():
    """Algorithm 1 as printed, example by example, over ten folds of 400 reviews."""
    choices = library.trial_choices(KEY, "online", "default")
    cell = {"task": "kitchen-400"}
    trial = Trial(KEY, experiments.one_example_at_a_time, cell, 0, choices=choices, load=load)
    trial.methods = {"Variance": (ConfidenceWeighted, (PHI,))}
    wrong = experiments.measure_tasks(trial)["Variance"][-1]

    X, y = experiments.examples(trial)
    order = trial.rng("folds").permutation(400)
    for test in np.split(order, 10)[:5]:
        mu = np.zeros(X.shape[1])
        sigma = np.ones(X.shape[1])
        for i in np.tile(order[~np.isin(order, test)], 5):
            on, x = (part[X.indptr[i] : X.indptr[i + 1]] for part in (X.indices, X.data))
            s = sigma[on]
            margin = y[i] * mu[on] @ x
            v = s @ x**2
            b = 1 + 2 * PHI * margin
            gamma = (-b + np.sqrt(b**2 - 8 * PHI * (margin - PHI * v))) / (4 * PHI * v)
            alpha = max(gamma, 0)
            mu[on] += alpha * y[i] * s * x
            sigma[on] = 1 / (1 / s + 2 * alpha * PHI * x**2)
        assert (wrong[test] == (np.where(X[test] @ mu > 0, 1, -1) != y[test])).all()
