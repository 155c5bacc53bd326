"""Section 3.1's inputs and labels: counts from two multinomials, with a few labels flipped."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, gammaln

from .method import fit_logistic

WORDS = 10
LENGTH = 3
FLIPS = 3
# Three labels are flipped "among the most likely ones": these are the ones.
LIKELY = 10
BAYES = 1.7
BEST = 9.4
# The best model's error is printed to one digit, which one triple of many meets; of the three most
# likely inputs there is one triple, which is seldom nearer than half a point.
WITHIN = {"any": 0.05, "top": 0.5}
SHARPEST = 30.0
DRAWS = 10_000
# Of ten words each has at least this chance, by the mixture: a word that hardly occurs leaves its
# parameter unknown at 5,000 examples, where the figures have come to the theory.
RAREST = 0.01


class Problem(NamedTuple):
    """A law of inputs and labels, and what Theorem 1 says of it.

    Attributes
    ----------
    X : ndarray of shape (220, 10)
    marginal : ndarray of shape (220,)
        Probabilities q of the inputs.
    label : ndarray of shape (220,)
        Probabilities eta of label 1.
    theta : ndarray of shape (10,)
        The best fitting logistic model.
    """

    X: np.ndarray
    marginal: np.ndarray
    label: np.ndarray
    theta: np.ndarray

    @property
    def joint(self):
        """Probabilities of inputs and labels, (220, 2)."""
        return joint_law(self.marginal, self.label)

    @property
    def chances(self):
        """Probabilities of label 1 by the best model, (220,)."""
        return expit(self.X @ self.theta)

    def matrices(self):
        """Return H, I and J of Equations 13 to 15, each (10, 10)."""
        own = self.label * (1 - self.label)
        missed = (self.label - self.chances) ** 2
        spreads = (own, own + missed, self.chances * (1 - self.chances))
        return tuple((self.X * (self.marginal * s)[:, None]).T @ self.X for s in spreads)

    def risk(self, theta):
        """Return logarithmic risks, in nats, of parameters (..., 10)."""
        scores = theta @ self.X.T
        return (np.logaddexp(0, scores) - self.label * scores) @ self.marginal

    def error(self, theta):
        """Return probabilities of error, in percent, of parameters (..., 10); ties are label 0."""
        wrong = np.where(theta @ self.X.T > 0, 1 - self.label, self.label)
        return 100 * wrong @ self.marginal


def count_vectors():
    """Return the 220 vectors of ten counts that sum to three."""
    chosen = itertools.combinations_with_replacement(range(WORDS), LENGTH)
    return np.array([np.bincount(words, minlength=WORDS) for words in chosen], dtype=float)


def joint_law(marginal, label):
    """Return probabilities by input and label, (..., n_inputs, 2)."""
    return np.stack([marginal * (1 - label), marginal * label], axis=-1)


def mixture(X, logs):
    """Return probabilities of inputs, and of label 1, for logarithms (2, 10) of two multinomials.

    Of each row a constant is taken off, so that its exponentials sum to 1.
    """
    rows = logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)
    ways = math.factorial(LENGTH) / np.exp(gammaln(X + 1).sum(axis=1))
    marginal = 0.5 * ways * np.exp(X @ rows.T).sum(axis=1)
    return marginal, expit(X @ (rows[1] - rows[0]))


def bayes_error(marginal, label):
    """Return the Bayes error in percent."""
    return 100 * marginal @ np.minimum(label, 1 - label)


def drawn_logs(rng, law):
    """Return logarithms of two multinomials' parameters before they are sharpened."""
    if law == "dirichlet":
        return np.log(rng.dirichlet(np.ones(WORDS), size=2))
    if law == "normal":
        return rng.normal(size=(2, WORDS))
    half = rng.normal(size=WORDS)
    if law == "blocks":
        # Each class has five likely words, the other's five are not.
        half = np.repeat([-1.0, 1.0], WORDS // 2) + 0.3 * half
    return np.array([-half, half])


def sharpened(X, logs, bayes):
    """Return the mixture of powers of the multinomials that has this Bayes error.

    Returns None if there is none, or if it has a word that hardly occurs.
    """

    def beyond(power):
        return bayes_error(*mixture(X, power * logs)) - bayes

    if beyond(SHARPEST) > 0:
        return None
    marginal, label = mixture(X, brentq(beyond, 0, SHARPEST, xtol=1e-12) * logs)
    if (marginal @ X).min() < LENGTH * RAREST:
        return None
    return marginal, label


def with_flips(labels, flips):
    """Return labels, (..., n_inputs), of which those of each row of flips are turned."""
    turned = np.tile(labels, (len(flips), 1))
    rows = np.arange(len(flips))[:, None]
    turned[rows, flips] = 1 - turned[rows, flips]
    return turned


def flipped(X, marginal, label, best, which):
    """Return the labels with three flipped for which the best logistic model errs `best` percent.

    `which` is ``top``, the three most likely inputs, or ``any`` three of the ten most likely.
    Returns None if no three come as near as `WITHIN` says.
    """
    order = np.argsort(-marginal, kind="stable")
    likely = order[: LIKELY if which == "any" else FLIPS]
    labels = with_flips(label, np.array(list(itertools.combinations(likely, FLIPS))))
    thetas = fit_logistic(X, joint_law(np.broadcast_to(marginal, labels.shape), labels))
    wrong = np.where(thetas @ X.T > 0, 1 - labels, labels)
    gaps = np.abs(100 * wrong @ marginal - best)
    nearest = gaps.argmin()
    return labels[nearest] if gaps[nearest] <= WITHIN[which] else None


def draw_problem(rng, *, bayes, best=None, flips="any", law="dirichlet"):
    """Draw parameters until the printed error rates are met.

    Parameters
    ----------
    rng : numpy.random.Generator
    bayes : float
        Bayes error in percent.
    best : float, optional
        Error of the best logistic model in percent; if left out, any.
    flips : {"none", "any", "top"}
        Which three of the likely inputs have their labels flipped.
    law : {"dirichlet", "normal", "mirrored", "blocks"}

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If none of 10,000 draws has these rates.
    """
    X = count_vectors()
    for _ in range(DRAWS):
        mixed = sharpened(X, drawn_logs(rng, law), bayes)
        if mixed is None:
            continue
        marginal, label = mixed
        if best is not None:
            label = flipped(X, marginal, label, best, flips)
        elif flips != "none":
            order = np.argsort(-marginal, kind="stable")[:LIKELY]
            chosen = order[:FLIPS] if flips == "top" else rng.choice(order, FLIPS, replace=False)
            label = with_flips(label, chosen[None])[0]
        if label is not None:
            theta = fit_logistic(X, joint_law(marginal, label)[None])[0]
            return Problem(X, marginal, label, theta)
    rates = f"a Bayes error of {bayes} and a best error of {best}"
    msg = f"none of {DRAWS} draws by the law {law!r} has {rates}"
    raise ValueError(msg)
