"""The Banditron against its definition, its lemmas by enumeration, and its bound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import Banditron, MulticlassPerceptron
from icml2008.papers.kakade2008efficient.method import _greedy, learn_together, update_weights


@parametrize_with_checks([MulticlassPerceptron(), Banditron(gamma=0.2, random_state=0)])
def test_estimators_keep_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def examples(seed, n=300, d=6, k=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    return X, (X @ rng.normal(size=(d, k)) + rng.normal(size=(n, k))).argmax(axis=1)


def perceptron_by_definition(X, y, k):
    """Eqs. 2 and 3, written down."""
    W = np.zeros((k, X.shape[1]))
    mistakes = 0
    for x, label in zip(X, y, strict=True):
        guess = int(np.argmax(W @ x))
        mistakes += guess != label
        for r in range(k):
            W[r] += x * (float(label == r) - float(guess == r))
    return W, mistakes


@pytest.mark.parametrize("seed", range(3))
def test_the_perceptron_is_its_definition(seed):
    X, y = examples(seed)
    model = MulticlassPerceptron().partial_fit(X, y, classes=range(4))
    W, mistakes = perceptron_by_definition(X, y, 4)
    np.testing.assert_allclose(model.coef_, W, atol=1e-10)
    assert model.n_mistakes_ == mistakes


@pytest.mark.parametrize("ties", ["first", "random"])
@pytest.mark.parametrize("gamma", [0.0, 0.1, 0.7])
def test_a_pass_over_examples_is_choosing_and_telling(gamma, ties):
    X, y = examples(1)
    passed = Banditron(gamma, ties=ties, random_state=3).partial_fit(X, y, classes=range(4))
    asked = Banditron(gamma, ties=ties, random_state=3)
    for x, label in zip(X, y, strict=True):
        asked.tell(asked.choose(x, classes=range(4)) == label)
    np.testing.assert_allclose(asked.coef_, passed.coef_, atol=1e-9)
    assert (asked.n_mistakes_, asked.n_seen_) == (passed.n_mistakes_, 300)


@given(st.integers(2, 9), st.data(), st.floats(1e-3, 0.999))
def test_the_expected_update_is_the_perceptrons(k, data, gamma):
    """Lemma 4, by enumeration of the draws."""
    greedy = data.draw(st.integers(0, k - 1))
    right = data.draw(st.integers(0, k - 1))
    chances = np.full(k, gamma / k)
    chances[greedy] += 1 - gamma
    mean = sum(
        chance * update_weights(k, greedy, drawn, drawn == right, gamma)
        for drawn, chance in enumerate(chances)
    )
    np.testing.assert_allclose(mean, np.eye(k)[right] - np.eye(k)[greedy], atol=1e-12)


@given(st.integers(2, 9), st.data(), st.floats(1e-3, 0.5))
def test_the_expected_squared_norm_is_bounded(k, data, gamma):
    """Lemma 5, by enumeration of the draws."""
    greedy = data.draw(st.integers(0, k - 1))
    right = data.draw(st.integers(0, k - 1))
    chances = np.full(k, gamma / k)
    chances[greedy] += 1 - gamma
    norm = sum(
        chance * (update_weights(k, greedy, drawn, drawn == right, gamma) ** 2).sum()
        for drawn, chance in enumerate(chances)
    )
    bound = 2 * (k / gamma if right != greedy else gamma)
    assert norm <= bound * (1 + 1e-12)


def test_classes_are_drawn_with_the_stated_probabilities():
    """Algorithm 1's P: a chi-square statistic of 3 degrees of freedom stays below 20."""
    model = Banditron(0.4, random_state=0)
    counts = np.zeros(4)
    model.choose([1.0], classes=range(4))
    model.tell(False)  # class 0 falls behind; class 1 is now the first of the best
    for _ in range(4000):
        counts[model.choose([1.0])] += 1
        model._asked = None
    expected = 4000 * np.array([0.1, 0.7, 0.1, 0.1])
    assert ((counts - expected) ** 2 / expected).sum() < 20


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_mistakes_of_the_perceptron_keep_its_bound(seed):
    """Eq. 7 for matrices W* that know the sequence: M <= L + D + sqrt(L D)."""
    X, y = examples(seed, n=120)
    X /= np.maximum(1, np.linalg.norm(X, axis=1))[:, None]
    model = MulticlassPerceptron().partial_fit(X, y, classes=range(4))
    for scale in (0.1, 1.0, 10.0):
        W = scale * np.linalg.lstsq(X, np.eye(4)[y], rcond=None)[0].T
        scores = X @ W.T
        own = scores[np.arange(len(y)), y]
        scores[np.arange(len(y)), y] = -np.inf
        L = np.maximum(0, 1 - own + scores.max(axis=1)).sum()
        D = 2 * (W**2).sum()
        assert model.n_mistakes_ <= L + D + np.sqrt(L * D)


