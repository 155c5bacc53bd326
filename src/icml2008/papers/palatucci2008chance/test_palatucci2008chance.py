"""Theorem 4.1 against enumeration, naive Bayes and selection against scikit-learn, the errata."""

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma
from sklearn.naive_bayes import GaussianNB

from icml2008.catalogue.library import measured, trial_choices
from icml2008.harness.trial import Trial
from icml2008.methods import (
    MultiplicityGapSelector,
    expected_best_chance_accuracy,
    guessers_needed,
)
from icml2008.papers.palatucci2008chance.experiments import fdr_kept, select_among_noise
from icml2008.papers.palatucci2008chance.method import (
    expected_fewest_errors,
    naive_bayes_odds,
    validation_errors,
)

KEY = "palatucci2008chance"


def task(n=30, n_features=40, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, n_features)) * rng.uniform(0.1, 1000, size=n_features)
    X[:, :5] += 2 * X[:, :5].std(axis=0) * y[:, None]
    return X, y


@pytest.mark.parametrize(("guessers", "examples"), [(1, 4), (2, 3), (3, 3), (4, 2)])
@pytest.mark.parametrize("n_labels", [2, 3])
def test_the_theorem_is_the_mean_over_all_ways_to_guess(guessers, examples, n_labels):
    ways = itertools.product(itertools.product(range(n_labels), repeat=examples), repeat=guessers)
    best = [max(labels.count(0) for labels in way) for way in ways]  # the true labels are all 0
    expected = expected_best_chance_accuracy(guessers, examples, 1 - 1 / n_labels)
    assert expected == pytest.approx(np.mean(best) / examples, abs=1e-12)


def test_the_football_pool_by_a_plain_loop():
    """The chances of each number of errors, added up in whole numbers."""
    at_least = [sum(comb(20, j) for j in range(i, 21)) for i in range(22)]
    chances = [
        Fraction(at_least[i], 2**20) ** 200 - Fraction(at_least[i + 1], 2**20) ** 200
        for i in range(21)
    ]
    exact = 1 - sum(i * chance for i, chance in enumerate(chances)) / 20
    assert round(100 * exact) == 80
    assert expected_best_chance_accuracy(200, 20) == pytest.approx(float(exact), abs=1e-14)


def test_a_single_guesser_has_the_mean_and_ever_so_many_have_none_wrong():
    assert expected_fewest_errors(1, 37, 0.3) == pytest.approx(37 * 0.3)
    assert expected_fewest_errors(1e15, 20, 0.5) < 1e-12
    # No more than rounding is lost where the powers are of numbers next to 1.
    assert expected_fewest_errors(2**40, 40, 0.5) == pytest.approx(np.exp(-1), rel=1e-4)


def test_as_many_guessers_are_needed_as_reach_the_accuracy():
    for accuracy, n in [(0.6, 10), (0.8, 20), (0.99, 20)]:
        needed = guessers_needed(accuracy, n)
        assert expected_best_chance_accuracy(needed, n) >= accuracy
        assert expected_best_chance_accuracy(needed - 1, n) < accuracy
    assert guessers_needed(0.3, 10) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((0, 20), "n_guessers"), ((5, 2.5), "n_examples"), ((5, 20, 1.2), "p_err")],
)
def test_numbers_out_of_range_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        expected_best_chance_accuracy(*arguments)


def test_the_gap_widens_in_errors_and_closes_as_a_share():
    sizes = np.array([10, 100, 1000, 10_000])
    gaps = np.array([n / 2 - expected_fewest_errors(200, n) for n in sizes])
    assert (np.diff(gaps) > 0).all()
    assert (np.diff(gaps / sizes) < 0).all()
    assert gaps[3] / gaps[2] == pytest.approx(np.sqrt(10), rel=0.05)


def test_guessers_who_disagree_have_a_better_best_one():
    assert expected_best_chance_accuracy(2, 1) == pytest.approx(0.75)
    assert np.mean([max(guess, 1 - guess) for guess in (0, 1)]) == 1


def test_the_class_that_lacks_an_example_fits_worse_where_features_are_noise():
    def fit(n):
        """Expected log density of a normal value under a normal that was fitted to n others."""
        return (np.log(n / 2) - digamma((n - 1) / 2) - (n + 1) / (n - 3)) / 2

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [19, 20])
    odds = naive_bayes_odds(rng.normal(size=(39, 80_000)), y, rng.normal(size=(1, 80_000)))[0]
    assert fit(20) - fit(19) == pytest.approx(0.0045, abs=5e-5)
    assert odds.mean() == pytest.approx(0.0045, abs=5 * odds.std() / np.sqrt(80_000))


