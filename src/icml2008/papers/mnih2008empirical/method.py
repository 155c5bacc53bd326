"""Stopping rules for the mean of bounded samples, and a race and a booster built on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.errors import nearest

# samples that are asked for at once
FIRST = 64
LARGEST = 65536


class Stop(NamedTuple):
    """What a stopping rule returns: the estimate and how many samples it took."""

    mean: float
    n_samples: int


def power_shares(k):
    """Return the share of delta that the k-th interval may spend: k^-p (p - 1) / p, p = 1.1."""
    return 0.1 / 1.1 * np.asarray(k, dtype=float) ** -1.1


def product_shares(k):
    """Return shares 1 / (k (k + 1)), those that adaptive sampling spends."""
    k = np.asarray(k, dtype=float)
    return 1 / (k * (k + 1))


def _powers(growth):
    if not growth > 1:
        msg = f"growth is above 1, or None; found {growth}"
        raise ValueError(msg)
    return growth ** np.arange(int(np.log(1e15) / np.log(growth)))


@cache
def _intervals(growth):
    """Return where Algorithm 3's intervals begin, and by what each widens the bound (alpha)."""
    ends = np.floor(_powers(growth))
    starts = [2.0]
    for end in ends[1:-1]:  # while the grid is denser than the samples, each has its interval
        starts.append(max(starts[-1] + 1, end + 1))
    return np.array(starts), ends[1:] / ends[:-1]


