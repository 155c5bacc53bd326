"""The convex potential booster against AdaBoost and LogitBoost as published, and brute force."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn.utils.estimator_checks import check_estimator

from icml2008.papers.long2008random.method.convex import ConvexPotentialBooster, line_search
from icml2008.papers.long2008random.method.potentials import POTENTIALS
from icml2008.papers.long2008random.method.weak import Features, Stumps

seeds = st.integers(0, 2**32 - 1)


def signs(seed, n=60, d=5):
    """Return binary features, and labels that follow the first with noise."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (n, d))
    y = np.where(rng.random(n) < 0.3, -1, 1) * X[:, 0]
    y[:2] = [-1, 1]
    return X, y.astype(int)


def adaboost(X, y, n_rounds):
    """Return the scores of AdaBoost as Schapire and Singer (1999) state it."""
    weights = np.full(len(y), 1 / len(y))
    scores = np.zeros(len(y))
    for _ in range(n_rounds):
        advantages = (weights * y) @ X
        j = np.argmax(np.abs(advantages) > np.abs(advantages).max() - 1e-12)  # first of ties
        h = np.sign(advantages[j]) * X[:, j]
        error = weights[h != y].sum()
        alpha = 0.5 * np.log((1 - error) / error)
        scores += alpha * h
        weights *= np.exp(-alpha * y * h)
        weights /= weights.sum()
    return scores


def logitboost(X, y, n_rounds, clip=np.inf):
    """Return the half log-odds of LogitBoost as Friedman, Hastie and Tibshirani (2000) state it."""
    scores = np.zeros(len(y))
    target = (y + 1) / 2
    for _ in range(n_rounds):
        p = 1 / (1 + np.exp(-2 * scores))
        weights = p * (1 - p)
        response = np.clip((target - p) / weights, -clip, clip)
        slopes = (weights * response) @ X / weights.sum()  # least squares on one sign at a time
        losses = [weights @ (response - b * x) ** 2 for b, x in zip(slopes, X.T, strict=True)]
        j = np.argmax(losses < np.min(losses) + 1e-12)
        scores += 0.5 * slopes[j] * X[:, j]
    return scores


@settings(max_examples=25)
@given(seeds)
def test_the_exponential_potential_gives_adaboost(seed):
    X, y = signs(seed)
    for step in ("line-search", "weighted-error"):
        booster = ConvexPotentialBooster("exponential", 6, weak_learner="features", step=step)
        scores = booster.fit(X, y).decision_function(X)
        # The line search ends 1e-14 from the root; six rounds pass the difference on.
        np.testing.assert_allclose(scores, adaboost(X, y, 6), atol=1e-8)


@settings(max_examples=25)
@given(seeds, st.sampled_from([None, 1.5, 4.0]))
def test_newton_steps_on_the_logistic_potential_give_logitboost(seed, clip):
    X, y = signs(seed)
    booster = ConvexPotentialBooster(
        "logistic", 8, weak_learner="features", step="newton", clip=clip
    )
    scores = booster.fit(X, y).decision_function(X)
    expected = 2 * logitboost(X, y, 8, clip=clip or np.inf)  # it keeps half of the log-odds
    np.testing.assert_allclose(scores, expected, atol=1e-9)


def test_clipped_responses_descend_on_no_potential():
    """Clipping matters where a margin is well below 0: it then changes votes."""
    X, y = signs(3, n=400)
    plain, clipped = (
        ConvexPotentialBooster("logistic", 40, weak_learner="features", step="newton", clip=c)
        for c in (None, 2.0)
    )
    assert not np.allclose(plain.fit(X, y).votes_, clipped.fit(X, y).votes_)


@settings(max_examples=30)
@given(seeds, st.sampled_from(list(POTENTIALS)), st.booleans(), st.booleans())
def test_no_round_increases_the_potential(seed, name, complements, stumps):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (40, 3))
    y = rng.choice([0, 1], 40)
    y[:2] = [0, 1]
    weights = rng.random(40)
    learner = "stumps" if stumps else "features"
    booster = ConvexPotentialBooster(name, 15, weak_learner=learner, complements=complements)
    path = booster.fit(X, y, weights).potential_path_
    assert (np.diff(path) <= 1e-12 * path[0]).all()
    margins = np.where(y == 1, 1, -1) * booster.decision_function(X)
    expected = np.average(POTENTIALS[name].value(margins), weights=weights)
    assert np.isclose(path[-1], expected, rtol=1e-9)