@pytest.mark.parametrize("prior", ["estimated", "equal"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_errors_of_single_features_are_those_of_scikit_learn(prior, n_classes):
    X, y = task(33, n_classes=n_classes)
    train = np.arange(0, 20)
    validation = np.arange(20, 33)
    errors = validation_errors(X, y, train, validation, prior=prior)
    priors = np.full(n_classes, 1 / n_classes) if prior == "equal" else None
    for feature in range(X.shape[1]):
        column = X[:, [feature]]
        peer = GaussianNB(priors=priors, var_smoothing=0).fit(column[train], y[train])
        assert errors[feature] == np.sum(peer.predict(column[validation]) != y[validation])


def test_a_pooled_variance_makes_odds_linear():
    X, y = task(n_features=6)
    line = X[0] + np.array([[0.0], [1.0], [2.0]]) * X.std(axis=0)
    odds, _ = naive_bayes_odds(X, y, line, variance="pooled")
    assert np.diff(odds[0], n=2, axis=0) == pytest.approx(0, abs=1e-9)


def test_a_constant_feature_says_nothing_wrong():
    X, y = task(n_features=3)
    X[:, 0] = 5.0
    odds, _ = naive_bayes_odds(X, y, X)
    assert np.isfinite(odds).all()
    assert odds[0, :, 0] == pytest.approx(0)


@pytest.mark.parametrize(("tails", "alternative"), [("two", "two-sided"), ("one", "less")])
def test_the_fdr_is_that_of_binomial_tests(tails, alternative):
    errors = np.array([0] * 3 + [1] * 4 + [4] * 20 + [10] * 200 + [20])
    n = 20
    p_values = [stats.binomtest(int(e), n, 0.5, alternative=alternative).pvalue for e in errors]
    kept = stats.false_discovery_control(p_values) <= 0.05
    assert (fdr_kept(errors, n, 0.5, tails=tails) == kept).all()
    assert kept[:3].all()
    assert kept[-1] == (tails == "two")


@pytest.mark.parametrize(("made", "fewest"), [(0, 4), (1, 65)])
def test_the_fdr_keeps_none_of_80_000_features_unless_many_err_that_rarely(made, fewest):
    for number in (fewest - 1, fewest):
        errors = np.repeat([made, 10], [number, 80_000 - number])
        assert fdr_kept(errors, 20, 0.5, tails="two").any() == (number == fewest)


def test_the_protocol_by_a_plain_loop():
    """Section 5.2 written down once more, with SciPy's densities and scikit-learn's classifier."""
    cell = {"features": 400, "informative": 30}
    values = measured(KEY, "sparse-tasks", **cell)
    choices = trial_choices(KEY, "sparse-tasks", "default")
    trial = Trial(KEY, select_among_noise, cell, 0, choices=choices, load=None)
    y = np.repeat([0, 1], 20)
    X = trial.rng("examples").normal(size=(40, 400))
    X[:20, :30] -= 0.5
    X[20:, :30] += 0.5
    draws = trial.rng("halves")
    hits = 0
    fewest = sum(stats.binom.sf(i, 20, 0.5) ** 400 for i in range(20))
    for out in range(40):
        rest = [i for i in range(40) if i != out]
        order = draws.permutation(rest)
        validation = order[0::2]
        train = order[1::2]
        scores = []
        for label in (0, 1):
            own = X[train][y[train] == label]
            density = stats.norm.logpdf(X[validation], own.mean(axis=0), own.std(axis=0))
            scores.append(density + np.log(len(own)))
        wrong = (scores[1] > scores[0]) != (y[validation] == 1)[:, None]
        kept = wrong.sum(axis=0) < (10 + fewest) / 2
        final = GaussianNB().fit(X[rest][:, kept], y[rest])
        hits += final.predict(X[[out]][:, kept])[0] == y[out]
    names = ("MGM", "Oracle", "Inside gap", "Outside gap")
    midpoint, oracle, *best = (values[name, "accuracy"] for name in names)
    assert midpoint == pytest.approx(100 * hits / 40)
    assert oracle == max(best) >= midpoint


def test_a_selector_keeps_what_has_fewer_errors_than_the_middle_of_the_gap():
    X, y = task(60)
    selector = MultiplicityGapSelector(stratified=True, random_state=0).fit(X, y)
    n = selector.n_validation_
    middle = (n / 2 + expected_fewest_errors(40, n)) / 2
    assert selector.threshold_ == pytest.approx(middle)
    assert (selector.get_support() == (selector.errors_ < middle)).all()
    assert selector.get_support()[:5].all()
    assert selector.transform(X).shape == (60, selector.get_support().sum())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": "middle"}, "best-chance or midpoint or single-chance"),
        ({"prior": "flat"}, "estimated or equal"),
        ({"variance": "shared"}, "class or pooled"),
        ({"p_err": 2}, "p_err"),
    ],
)
def test_an_unknown_parameter_is_refused_by_name(parameters, message):
    with pytest.raises(ValueError, match=message):
        MultiplicityGapSelector(**parameters).fit(*task())


def test_an_accuracy_or_labels_that_cannot_be_are_refused():
    X, y = task()
    with pytest.raises(ValueError, match="accuracy"):
        guessers_needed(1.0, 20)
    with pytest.raises(ValueError, match="two classes"):
        MultiplicityGapSelector().fit(X, np.zeros(30))
    with pytest.raises(ValueError, match="stratified=True"):
        MultiplicityGapSelector(random_state=0).fit(X, np.arange(30) == 0)