def _running(sample, epsilon, delta, width, max_samples, *, spread=False):
    """Yield block by block the numbers of samples, their sums and, if asked, deviations so far."""
    if not (0 < epsilon < 1 and 0 < delta < 1 and width > 0):
        msg = f"epsilon and delta are between 0 and 1, width above 0; found {epsilon, delta, width}"
        raise ValueError(msg)
    n = 0
    total = 0.0
    squares = 0.0
    low = np.inf
    high = -np.inf
    while n < max_samples:
        size = min(max(FIRST, n // 2), LARGEST, max_samples - n)
        block = np.asarray(sample(size), dtype=float)
        if block.shape != (size,):
            msg = f"sample({size}) returns {size} numbers, found shape {block.shape}"
            raise ValueError(msg)
        low = min(low, block.min())
        high = max(high, block.max())
        if not high - low <= width * (1 + 1e-12):
            msg = f"width is {width}, but samples range from {low} to {high}"
            raise ValueError(msg)
        if n == 0:
            origin = block[0]  # sums of differences lose no digits where the spread is small
        t = np.arange(n + 1, n + size + 1)
        block = block - origin
        sums = total + np.cumsum(block)
        deviations = None
        if spread:
            second = squares + np.cumsum(block**2)
            deviations = np.sqrt(np.maximum(second / t - (sums / t) ** 2, 0))
            squares = second[-1]
        yield t, t * origin + sums, deviations
        n = n + size
        total = sums[-1]
    msg = f"no stop after {max_samples} samples: is the mean 0?"
    raise RuntimeError(msg)


def empirical_bernstein_stop(
    sample, epsilon=0.1, delta=0.1, *, width=1.0, growth=1.1, shares=power_shares,
    max_samples=10**9,
):  # fmt: skip
    """Estimate a mean up to a share epsilon of it (EBGStop; EBStop without growth).

    Parameters
    ----------
    sample : callable
        Takes a number of samples and returns as many, independent and of one distribution.
    epsilon, delta : float
        With probability 1 - `delta` the estimate is within `epsilon` times the mean of it.
    width : float
        R, the length of an interval in which all samples lie.
    growth : float or None
        beta, by which intervals with one share of delta grow; None for a share each sample.
    shares : callable
        Takes k and returns the share of delta for the k-th interval; they sum to 1 at most.
    max_samples : int

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If samples are not as many as asked for, or lie in no interval of that width.
    RuntimeError
        If the rule has not stopped after `max_samples`, as it never does if the mean is 0.

    References
    ----------
    Mnih, Szepesvári and Audibert (2008), Algorithms 2 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import empirical_bernstein_stop
    >>> rng = np.random.default_rng(0)
    >>> found = empirical_bernstein_stop(lambda size: rng.uniform(0.4, 0.6, size))
    >>> abs(found.mean - 0.5) < 0.05, found.n_samples < 1000
    (True, True)
    """
    low = 0.0
    high = np.inf
    for t, sums, spread in _running(sample, epsilon, delta, width, max_samples, spread=True):
        mean = np.abs(sums) / t
        if growth is None:
            x = np.log(3 / (delta * shares(t)))
        else:
            starts, alpha = _intervals(growth)
            k = np.searchsorted(starts, t, side="right")
            ks = np.arange(max(k[0], 1), k[-1] + 1)
            x = (alpha[ks - 1] * np.log(3 / (delta * shares(ks))))[np.maximum(k - ks[0], 0)]
        c = spread * np.sqrt(2 * x / t) + 3 * width * x / t
        c[t == 1] = np.inf
        lows = np.maximum(np.maximum.accumulate(mean - c), low)
        highs = np.minimum(np.minimum.accumulate(mean + c), high)
        stops = (1 + epsilon) * lows >= (1 - epsilon) * highs
        if stops.any():
            i = np.argmax(stops)
            middle = ((1 + epsilon) * lows[i] + (1 - epsilon) * highs[i]) / 2
            return Stop(float(np.sign(sums[i]) * middle), int(t[i]))
        low = lows[-1]
        high = highs[-1]
    raise AssertionError  # _running has raised


def adaptive_sampling_stop(
    sample, epsilon=0.1, delta=0.1, *, width=1.0, growth=None, max_samples=10**9
):
    """Estimate a mean by Hoeffding's bound alone (NAS; geometric NAS with growth).

    Parameters and errors are those of `empirical_bernstein_stop`, but that the k-th test with
    growth is made after growth^k samples, rounded up.

    References
    ----------
    Domingo, Gavaldà and Watanabe (2000); Mnih et al. (2008), Algorithm 1, which stops when the mean
    *reaches* the limit.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import adaptive_sampling_stop
    >>> rng = np.random.default_rng(0)
    >>> stop = adaptive_sampling_stop(lambda size: rng.uniform(0.4, 0.6, size))
    >>> abs(stop.mean - 0.5) < 0.05, stop.n_samples > 1000
    (True, True)
    """
    tests = None if growth is None else np.unique(np.ceil(_powers(growth)[1:]))

    def limit(k, t):
        return width * (1 + 1 / epsilon) * np.sqrt(t * np.log(k * (k + 1.0) / delta) / 2)

    for t, sums, _ in _running(sample, epsilon, delta, width, max_samples):
        k = t
        at = np.arange(len(t))
        if tests is not None:
            k = 1 + np.arange(*np.searchsorted(tests, [t[0], t[-1] + 1]))
            at = (tests[k - 1] - t[0]).astype(int)
        size = np.abs(sums[at])
        if not len(at) or size.max() < limit(k[0], t[at[0]]):  # the limit rises
            continue
        stops = size >= limit(k, t[at])
        if stops.any():
            i = at[np.argmax(stops)]
            return Stop(float(sums[i] / t[i]), int(t[i]))
    raise AssertionError  # _running has raised


def optimal_stop(sample, epsilon=0.1, delta=0.1, *, first=min, max_samples=10**9):
    """Estimate the mean of samples between 0 and 1 in three steps (AA).

    Parameters and errors are those of `empirical_bernstein_stop`. The first step is accurate to
    `first` of 1/2 and the root of `epsilon`.

    References
    ----------
    Dagum, Karp, Luby and Ross (2000): An optimal algorithm for Monte Carlo estimation.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import optimal_stop
    >>> rng = np.random.default_rng(0)
    >>> stop = optimal_stop(lambda size: rng.uniform(0.4, 0.6, size))
    >>> abs(stop.mean - 0.5) < 0.05
    True
    """
    start = first(0.5, np.sqrt(epsilon))

    def checked(size):
        block = np.asarray(sample(size), dtype=float)
        if block.size and not (block.min() >= 0 and block.max() <= 1):
            msg = f"samples are between 0 and 1, found {block.min()} to {block.max()}"
            raise ValueError(msg)
        return block

    def need(accuracy, share):
        return 4 * (np.e - 2) * np.log(2 / share) / accuracy**2

    enough = 1 + (1 + start) * need(start, delta / 3)
    for t, sums, _ in _running(checked, epsilon, delta, 1.0, max_samples):
        if sums[-1] >= enough:
            n = int(t[np.argmax(sums >= enough)])
            break
    rough = enough / n
    root = np.sqrt(epsilon)
    scale = 2 * (1 + root) * (1 + 2 * root) * (1 + np.log(1.5) / np.log(2 / delta))
    scale *= need(epsilon, delta)
    pairs = int(np.ceil(scale * epsilon / rough))
    a, b = np.reshape(checked(2 * pairs), (2, pairs))
    variance = max(np.mean((a - b) ** 2) / 2, epsilon * rough)
    last = int(np.ceil(scale * variance / rough**2))
    return Stop(float(np.mean(checked(last))), n + 2 * pairs + last)


class BestOptionRace:
    """Sample options in turn and discard each that is likely not to be the best.

    Parameters
    ----------
    bound : {"bernstein", "hoeffding"}
    delta : float
        Probability that the best option is discarded.
    width : float
        R, the length of an interval in which all rewards lie.

    Attributes
    ----------
    remaining_ : ndarray of int
        The options that are left.
    rounds_ : ndarray of int, shape (n_options,)
        How many rewards of each option were looked at.
    n_samples_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import BestOptionRace
    >>> rng = np.random.default_rng(0)
    >>> rewards = 0.1 * rng.random((1000, 3)) + [0.1, 0.2, 0.3]
    >>> BestOptionRace().run(rewards).remaining_.tolist()
    [2]
    >>> BestOptionRace("hoeffding").run(rewards).n_samples_ > 1200
    True
    """

    def __init__(self, bound="bernstein", *, delta=0.1, width=1.0):
        self.bound = bound
        self.delta = delta
        self.width = width

    def run(self, rewards):
        """Race on rewards, shape (n_rounds, n_options), a row each round; returns itself.

        Raises
        ------
        ValueError
            If the bound is unknown, or rewards lie in no interval of that width.
        """
        rewards = np.asarray(rewards, dtype=float)
        if self.bound not in ("bernstein", "hoeffding"):
            hint = nearest(self.bound, ("bernstein", "hoeffding"))
            msg = f"bound: no {self.bound!r}{hint}"
            raise ValueError(msg)
        if not np.ptp(rewards) <= self.width * (1 + 1e-12):
            msg = f"width is {self.width}, but rewards range over {np.ptp(rewards)}"
            raise ValueError(msg)
        n, options = rewards.shape
        t = np.arange(1, n + 1)[:, None]
        mean = np.cumsum(rewards, axis=0) / t
        log = np.log(options * n / self.delta)
        if self.bound == "hoeffding":
            c = self.width * np.sqrt((log + np.log(2)) / (2 * t))
        else:
            origin = rewards.mean(axis=0)
            second = np.cumsum((rewards - origin) ** 2, axis=0) / t
            variance = np.maximum(second - (mean - origin) ** 2, 0)
            x = (log + np.log(3)) / t
            c = np.sqrt(2 * variance * x) + 3 * self.width * x
        low = mean - c
        high = mean + c
        active = np.arange(options)
        start = 0
        self.rounds_ = np.full(options, n)
        while len(active) > 1:
            worse = low[start:, active].max(axis=1, keepdims=True) > high[start:, active]
            rounds = np.flatnonzero(worse.any(axis=1))
            if not len(rounds):
                break
            start += rounds[0]
            gone = worse[rounds[0]]
            self.rounds_[active[gone]] = start + 1
            active = active[~gone]
        if len(active) == 1:
            self.rounds_[active] = start + 1
        self.remaining_ = active
        self.n_samples_ = int(self.rounds_.sum())
        return self


class FilterBoost(ClassifierMixin, BaseEstimator):
    """Boost stumps by filtering; a stopping rule says when a stump's edge is known well enough.

    An example is drawn in proportion to 1 / (1 + exp(y F(x))), as a filter would let it pass.
    Boosting ends early when so few would pass that the training error is below `epsilon`.

    Parameters
    ----------
    stop : callable
        Takes a function that draws samples, a relative accuracy and a probability of failure, and
        returns a `Stop`: the rules of this module.
    rounds : int
    tau : float
        Relative accuracy of the edges.
    epsilon, delta : float
        Training error that is aimed at, and the probability to miss it.
    batch : int
        A stump of round t is the best on `batch` ln(t + 1) filtered examples.
    random_state : int, Generator or None

    Attributes
    ----------
    classes_, stumps_, weights_, n_samples_ : ndarray
        The classes; by round the feature of a stump, its weight, and the samples of its edge.

    References
    ----------
    Bradley and Schapire (2008): FilterBoost.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import FilterBoost
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, size=(2000, 5))
    >>> y = X[:, :3].sum(axis=1) >= 2  # what most of three features say
    >>> model = FilterBoost(rounds=5, random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    def __init__(
        self, stop: Callable[..., Stop] = empirical_bernstein_stop, *, rounds=10, tau=0.25,
        epsilon=0.1, delta=0.1, batch=300, random_state=None,
    ):  # fmt: skip
        self.stop = stop
        self.rounds = rounds
        self.tau = tau
        self.batch = batch
        self.epsilon = epsilon
        self.delta = delta
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to features of zeros and ones, (n_examples, n_features), and two classes."""
        X, y = validate_data(self, X, y, dtype=np.float32)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2 or not np.array_equal(X, X > 0):
            msg = "FilterBoost takes features of zeros and ones and two classes"
            raise ValueError(msg)
        rng = np.random.default_rng(self.random_state)
        y = 2 * labels - 1
        margin = np.zeros(len(y))
        stumps = []
        weights = []
        taken = []
        for t in range(1, self.rounds + 1):
            passing = 1 / (1 + np.exp(y * margin))
            if passing.mean() < self.epsilon / 2:
                break
            chance = np.cumsum(passing) / passing.sum()
            draws = rng.random(int(np.ceil(self.batch * np.log(t + 1))))
            picked = np.minimum(np.searchsorted(chance, draws), len(y) - 1)
            agreement = y[picked] @ (2 * X[picked] - 1)
            feature = int(np.argmax(np.abs(agreement)))
            stump = np.sign(agreement[feature]) * (2 * X[:, feature] - 1)
            right = passing[stump == y].sum() / passing.sum()
            # Whether the stump is right on a filtered example is a coin of this chance.
            edge, n = self.stop(
                lambda size, right=right: (rng.random(size) < right) - 0.5,
                self.tau,
                self.delta / (3 * t * (t + 1)),
            )
            edge = np.clip(edge / (1 + self.tau), -0.499, 0.499)
            weight = np.log((0.5 + edge) / (0.5 - edge)) / 2
            margin += weight * stump
            stumps.append(feature)
            weights.append(weight * np.sign(agreement[feature]))
            taken.append(n)
        self.stumps_ = np.array(stumps, dtype=int)
        self.weights_ = np.array(weights)
        self.n_samples_ = np.array(taken, dtype=int)
        return self

    def decision_function(self, X):
        """Return F(x), above 0 where the second class is more likely."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float32, reset=False)
        return (2 * X[:, self.stumps_] - 1) @ self.weights_

    def predict(self, X):
        """Return the class of each example."""
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]
