"""Boltzmann machines against enumeration, and against scikit-learn's from equal numbers."""

import itertools

import numpy as np
import pytest
from scipy.special import expit, logsumexp
from sklearn.neural_network import BernoulliRBM

from icml2008.methods import RestrictedBoltzmannMachine


def machine(n_hidden, n_visible, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    model = RestrictedBoltzmannMachine(n_hidden, batch_size=5, random_state=0)
    model.partial_fit(np.full((1, n_visible), 0.5))
    model.components_ = rng.normal(0, scale, (n_hidden, n_visible))
    model.intercept_hidden_ = rng.normal(0, scale, n_hidden)
    model.intercept_visible_ = rng.normal(0, scale, n_visible)
    return model


def states(n):
    return np.array(list(itertools.product([0.0, 1.0], repeat=n)))


def joint(model):
    """Every visible and hidden state with its probability, by the definition."""
    V = states(model.components_.shape[1])
    H = states(len(model.components_))
    energy = -(
        V @ model.components_.T @ H.T
        + (V @ model.intercept_visible_)[:, None]
        + H @ model.intercept_hidden_
    )
    return V, H, np.exp(-energy - logsumexp(-energy))


def test_probabilities_of_rows_are_those_of_the_definition():
    model = machine(3, 6)
    V, _, P = joint(model)
    np.testing.assert_allclose(model.score_samples(V), np.log(P.sum(axis=1)), rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.score_samples(V)).sum(), 1, rtol=1e-12)


def test_hidden_features_are_conditional_probabilities():
    model = machine(3, 5)
    V, H, P = joint(model)
    expected = P @ H / P.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.transform(V), expected, rtol=1e-10)


def test_long_chains_from_the_data_climb_the_exact_gradient_of_the_likelihood():
    model = machine(3, 4, scale=0.7)
    rows = states(4)[[1, 6, 11, 15]]
    V, H, P = joint(model)
    above = rows.T @ model.transform(rows) / len(rows)
    gradient = (above - V.T @ P @ H).T
    before = model.components_.copy()
    model.set_params(gradient="cd", n_gibbs=30, learning_rate=1.0, batch_size=40000)
    model.partial_fit(np.tile(rows, (10000, 1)))
    np.testing.assert_allclose(model.components_ - before, gradient, atol=0.012)


def test_chains_that_persist_come_to_the_model_and_stay_there():
    model = machine(3, 4, scale=0.7)
    V, H, P = joint(model)
    model.chains_ = np.zeros((20000, 3))
    model.set_params(learning_rate=0.0)
    rows = np.full((5, 4), 0.5)
    for _ in range(25):
        model.partial_fit(rows)
    np.testing.assert_allclose(model.chains_.mean(axis=0), P.sum(axis=0) @ H, atol=0.02)
    pairs = model.chains_.T @ model.chains_ / 20000
    np.testing.assert_allclose(pairs, H.T @ (P.sum(axis=0)[:, None] * H), atol=0.02)


def test_the_mean_field_is_followed_without_any_sample():
    model = machine(3, 4)
    rows = states(4)[[1, 6, 11]]
    W = model.components_.copy()
    c = model.intercept_hidden_.copy()
    b = model.intercept_visible_
    b = b.copy()
    model.set_params(gradient="mfcd", learning_rate=0.3, n_gibbs=2)
    model.partial_fit(rows)
    above = expit(rows @ W.T + c)
    v = None
    h = above
    for _ in range(2):
        v = expit(h @ W + b)
        h = expit(v @ W.T + c)
    np.testing.assert_allclose(model.components_, W + 0.1 * (above.T @ rows - h.T @ v), rtol=1e-12)
    np.testing.assert_allclose(model.intercept_visible_, b + 0.1 * (rows - v).sum(0), rtol=1e-12)
    np.testing.assert_allclose(model.intercept_hidden_, c + 0.1 * (above - h).sum(0), rtol=1e-12)


class Numbers:
    """scikit-learn's numbers, in the order in which both draw."""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def bernoulli(self, p, out=None):
        drawn = (self.rng.uniform(size=p.shape) < p).astype(p.dtype)
        if out is None:
            return drawn
        out[:] = drawn
        return out

    def states(self, inputs, bias):
        return self.bernoulli(expit(inputs + bias), inputs)


