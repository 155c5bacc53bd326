"""ListMLE, ListNet and RankCosine as estimators."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize_scalar
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods.listwise import _kernels, rankers
from icml2008.methods.listwise.base import list_numbers
from icml2008.methods.listwise.losses import cosine_loss, cross_entropy_loss, likelihood_loss
from icml2008.methods.listwise.rankers import ListMLE, ListNet, RankCosine
from icml2008.methods.listwise.targets import target_scores

RANKERS = [ListMLE, ListNet, RankCosine]
LOSSES = {ListMLE: likelihood_loss, ListNet: cross_entropy_loss, RankCosine: cosine_loss}


def sample(n_lists=30, n_items=6, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_lists * n_items, 2))
    y = X @ [1.0, 5.0] + rng.normal(scale=noise, size=len(X))
    return X, y, np.repeat(np.arange(n_lists), n_items)


# A nearly separable list has its maximum far away; the checks ask for no convergence.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        ListMLE(alpha=0.1, random_state=0),
        ListNet(alpha=0.1, random_state=0),
        RankCosine(alpha=0.1, random_state=0),
        ListMLE(hidden=2, alpha=0.1, random_state=0),
    ]
)
def test_scikit_learn_finds_nothing_to_complain_of(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", _kernels.KINDS.values())
@pytest.mark.parametrize("hidden", [0, 3])
def test_gradients_in_the_parameters_are_those_of_finite_differences(kind, hidden):
    rng = np.random.default_rng(kind + hidden)
    X = rng.normal(size=(11, 2))
    starts = np.array([0, 4, 5, 11])
    targets = rng.random(11)
    theta = rng.normal(size=hidden * 4 + 1 if hidden else 3)
    out = np.empty_like(theta)

    def total(at):
        return _kernels.total_loss(kind, X, targets, starts, at, hidden, np.empty_like(at))

    _kernels.total_loss(kind, X, targets, starts, theta, hidden, out)
    # forward differences of step 1e-7: errors of that order
    np.testing.assert_allclose(out, approx_fprime(theta, total, 1e-7), atol=1e-5)


@pytest.mark.parametrize("make", RANKERS)
def test_mean_loss_is_that_of_the_lists(make):
    X, y, qid = sample()
    model = make(random_state=0).fit(X, y, qid)
    each = []
    for i in range(30):
        order = np.argsort(-y[qid == i])
        targets = np.empty(6)
        targets[order] = target_scores(6)
        given = y[qid == i] if make is ListMLE else targets
        each.append(LOSSES[make](model.predict(X[qid == i]), given)[0])
    # ListNet's is a cross entropy, ours above a divergence: the entropy of the targets apart
    p = np.exp(target_scores(6) - np.logaddexp.reduce(target_scores(6)))
    entropy = -(p @ np.log(p)) if make is ListNet else 0.0
    assert np.isclose(model.loss_, np.mean(each) + entropy, rtol=1e-9)


def test_list_numbers_two_are_logistic_regression_on_differences():
    X, y, qid = sample(n_lists=200, n_items=2, noise=1.0)
    model = ListMLE(tol=1e-10, random_state=0).fit(X, y, qid)
    difference = X[::2] - X[1::2]
    won = y[::2] > y[1::2]
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(difference, won)
    np.testing.assert_allclose(model.coef_[:2], peer.coef_[0], atol=1e-4)


def test_rank_cosine_finds_the_best_angle():
    X, y, qid = sample()
    model = RankCosine("sqrt", tol=1e-12, random_state=0).fit(X, y, qid)
    order = np.lexsort((-y, qid))
    targets = np.tile(target_scores(6, "sqrt"), 30)

    def loss(angle):
        scores = X[order] @ [np.cos(angle), np.sin(angle)]
        parts = zip(scores.reshape(30, 6), targets.reshape(30, 6), strict=True)
        return np.mean([cosine_loss(*part)[0] for part in parts])

    grid = np.linspace(-np.pi, np.pi, 721)
    best = grid[np.argmin([loss(angle) for angle in grid])]
    best = minimize_scalar(loss, bounds=(best - 0.01, best + 0.01), method="bounded",
                           options={"xatol": 1e-10}).x  # fmt: skip
    angle = np.arctan2(model.coef_[1], model.coef_[0])
    assert abs(angle - best) < 1e-4


@pytest.mark.parametrize("make", [ListMLE, ListNet])
def test_the_minimum_of_a_convex_loss_does_not_depend_on_the_start(make):
    X, y, qid = sample()
    models = [make(random_state=i, init_scale=3.0, tol=1e-10).fit(X, y, qid) for i in range(3)]
    for other in models[1:]:
        np.testing.assert_allclose(other.coef_, models[0].coef_, rtol=1e-4)


@pytest.mark.parametrize("make", RANKERS)
def test_descent_comes_near_the_minimum(make):
    X, y, qid = sample()
    exact = make(random_state=0).fit(X, y, qid)
    descent = make(solver="sgd", learning_rate=0.01, tol=1e-6, max_iter=5000, random_state=0).fit(
        X, y, qid
    )
    assert exact.loss_ <= descent.loss_ + 1e-9
    # single steps of a fixed length keep a distance from the minimum
    assert descent.loss_ < exact.loss_ + 1e-2


def test_one_epoch_takes_a_step_a_list():
    X, y, qid = sample(n_lists=3)
    model = ListMLE(solver="sgd", learning_rate=0.2, max_iter=1, random_state=4)
    with pytest.warns(ConvergenceWarning, match="sgd stopped"):
        model.fit(X, y, qid)
    state = np.random.RandomState(4)
    state.permutation(len(X))
    w = state.normal(scale=0.1, size=3)[:2]
    for i in range(3):
        _, by_score = likelihood_loss(X[qid == i] @ w, y[qid == i])
        w = w - 0.2 * by_score @ X[qid == i]
    np.testing.assert_allclose(model.coef_, [*w, 0.0], rtol=1e-12)


def test_descent_stops_once_the_loss_hardly_changes():
    X, y, qid = sample()
    model = ListMLE(solver="sgd", tol=1e-3, random_state=0).fit(X, y, qid)
    changes = np.abs(np.diff(model.loss_path_))
    assert changes[-1] < 1e-3 <= changes[:-1].min()
    assert len(model.loss_path_) == model.n_iter_


@pytest.mark.parametrize("make", RANKERS)
def test_the_order_of_the_samples_does_not_matter(make):
    X, y, qid = sample()
    shuffled = np.random.default_rng(5).permutation(len(X))
    names = np.array([f"query {i}" for i in qid])
    model = make(random_state=0, tol=1e-10).fit(X, y, qid)
    other = make(random_state=0, tol=1e-10).fit(X[shuffled], y[shuffled], names[shuffled])
    np.testing.assert_allclose(other.predict(X), model.predict(X), rtol=1e-3, atol=1e-6)


def test_a_constant_helps_rank_cosine_and_leaves_the_others_alone():
    X, y, qid = sample(noise=0.05)
    scores = {
        (make, bias): make(bias=bias, random_state=0).fit(X, y, qid).score(X, y, qid)
        for make in RANKERS
        for bias in (False, True)
    }
    assert scores[ListMLE, True] == scores[ListMLE, False]
    square = [
        RankCosine("quadratic", bias=bias, random_state=0).fit(X, y, qid).score(X, y, qid)
        for bias in (False, True)
    ]
    assert square[0] < square[1]


def test_without_bias_the_constant_stays_zero():
    X, y, qid = sample()
    for solver in ("lbfgs", "sgd"):
        model = RankCosine(solver=solver, tol=1e-4, random_state=0).fit(X, y, qid)
        assert model.coef_[-1] == 0


# how far the last digits of the loss go does not matter
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_hidden_layer_learns_what_a_line_cannot():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(600, 1))
    qid = np.repeat(np.arange(100), 6)
    y = X[:, 0] ** 2
    options = {"alpha": 1e-5, "init_scale": 1.0, "tol": 1e-4, "random_state": 0}
    line = ListMLE(**options).fit(X, y, qid).score(X, y, qid)
    curve = ListMLE(hidden=4, **options).fit(X, y, qid).score(X, y, qid)
    assert line < 0.05 < 0.8 < curve


def test_score_counts_lists_in_which_no_pair_is_the_wrong_way_round():
    model = ListMLE(random_state=0).fit([[0.0], [1.0]], [0, 1])
    X = [[1.0], [2.0], [3.0], [1.0], [2.0]]
    qid = [0, 0, 0, 1, 1]
    assert model.score(X, [0, 1, 1, 5, 4], qid) == 0.5
    assert model.score(X, [0, 1, 2, 4, 5], qid) == 1.0


def test_equal_scores_of_different_relevance_are_no_right_order():
    model = ListMLE(random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert model.score([[2.0], [2.0]], [0, 1]) == 0
    assert model.score([[2.0], [2.0]], [1, 0]) == 0


def test_lists_are_numbered_in_the_order_of_their_first_sample():
    assert list_numbers(["b", "a", "b", "c", "a"], 5).tolist() == [0, 1, 0, 2, 1]
    assert list_numbers(None, 3).tolist() == [0, 0, 0]


def test_mistakes_of_a_user_are_named():
    X, y, qid = sample()
    with pytest.raises(ValueError, match=r"qid must give a list to each of 180 samples"):
        ListMLE().fit(X, y, qid[:5])
    with pytest.raises(ValueError, match=r"solver must be one of lbfgs, sgd.*did you mean 'sgd'"):
        ListMLE(solver="sdg").fit(X, y, qid)
    with pytest.raises(ValueError, match="mapping must be one of"):
        ListNet("square").fit(X, y, qid)
    with pytest.raises(ValueError, match="set alpha=0"):
        ListMLE(solver="sgd", alpha=1.0).fit(X, y, qid)


def test_raw_relevance_can_be_the_target():
    X, y, qid = sample()
    graded = np.digitize(y, [2, 4]).astype(float)
    model = ListNet(None, random_state=0).fit(X, graded, qid)
    each = [
        cross_entropy_loss(model.predict(X[qid == i]), graded[qid == i])[1] @ X[qid == i]
        for i in range(30)
    ]
    # the gradient vanishes at the minimum, up to the solver's tolerance
    np.testing.assert_allclose(np.mean(each, axis=0), 0, atol=1e-5)


@pytest.mark.parametrize("spread", [1.0, 300.0])  # exponentials at hand, and such that vanish
def test_likelihood_of_all_lists_at_once_is_the_sum_of_the_lists(spread, monkeypatch):
    monkeypatch.setattr(rankers, "_MANY", 0)
    X, y, qid = sample()
    model = ListMLE()
    starts = np.arange(0, len(X) + 1, 6)
    loss = model._total_loss(_kernels.LIKELIHOOD, X, np.zeros(len(X)), starts)
    at = spread * np.array([2.0, -3.0, 0.0])
    gradient = np.empty(3)
    scores = X @ at[:-1]
    expected, by_score = zip(
        *(likelihood_loss(scores[a : a + 6], np.zeros(6)) for a in starts[:-1]), strict=True
    )
    assert loss(at, gradient) == pytest.approx(sum(expected), rel=1e-12)
    np.testing.assert_allclose(gradient[:-1], np.concatenate(by_score) @ X, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("labels", [[3, 3, 1, 1, 2], [3, 1, 3, 2, 1], ["b", "a", "a", "c", "c"]])
def test_lists_are_numbered_by_their_first_sample_in_a_row_or_not(labels):
    first = dict.fromkeys(labels)
    assert list_numbers(labels, 5).tolist() == [list(first).index(label) for label in labels]
