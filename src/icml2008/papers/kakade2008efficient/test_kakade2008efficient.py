"""The streams, slopes and bounds of the Banditron paper, and its errata."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.papers.kakade2008efficient import newswire
from icml2008.papers.kakade2008efficient.bounds import (
    NORM,
    banditron_bound,
    hardest_document,
    hinge_loss,
    perceptron_bound,
    separator,
)
from icml2008.papers.kakade2008efficient.curves import CHUNK, checkpoints, chunks, slope
from icml2008.papers.kakade2008efficient.halving import halving_mistakes
from icml2008.papers.kakade2008efficient.topics import draw_documents, draw_topics


def documents(n=3000, seed=0, **noise):
    rng = np.random.default_rng(seed)
    topics = draw_topics(rng)
    return topics, *draw_documents(topics, n, rng, **noise)


def test_topics_have_20_to_40_of_the_first_120_words():
    sizes = []
    for seed in range(40):
        vectors = draw_topics(np.random.default_rng(seed)).vectors
        assert not vectors[:, 120:].any()
        sizes += vectors.sum(axis=1).astype(int).tolist()
    assert (min(sizes), max(sizes)) == (20, 40)


def test_a_document_has_its_topic_less_5_words_and_20_common_ones():
    topics, X, y = documents()
    dense = X.toarray()
    assert set(np.unique(dense)) == {0.0, 1.0}
    assert (dense[:, 120:].sum(axis=1) == 20).all()
    own = topics.vectors[y, :120]
    assert (dense[:, :120] <= own).all()
    assert (own.sum(axis=1) - dense[:, :120].sum(axis=1) == 5).all()


def test_words_and_topics_are_drawn_evenly():
    """Counts of a binomial draw stay within 5 standard deviations."""
    topics, X, y = documents(20_000)
    dense = X.toarray()
    for counts, n, p in (
        (dense[:, 120:].sum(axis=0), 20_000, 20 / 280),
        (np.bincount(y, minlength=9), 20_000, 1 / 9),
    ):
        assert np.abs(counts - n * p).max() < 5 * np.sqrt(n * p * (1 - p))
    for topic in range(9):
        rows = dense[y == topic][:, topics.vectors[topic] == 1]
        p = 1 - 5 / rows.shape[1]
        assert np.abs(rows.mean(axis=0) - p).max() < 5 * np.sqrt(p * (1 - p) / len(rows))


@pytest.mark.parametrize(("noisy", "wrong"), [("other", 0.05), ("any", 0.05 * 8 / 9)])
def test_noise_replaces_the_stated_share_of_labels(noisy, wrong):
    topics, X, y = documents(40_000, seed=1, noise=0.05, noisy=noisy)
    # only a document's own topic has all of its keywords, and five words more
    topic = (X @ topics.vectors.T - topics.sizes == -5).argmax(axis=1)
    outside = X[:, :120].sum(axis=1) - (X @ topics.vectors.T)[np.arange(len(y)), topic]
    assert not outside.any()
    assert abs(np.mean(topic != y) - wrong) < 5 * np.sqrt(0.05 * 0.95 / 40_000)


def test_chunks_stop_at_every_checkpoint():
    parts = list(chunks(1_000_000))
    assert [start for start, _ in parts[1:]] == [stop for _, stop in parts[:-1]]
    assert parts[-1][1] == 1_000_000
    assert max(stop - start for start, stop in parts) == CHUNK
    assert set(checkpoints(1_000_000)) <= {stop for _, stop in parts}
    assert (np.diff(checkpoints(20_000)) > 0).all()


@given(st.floats(-1.5, 0.2), st.floats(0.001, 0.01))
def test_the_slope_of_a_power_law_is_its_exponent(exponent, end):
    points = checkpoints(10**6)
    curve = end * (points / 1e6) ** exponent
    floor = 0.5 / points  # below half a mistake the curve is cut
    if (curve > floor).all():
        assert slope(curve, points, 1e4, 1e6) == pytest.approx(exponent, abs=1e-9)


def test_bounds_are_those_of_a_hand_worked_case():
    W = np.array([[1.0, 0.0], [0.0, 1.0]])
    X = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    y = np.array([0, 0, 0])
    assert hinge_loss(W, X, y) == 0 + 1 + 2
    assert perceptron_bound(3.0, 4.0) == 3 + 4 + np.sqrt(12)
    # L + gamma T + 3 max(kD / gamma, sqrt(D gamma T)) + sqrt(kDL / gamma)
    assert banditron_bound(3.0, 4.0, 2, 0.5, 100) == 3 + 50 + 3 * 16 + np.sqrt(2 * 4 * 3 / 0.5)


def test_the_separator_has_no_loss_on_any_document_and_a_bound_below_the_rounds():
    for seed in range(3):
        topics, X, y = documents(seed=seed)
        W = separator(topics)
        assert hinge_loss(W, X / NORM, y) < 1e-9
        assert hardest_document(W, topics.vectors / NORM)[0] == pytest.approx(1)
        D = 2 * (W**2).sum()
        assert D < 120
        assert banditron_bound(0.0, D, 9, 0.05, 100_000) < 70_000


def test_the_hardest_document_has_the_smallest_margin_of_all():
    """Against every way to turn off 5 of a topic's words, for topics of 8 words."""
    rng = np.random.default_rng(0)
    vectors = np.zeros((3, 30))
    for row in vectors:
        row[rng.permutation(30)[:8]] = 0.5
    W = rng.normal(size=(3, 30))
    margins = []
    for topic, vector in enumerate(vectors):
        for kept in combinations(np.flatnonzero(vector), 3):
            scores = 0.5 * W[:, kept].sum(axis=1)
            margins += [scores[topic] - scores[other] for other in range(3) if other != topic]
    margin, topic, rival, document = hardest_document(W, vectors)
    assert margin == pytest.approx(min(margins))
    assert (W[topic] - W[rival]) @ document == pytest.approx(margin)