def test_from_equal_numbers_it_takes_scikit_learns_steps():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 12)).astype(float)
    peer = BernoulliRBM(5, learning_rate=0.2, batch_size=10, random_state=0)
    peer.partial_fit(X[:10])
    peer.components_ = rng.normal(0, 0.5, (5, 12))
    start = [peer.components_, peer.intercept_hidden_, peer.intercept_visible_]
    model = RestrictedBoltzmannMachine(5, learning_rate=0.2, batch_size=10, random_state=0)
    model.partial_fit(X[:10])
    model.components_, model.intercept_hidden_, model.intercept_visible_ = (
        np.array(a) for a in start
    )
    model.chains_ = np.array(peer.h_samples_)
    model._uniform = Numbers(3)
    peer.random_state_ = np.random.RandomState(3)
    for batch in np.split(X, 4) * 5:
        model.partial_fit(batch)
        peer._fit(batch, peer.random_state_)
    np.testing.assert_allclose(model.components_, peer.components_, rtol=1e-9)
    np.testing.assert_allclose(model.intercept_hidden_, peer.intercept_hidden_, rtol=1e-9)
    np.testing.assert_allclose(model.intercept_visible_, peer.intercept_visible_, rtol=1e-9)


def test_momentum_and_decay_of_weights_follow_their_formula():
    model = machine(2, 3)
    rows = states(3)[[1, 6]]
    W = model.components_.copy()
    c = model.intercept_hidden_
    b = model.intercept_visible_
    model._velocity = np.full_like(W, 0.25)
    model.set_params(gradient="mfcd", learning_rate=0.3, momentum=0.5, weight_decay=0.1)
    h = expit(rows @ W.T + c)
    v = expit(h @ W + b)
    gradient = (h.T @ rows - expit(v @ W.T + c).T @ v) / 2
    model.partial_fit(rows)
    np.testing.assert_allclose(model.components_, 0.97 * W + 0.125 + 0.3 * gradient, rtol=1e-12)


def test_learning_raises_the_likelihood_of_each_kind_of_chain():
    X = np.repeat([[1, 1, 0, 0, 1], [0, 0, 1, 1, 0]], 50, axis=0).astype(np.float32)
    for gradient in ("cd", "pcd", "mfcd"):
        model = RestrictedBoltzmannMachine(
            4, gradient=gradient, batch_size=10, n_iter=100, decay="linear", random_state=0
        )
        assert model.fit(X).score_samples(X).mean() > -1.5
        assert model.components_.dtype == np.float32


def test_values_between_0_and_1_are_drawn_each_time():
    X = np.full((400, 3), 0.25)
    model = RestrictedBoltzmannMachine(
        2, binarize=True, batch_size=20, decay="linear", random_state=0
    ).fit(X)
    V = states(3)
    share = np.exp(model.score_samples(V)) @ V
    np.testing.assert_allclose(share, 0.25, atol=0.06)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gradient": "sgd"}, "'gradient' parameter .* Got 'sgd'"),
        ({"decay": "no"}, "'decay' parameter .* Got 'no'"),
        ({"n_gibbs": 0}, "'n_gibbs' parameter .* Got 0"),
        ({"learning_rate": -1.0}, "'learning_rate' parameter .* Got -1.0"),
        ({"momentum": 1.5}, "'momentum' parameter .* Got 1.5"),
    ],
)
def test_what_cannot_be_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        RestrictedBoltzmannMachine(2, **changes).fit(np.zeros((4, 3)))


def test_rows_that_are_no_probabilities_are_refused():
    with pytest.raises(ValueError, match="probabilities of ones, found -1 to 2"):
        RestrictedBoltzmannMachine(2).fit([[-1.0, 2.0], [0.0, 1.0]])


def test_too_many_states_are_refused_before_they_are_counted():
    model = machine(26, 27)
    with pytest.raises(ValueError, match="set log_partition_"):
        model.score_samples(np.zeros((1, 27)))
    model.log_partition_ = 3.0
    assert model.score_samples(np.zeros((1, 27)))[0] == -model.free_energy(np.zeros((1, 27)))[0] - 3
