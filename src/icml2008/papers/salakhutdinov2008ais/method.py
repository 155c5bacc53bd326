"""What is around the machines: schedules of learning, bounds of deep nets, and mixtures."""

import itertools

import numpy as np
from scipy.special import logsumexp

from icml2008.methods.nets.arithmetic import Uniform, softplus
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine

STRETCHES = 6  # of a pass, in which rate and length of the chains stay as they are
RATE = 0.05


def learn(X, n_hidden, gibbs, passes, rng, *, redraw=False, start=None):
    """Return a machine learnt by contrastive divergence.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_visible)
    gibbs : tuple of int
        Steps of a chain at the start and at the end; they grow by a constant factor.
    redraw : bool
        Draw rows anew whenever they are used, their values being probabilities.
    start : machine, optional
        Of which visible and hidden units change places.
    """
    seed = int(rng.integers(2**31))
    machine = RestrictedBoltzmannMachine(
        n_hidden, gradient="cd", weight_decay=2e-4, binarize=redraw, random_state=seed, momentum=0.5
    )
    if start is not None:
        machine.set_params(learning_rate=0.0).partial_fit(X[:1])
        machine.components_ = np.ascontiguousarray(start.components_.T)
        machine.intercept_hidden_ = start.intercept_visible_.copy()
        machine.intercept_visible_ = start.intercept_hidden_.copy()
    for step in range(passes * STRETCHES):
        if step % STRETCHES == 0:
            parts = np.array_split(rng.permutation(len(X)), STRETCHES)
        done = step / (passes * STRETCHES)
        machine.set_params(
            learning_rate=RATE * (1 - done),
            momentum=0.5 if step < STRETCHES else 0.9,
            n_gibbs=round(gibbs[0] * (gibbs[1] / gibbs[0]) ** (step / (passes * STRETCHES - 1))),
        ).partial_fit(X[parts[step % STRETCHES]])
    return machine


def learn_long(X, n_hidden, gibbs, rng, *, passes=100):
    """Return a machine learnt by many passes at one rate, as Equation 7 is written."""
    machine = RestrictedBoltzmannMachine(
        n_hidden,
        gradient="cd",
        n_gibbs=gibbs,
        learning_rate=2 * RATE,
        random_state=int(rng.integers(2**31)),
    )
    for _ in range(passes):
        machine.partial_fit(X[rng.permutation(len(X))])
    return machine


def log_joint(first, second, V, H):
    """Return ln p*(v, h) of a net of two layers, (n_rows,), but for the second's ln Z (22)."""
    inputs = H @ first.components_ + first.intercept_visible_
    return np.sum(V * inputs - softplus(inputs), axis=1, dtype=float) - second.free_energy(H)


def bounds(V, first, second, log_partition, rng, n_samples=5):
    """Return lower bounds of the log-probabilities of rows V, by samples of Q(h | v) (22, 23)."""
    Q = first.transform(V)
    draw = Uniform(int(rng.integers(2**31)))
    joint = [log_joint(first, second, V, draw.bernoulli(Q)) for _ in range(n_samples)]
    inputs = V @ first.components_.T + first.intercept_hidden_
    entropy = np.sum(softplus(inputs) - Q * inputs, axis=1, dtype=float)
    return np.mean(joint, axis=0) + entropy - log_partition


def machine_of(W, c, b):
    """Return a machine with these weights, (n_hidden, n_visible), and biases."""
    machine = RestrictedBoltzmannMachine(len(W)).partial_fit(np.zeros((1, len(b))))
    machine.components_ = W
    machine.intercept_hidden_ = c
    machine.intercept_visible_ = b
    return machine


def exact_bounds(first, second):
    """Return (19) of each visible state of a net of two layers, and its log-probability."""
    H, V = (
        np.array(list(itertools.product([0.0, 1.0], repeat=n))) for n in first.components_.shape
    )
    joint = np.array([log_joint(first, second, np.tile(v, (len(H), 1)), H) for v in V])
    joint -= logsumexp(-second.free_energy(H))
    on = first.transform(V)[:, None]
    Q = np.prod(np.where(H == 1, on, 1 - on), axis=2)
    return np.sum(Q * (joint - np.log(Q)), axis=1), logsumexp(joint, axis=1)


def mixture_scores(X, weights, means):
    """Return ln (weight times probability) of rows under components, (n_rows, n_components)."""
    odds = np.log(means / (1 - means))
    return X @ odds.T.astype(X.dtype) + (np.log(weights) + np.log1p(-means).sum(axis=1))


def mixture_log_probabilities(X, weights, means):
    """Return log-probabilities of rows, (n_rows,)."""
    return logsumexp(mixture_scores(X, weights, means), axis=1)


def fit_mixture(X, n_components, passes, rng, batch=1000):
    """Return weights and means, (n_components, n_features), of a mixture of Bernoullis by EM.

    Sufficient statistics follow those of batches, with falling steps (Cappe and Moulines 2009);
    the last pass is one step of EM on all rows. Means are drawn towards a half by one row.
    """
    share = np.full(n_components, 1 / n_components)
    ones = share[:, None] * (0.25 + 0.5 * X[rng.choice(len(X), n_components)])
    for step, rows in enumerate(_batches(len(X), batch, passes, rng)):
        part = X[rows]
        held = len(X)
        means = (held * ones + 0.5) / (held * share[:, None] + 1)
        scores = mixture_scores(part, share, means)
        scores -= logsumexp(scores, axis=1, keepdims=True)
        R = np.exp(scores, out=scores).astype(X.dtype)
        keep = 0.0 if len(part) == held else 1 - (step + 2) ** -0.7
        share = keep * share + (1 - keep) * np.maximum(R.mean(axis=0, dtype=float), 1e-12)
        ones = keep * ones + (1 - keep) * (R.T @ part).astype(float) / len(part)
    return share / share.sum(), (held * ones + 0.5) / (held * share[:, None] + 1)


def _batches(n, batch, passes, rng):
    for _ in range(passes - 1):
        yield from np.array_split(rng.permutation(n), max(1, n // batch))
    yield np.arange(n)