@settings(max_examples=40)
@given(seeds, st.sampled_from(list(POTENTIALS)))
def test_the_line_search_ends_at_the_minimum(seed, name):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(12))
    margins = rng.normal(size=12)
    agreement = rng.uniform(-1, 1, 12)
    potential = POTENTIALS[name]
    if (weights * agreement) @ potential.slope(margins) >= 0:
        agreement = -agreement
    assume(agreement.min() < 0)  # else there is no minimum: it falls for ever
    step = line_search(potential, weights, margins, agreement)

    def value(s):
        return weights @ potential.value(margins + s * agreement)

    minimum = minimize_scalar(value, bounds=(0, 2 * step), method="bounded")
    assert value(step) <= minimum.fun + 1e-12


def test_the_line_search_stops_where_a_potential_only_tends_to_its_minimum():
    step = line_search(POTENTIALS["exponential"], np.ones(1), np.zeros(1), np.array([0.01]))
    assert np.isclose(np.exp(-0.01 * step), 1e-10, rtol=1e-6)


@settings(max_examples=40)
@given(seeds, st.booleans())
def test_the_best_stump_is_that_of_a_full_search(seed, complements):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (15, 3)).astype(float)
    pull = rng.normal(size=15)
    edges = [
        pull @ np.where(X[:, j] > threshold, 1, -1)
        for j in range(3)
        for threshold in np.unique(X[:, j])[:-1]
    ]
    learner = Stumps()
    learner.prepare(X)
    key, sign, edge = learner.best(pull, complements)
    assert np.isclose(edge, np.max(np.abs(edges)) if complements else np.max(edges))
    assert np.isclose(edge, sign * pull @ learner.outputs(key, X))


def test_neighbouring_floats_are_told_apart():
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    learner = Stumps()
    learner.prepare(X)
    key, _, edge = learner.best(np.array([-1.0, 1.0]), False)
    assert (learner.outputs(key, X).tolist(), edge) == ([-1.0, 1.0], 2.0)


@settings(max_examples=20)
@given(seeds)
def test_weights_count_examples(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (20, 3))
    y = rng.choice([0, 1], 20)
    y[:2] = [0, 1]
    counts = rng.integers(0, 4, 20)
    counts[:2] = 1
    options = {"n_rounds": 5, "weak_learner": "features"}
    weighted = ConvexPotentialBooster("logistic", **options).fit(X, y, counts)
    repeated = ConvexPotentialBooster("logistic", **options)
    repeated.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.votes_, repeated.votes_, rtol=1e-6, atol=1e-9)


def test_without_complements_only_rising_votes_are_cast():
    X, y = signs(1)
    options = {"weak_learner": "features", "complements": False}
    booster = ConvexPotentialBooster("logistic", 50, **options).fit(X, y)
    assert (booster.votes_ > 0).all()


def test_boosting_ends_where_no_coordinate_descends():
    X = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    booster = ConvexPotentialBooster("logistic", 9, weak_learner="features").fit(X, [0, 1, 0, 1])
    assert booster.n_rounds_ == 0
    assert booster.decision_function(X).tolist() == [0, 0, 0, 0]


def test_a_weak_learner_of_ones_own_serves():
    X, y = signs(2)
    own = ConvexPotentialBooster("logistic", 7, weak_learner=Features()).fit(X, y)
    named = ConvexPotentialBooster("logistic", 7, weak_learner="features").fit(X, y)
    np.testing.assert_array_equal(own.votes_, named.votes_)


def test_it_is_a_scikit_learn_classifier():
    check_estimator(ConvexPotentialBooster(n_rounds=10))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_rounds": 0}, "n_rounds: found 0"),
        ({"step": "newtn"}, "step: found 'newtn'"),
        ({"potential": "madaboost", "step": "newton"}, "madaboost has no curvature"),
        ({"clip": 4.0}, "goes with step"),
        ({"weak_learner": "stump"}, "did you mean 'stumps'"),
        ({"weak_learner": "features"}, "from -1 to 1 only"),
    ],
)
def test_what_cannot_be_done_is_said(options, message):
    with pytest.raises(ValueError, match=message):
        ConvexPotentialBooster(**options).fit([[0.0], [3.0]], [0, 1])
