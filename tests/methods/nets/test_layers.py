"""Layers against finite differences and against scikit-learn's steps."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from icml2008.methods import FeedForwardClassifier
from icml2008.methods.nets.arithmetic import Uniform, add_product, sigmoid, softmax, softplus
from icml2008.methods.nets.layers import descend, forward


def data(n=60, d=7, k=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, k, n)


def log_loss(X, y, coefs, intercepts, activation):
    P = softmax(forward(X, coefs, intercepts, activation)[-1])
    return -np.mean(np.log(P[np.arange(len(y)), y]))


@pytest.mark.parametrize("activation", ["logistic", "tanh", "relu"])
def test_a_step_is_the_gradient_by_finite_differences(activation):
    (X, y) = data(20)
    rng = np.random.default_rng(1)
    shapes = [(7, 5), (5, 4), (4, 3)]
    coefs = [rng.normal(0, 0.7, s) for s in shapes]
    intercepts = [rng.normal(0, 0.7, s[1]) for s in shapes]
    start = [[a.copy() for a in held] for held in (coefs, intercepts)]
    values = forward(X, coefs, intercepts, activation)
    error = softmax(values[-1])
    error[np.arange(20), y] -= 1
    descend(values, error, coefs, intercepts, activation, 1.0)
    for kind, after in enumerate((coefs, intercepts)):
        for layer, moved in enumerate(after):
            for place in np.ndindex(moved.shape):
                ends = []
                for step in (1e-6, -1e-6):
                    near = [[a.copy() for a in held] for held in start]
                    near[kind][layer][place] += step
                    ends.append(log_loss(X, y, *near, activation))
                slope = (ends[0] - ends[1]) / 2e-6
                assert start[kind][layer][place] - moved[place] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize(("momentum", "alpha"), [(0.0, 0.0), (0.9, 0.0), (0.0, 0.1), (0.5, 0.1)])
def test_it_takes_scikit_learns_steps(momentum, alpha):
    X, y = data()
    common = {"activation": "tanh", "momentum": momentum, "alpha": alpha, "batch_size": 20}
    peer = MLPClassifier(
        (6, 5),
        solver="sgd",
        nesterovs_momentum=False,
        learning_rate_init=0.1,
        shuffle=False,
        max_iter=1,
        random_state=0,
        **common,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        peer.partial_fit(X[:20], y[:20], classes=[0, 1, 2])
        ours = FeedForwardClassifier(
            (6, 5),
            learning_rate=0.1,
            shuffle=False,
            n_iter=7,
            coefs_init=peer.coefs_,
            intercepts_init=peer.intercepts_,
            **common,
        )
        ours.fit(X, y)
        peer._optimizer.velocities = [np.zeros_like(v) for v in peer._optimizer.velocities]
        for _ in range(7):
            peer.partial_fit(X, y)
    for a, b in zip(ours.coefs_ + ours.intercepts_, peer.coefs_ + peer.intercepts_, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-9)


def test_layers_learnt_elsewhere_are_the_first_ones():
    X, y = data()
    rng = np.random.default_rng(0)
    W = rng.normal(size=(7, 6))
    b = rng.normal(size=6)
    kept = W.copy()
    net = FeedForwardClassifier((6, 4), learning_rate=0.0, coefs_init=[W], intercepts_init=[b])
    net.fit(X, y)
    np.testing.assert_array_equal(net.coefs_[0], kept)
    net.set_params(learning_rate=0.5).fit(X, y)
    np.testing.assert_array_equal(W, kept)  # the caller's weights are copied
    with pytest.raises(ValueError, match=r"layer 0 has weights \(7, 5\), found \(7, 6\)"):
        FeedForwardClassifier((5,), coefs_init=[W], intercepts_init=[b]).fit(X, y)


def test_single_precision_stays_single_precision():
    X, y = data()
    net = FeedForwardClassifier((5,), random_state=0).fit(X.astype(np.float32), y)
    assert {a.dtype for a in net.coefs_ + net.intercepts_} == {np.dtype(np.float32)}
    assert net.predict_proba(X.astype(np.float32)).dtype == np.float32


def test_unknown_activations_and_classes_are_refused():
    X, y = data()
    with pytest.raises(ValueError, match="'activation' parameter .* Got 'step'"):
        FeedForwardClassifier(activation="step").fit(X, y)
    net = FeedForwardClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y holds classes beside \[0, 1, 2\]"):
        net.partial_fit(X, y + 1)


def test_functions_agree_with_their_definitions_far_out():
    x = np.array([-800.0, -30.0, -1.0, 0.0, 1.0, 30.0, 800.0])
    np.testing.assert_allclose(softplus(x), np.logaddexp(0, x), atol=1e-15)
    np.testing.assert_allclose(sigmoid(x), 1 / (1 + np.exp(-np.clip(x, -700, 700))), atol=1e-15)
    np.testing.assert_array_equal(x[[0, -1]], [-800, 800])


def test_a_product_is_added_in_place_or_refused():
    rng = np.random.default_rng(0)
    A, B, C = (rng.normal(size=s) for s in ((9, 4), (9, 3), (4, 3)))
    expected = 0.5 * C + 2 * A.T @ B
    add_product(C, A, B, 2.0, 0.5)
    np.testing.assert_allclose(C, expected)
    for wrong in (np.asfortranarray(C), C.astype(np.float32)):
        with pytest.raises(ValueError, match="added in place"):
            add_product(wrong, A, B, 1.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_draws_have_their_probability_where_16_bits_decide_and_where_not(dtype):
    draw = Uniform(0)
    p = np.array([0.0, 3e-6, 0.25, 0.3, 1 - 3e-6, 1.0], dtype)
    n = 2_000_000
    share = np.mean([draw.bernoulli(np.tile(p, (n // 10, 1))).mean(axis=0) for _ in range(10)], 0)
    assert np.all(np.abs(share - p) <= 4 * np.sqrt(p * (1 - p) / n))
    assert share[0] == 0
    assert share[1] > 0
    assert share[-1] == 1


def test_a_class_is_drawn_with_its_probability():
    P = np.tile([0.2, 0.0, 0.5, 0.3], (100_000, 1))
    share = np.bincount(Uniform(0).classes(P), minlength=4) / len(P)
    np.testing.assert_allclose(share, P[0], atol=0.006)
    assert share[1] == 0