def test_the_bound_of_corollary_2_falls_as_the_root_of_t():
    """Erratum of Section 5: it says "at most of the order of", which is no rate below 1/2."""
    n = np.array([1e6, 1e10])
    rates = [banditron_bound(0.0, 5.0, 9, np.sqrt(9 * 5.0 / t), t) / t for t in n]
    assert np.diff(np.log10(rates)) / 4 == pytest.approx(-0.5, abs=1e-12)


def test_the_square_of_a_sum_has_its_cross_term_twice():
    """Erratum of the proof of Theorem 1: |W + U|^2 = |W|^2 + 2 <W, U> + |U|^2."""
    W, U = np.random.default_rng(0).normal(size=(2, 9, 400))
    whole = ((W + U) ** 2).sum()
    parts = (W**2).sum() + (U**2).sum()
    assert whole == pytest.approx(parts + 2 * (W * U).sum(), rel=1e-12)
    assert abs(whole - parts - (W * U).sum()) > 1


@given(st.integers(2, 6), st.integers(1, 200), st.integers(0, 10**6))
def test_a_mistake_of_the_majority_leaves_at_most_1_less_1_over_k(k, n, seed):
    """Erratum of Lemma 6: the active set shrinks to at most that fraction, not by it."""
    votes = np.bincount(np.random.default_rng(seed).integers(k, size=n), minlength=k)
    assert n - votes.max() <= (1 - 1 / k) * n + 1e-9


class Story:
    def __init__(self, topics, title="", body=""):
        self.topics = topics
        self.title = title
        self.body = body


def test_stories_have_exactly_one_of_the_four_topics():
    stories = [
        Story(("earn",), "Profit 1987", "profit U rose"),
        Story(("earn", "acq")),
        Story(("trade",), "no"),
        Story(("grain", "wheat"), "Wheat", "a wheat crop"),
        Story(()),
    ]
    X, y = newswire.bags_of_words(stories)
    assert y.tolist() == [0, 3]
    # words in order: crop, profit, rose, wheat; single letters and numbers are none
    assert X.toarray().tolist() == [[0, 2, 1, 0], [1, 0, 0, 2]]


def test_halving_makes_mistakes_near_its_bound_and_none_beyond():
    for k, n in [(2, 64), (3, 100), (9, 1000)]:
        mistakes = [halving_mistakes(k, n, np.random.default_rng(seed)) for seed in range(10)]
        assert 0.4 < max(mistakes) / (k * np.log(n)) <= 1