def test_sparse_and_dense_examples_give_the_same():
    X, y = examples(2)
    dense = Banditron(0.1, random_state=0).fit(X, y)
    sparse = Banditron(0.1, random_state=0).fit(csr_array(X), y)
    assert (dense.coef_ == sparse.coef_).all()


def test_parts_of_a_stream_give_the_same_as_the_whole():
    X, y = examples(4)
    whole = Banditron(0.1, random_state=0).fit(X, y)
    parts = Banditron(0.1, random_state=0)
    for rows in np.array_split(np.arange(300), 7):
        parts.partial_fit(X[rows], y[rows], classes=range(4))
    assert (whole.coef_ == parts.coef_).all()
    assert whole.n_mistakes_ == parts.n_mistakes_


@pytest.mark.parametrize("ties", ["first", "random"])
def test_learning_together_is_learning_one_after_the_other(ties):
    X, y = examples(8)

    def learners():
        make = [Banditron(g, ties=ties, random_state=int(100 * g)) for g in (0.0, 0.05, 0.4)]
        return [MulticlassPerceptron(ties=ties, random_state=9), *make]

    together = learners()
    alone = learners()
    for rows in (slice(0, 100), slice(100, 300)):
        learn_together(together, X[rows], y[rows], classes=range(4))
        for learner in alone:
            learner.partial_fit(X[rows], y[rows], classes=range(4))
    for joint, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(joint.coef_, other.coef_, rtol=1e-12, atol=1e-12)
        assert (joint.n_mistakes_, joint.n_seen_) == (other.n_mistakes_, other.n_seen_)


def test_learners_of_other_classes_cannot_learn_together():
    others = MulticlassPerceptron().partial_fit([[1.0]], [5], classes=[4, 5])
    with pytest.raises(ValueError, match="same classes"):
        learn_together(
            [MulticlassPerceptron().partial_fit([[1.0]], [0], [0, 5]), others], [[1]], [5]
        )


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.99])
def test_ties_are_broken_by_their_share(share):
    tied = [1, 3, 4]
    assert _greedy(np.array([0.0, 2, 1, 2, 2]), share) == tied[int(3 * share)]


def test_the_scale_of_the_examples_changes_no_prediction():
    X, y = examples(5)
    models = [Banditron(0.1, random_state=0).fit(scale * X, y) for scale in (1.0, 0.25)]
    assert models[0].n_mistakes_ == models[1].n_mistakes_


def test_without_exploration_nothing_is_ever_added():
    """With gamma = 0 a right guess changes nothing and a wrong one is only pushed down."""
    X = np.abs(examples(6)[0])
    y = examples(6)[1]
    assert (Banditron(0.0).fit(X, y).coef_ <= 0).all()


def test_labels_may_be_text_in_any_order():
    X, y = examples(7)
    names = np.array(["d", "b", "a", "c"])
    text = MulticlassPerceptron().fit(X, names[y])
    assert set(text.predict(X)) <= set("abcd")
    assert text.score(X, names[y]) > 0.5


def test_telling_without_a_question_is_refused():
    model = Banditron()
    with pytest.raises(ValueError, match="choose first"):
        model.tell(True)
    model.choose([1.0], classes=[0, 1])
    model.tell(True)
    with pytest.raises(ValueError, match="choose first"):
        model.tell(True)


def test_labels_and_classes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="needs `classes`"):
        Banditron().partial_fit([[1.0]], [0])
    with pytest.raises(ValueError, match="none of the classes"):
        Banditron().partial_fit([[1.0]], [7], classes=[0, 1])
    with pytest.raises(ValueError, match="1 class"):
        Banditron().fit([[1.0], [2.0]], [3, 3])
    with pytest.raises(ValueError, match="since the first call"):
        Banditron().partial_fit([[1.0]], [0], classes=[0, 1]).partial_fit([[1.0]], [0], [0, 2])


@pytest.mark.parametrize("parameters", [{"gamma": -0.1}, {"gamma": 1.0}, {"ties": "last"}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        Banditron(**parameters).fit([[1.0], [2.0]], [0, 1])
