"""Partition functions of restricted Boltzmann machines: enumerated, or annealed to.

Salakhutdinov and Murray (2008), Section 3; Neal (2001) for annealed importance sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numba
import numpy as np
from scipy.special import logsumexp
from sklearn.utils import check_random_state

from icml2008.methods.nets.arithmetic import sigmoid, softplus
from icml2008.methods.nets.gibbs import Units

TABLE = 7  # units whose states a table holds
SAFE = 690.0  # logarithm of a product of factors that is still a number


@numba.njit(cache=True, nogil=True)
def _sum_states(W, c, b, cuts, table, scores):  # pragma: no cover - compiled
    """Return the log of the sum over states of W's rows; lanes are the states of the table."""
    (n, d) = W.shape
    low = len(scores)
    tabled = 0
    while low >> tabled > 1:
        tabled += 1
    largest = -np.inf
    total = 0.0
    high = np.empty(d)
    logs = np.empty(low)
    product = np.empty(low)
    for state in range(1 << (n - tabled)):
        bias = 0.0
        for i in range(d):
            high[i] = b[i]
        for unit in range(n - tabled):
            if state >> unit & 1:
                bias += c[tabled + unit]
                for i in range(d):
                    high[i] += W[tabled + unit, i]
        for i in range(d):
            high[i] = np.exp(high[i])
        for r in range(low):
            logs[r] = scores[r] + bias
        for cut in range(len(cuts) - 1):
            for r in range(low):
                product[r] = 1.0
            for i in range(cuts[cut], cuts[cut + 1], 2):
                even = high[i]
                odd = high[i + 1]
                for r in range(low):
                    product[r] *= (1.0 + even * table[i, r]) * (1.0 + odd * table[i + 1, r])
            for r in range(low):
                logs[r] += np.log(product[r])
        for r in range(low):
            if logs[r] > largest:
                total = total * np.exp(largest - logs[r]) + 1.0
                largest = logs[r]
            else:
                total += np.exp(logs[r] - largest)
    return largest + np.log(total)


def enumerate_partition(model) -> float:
    """Return log Z of a restricted Boltzmann machine, exactly, from all states of one layer.

    Parameters
    ----------
    model : RestrictedBoltzmannMachine
        Fitted; or anything with its `components_` and intercepts.

    Raises
    ------
    ValueError
        If a unit's input may be so large that its exponential is no number.

    Notes
    -----
    The smaller layer's states are enumerated, the other's units summed out: time grows as
    ``2 ** n_small * n_large``. Sums are in float64. Products of 128 states run side by side, and
    logarithms are taken only where the largest possible product asks for it.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from icml2008.methods import enumerate_partition
    >>> machine = SimpleNamespace(
    ...     components_=np.zeros((3, 5)),
    ...     intercept_hidden_=np.zeros(3),
    ...     intercept_visible_=np.zeros(5),
    ... )
    >>> bool(np.isclose(enumerate_partition(machine), 8 * np.log(2)))  # 2^8 states alike
    True
    """
    W, c, b = (np.asarray(a, np.float64) for a in _parameters(model))
    if len(W) > W.shape[1]:
        W = W.T
        c, b = b, c
    W = np.pad(W, ((0, 0), (0, W.shape[1] % 2)))  # units go in pairs; an added one has p = 0
    b = np.pad(b, (0, W.shape[1] - len(b)), constant_values=-np.inf)
    k = min(TABLE, len(W))
    # how large the logarithm of a pair's factors can be, and a part of an input
    reach = np.logaddexp(0, b + np.maximum(W, 0).sum(axis=0)).reshape(-1, 2).sum(axis=1)
    parts = np.abs(W).sum(axis=0) + np.abs(b)
    farthest = max(reach.max(), parts[np.isfinite(b)].max())
    if farthest > SAFE:
        msg = f"an input of {farthest:.0f} is too large for the enumeration of log Z"
        raise ValueError(msg)
    cuts = [0]
    room = SAFE
    for pair, needed in enumerate(reach):
        if needed > room:
            cuts.append(2 * pair)
            room = SAFE
        room -= needed
    states = ((np.arange(1 << k)[:, None] >> np.arange(k)) & 1).astype(float)
    table = np.exp((states @ W[:k]).T).copy()
    ends = np.array([*cuts, W.shape[1]])
    return float(_sum_states(W, c, b, ends, table, states @ c[:k]))


@dataclass(frozen=True)
class AnnealedEstimate:
    """What annealing runs say of a log partition function.

    Parameters
    ----------
    log_weights : ndarray, shape (n_runs,)
        Logarithms of the runs' importance weights: unbiased for Z / Z of the base.
    log_base : float
        Log partition function of the base; 0 if only the ratio is known.
    """

    log_weights: np.ndarray
    log_base: float

    @property
    def log_partition(self) -> float:
        """Logarithm of the mean weight times the base's partition function (11)."""
        return self.log_base + float(logsumexp(self.log_weights) - np.log(len(self.log_weights)))

    def interval(self, sigmas: float = 3.0) -> tuple[float, float]:
        """Return log(Z -+ so many standard errors of Z) (12); the lower end may be -inf."""
        relative = np.exp(self.log_weights - self.log_partition + self.log_base)
        error = sigmas * relative.std(ddof=1) / np.sqrt(len(relative))
        low = np.log1p(-error) if error < 1 else -np.inf
        return self.log_partition + float(low), self.log_partition + float(np.log1p(error))


def default_betas() -> np.ndarray:
    """Return the paper's inverse temperatures, (14501,): dense towards 1 (Section 5.1)."""
    return np.concatenate(
        [
            np.linspace(0, 0.5, 500, endpoint=False),
            np.linspace(0.5, 0.9, 4000, endpoint=False),
            np.linspace(0.9, 1.0, 10001),
        ]
    )


def base_rates(X) -> np.ndarray:
    """Return visible biases, (n_features,), of the model without weights that has X's means.

    Means are drawn towards a half by one row of it: a pixel that is never on has p > 0.
    """
    share = (np.sum(X, axis=0, dtype=np.float64) + 0.5) / (len(X) + 1)
    return np.log(share / (1 - share))


class _Blend:
    """The machines between a base and a model, by the model's share beta (13-17)."""

    def __init__(self, model, base, uniform: Units) -> None:
        self.uniform = uniform
        self.dtype = model.components_.dtype
        self.parts = [_parameters(base), _parameters(model)]

    def inputs(self, V: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return each machine's visible score, (n_runs,), and hidden inputs, (n_runs, n)."""
        return [(V @ b, V @ W.T + c) for W, c, b in self.parts]

    def log_density(self, inputs, beta: float) -> np.ndarray:
        """Return log p*_beta of the states that the inputs came from, (n_runs,)."""
        total = 0.0
        for share, (score, hidden) in zip((1 - beta, beta), inputs, strict=True):
            if share:
                on = softplus(hidden * self.dtype.type(share)).sum(axis=1, dtype=np.float64)
                total = total + share * score.astype(np.float64) + on
            else:
                total = total + np.log(2.0) * hidden.shape[1]
        return total

    def move(self, inputs, beta: float) -> np.ndarray:
        """Return visible states one Gibbs step on."""
        visible = []
        bias = 0.0
        for share, (W, _, b), (_, hidden) in zip((1 - beta, beta), self.parts, inputs, strict=True):
            share = self.dtype.type(share)
            bias = bias + share * b
            if len(W):
                H = self.uniform.states(hidden * share, np.zeros(len(W), self.dtype))
                visible.append((share * H) @ W)
        return self.uniform.states(reduce(np.add, visible), bias)


def _parameters(model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return model.components_, model.intercept_hidden_, model.intercept_visible_


@dataclass(frozen=True)
class _Independent:
    """A machine of visible biases alone: it can be drawn from, and its Z is a product."""

    intercept_visible_: np.ndarray

    @property
    def components_(self) -> np.ndarray:
        return np.empty((0, len(self.intercept_visible_)), self.intercept_visible_.dtype)

    @property
    def intercept_hidden_(self) -> np.ndarray:
        return np.empty(0, self.intercept_visible_.dtype)


def annealed_importance_sampling(
    model, base=None, *, betas=None, n_runs: int = 100, start=None, random_state=None
) -> AnnealedEstimate:
    """Estimate a machine's partition function, or its ratio to another machine's, by annealing.

    Parameters
    ----------
    model : RestrictedBoltzmannMachine
        Fitted; or anything with its `components_` and intercepts.
    base : ndarray, shape (n_visible,), or such a machine, optional
        Where runs start: visible biases of a model without weights (`base_rates`), 0 without any;
        or another machine, of which only the ratio is estimated.
    betas : ndarray, optional
        Inverse temperatures from 0 to 1, rising; the paper's 14,501.
    n_runs : int
    start : ndarray, shape (n_runs, n_visible), optional
        Samples of the base; needed if that is a machine.
    random_state : int, RandomState or None

    Returns
    -------
    AnnealedEstimate
        Its `log_partition` holds the base's log Z, or is that of the ratio alone.

    Raises
    ------
    ValueError
        If betas do not rise from 0 to 1, or a machine is the base and there is no start.

    References
    ----------
    R. Salakhutdinov and I. Murray (2008), On the Quantitative Analysis of Deep Belief Networks,
    ICML, Section 3 and Eqs. 10 to 18.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RestrictedBoltzmannMachine
    >>> from icml2008.methods import annealed_importance_sampling, enumerate_partition
    >>> X = np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], 50, axis=0)
    >>> model = RestrictedBoltzmannMachine(4, batch_size=10, random_state=0).fit(X)
    >>> betas = np.linspace(0, 1, 500)
    >>> estimate = annealed_importance_sampling(model, betas=betas, random_state=0)
    >>> bool(abs(estimate.log_partition - enumerate_partition(model)) < 0.05)
    True
    """
    betas = default_betas() if betas is None else np.asarray(betas, np.float64)
    if betas[0] != 0 or betas[-1] != 1 or np.any(np.diff(betas) <= 0):
        msg = "betas rise from 0 to 1"
        raise ValueError(msg)
    W = model.components_
    uniform = Units(check_random_state(random_state).randint(2**31))
    log_base = 0.0
    if not hasattr(base, "components_"):
        biases = np.zeros(W.shape[1]) if base is None else np.asarray(base)
        base = _Independent(biases.astype(W.dtype))
        log_base = float(softplus(biases.astype(np.float64)).sum() + len(W) * np.log(2.0))
        V = uniform.bernoulli(np.tile(sigmoid(base.intercept_visible_), (n_runs, 1)))
    elif start is None:
        msg = "a base that is a machine needs samples of it: start"
        raise ValueError(msg)
    else:
        V = np.array(start, W.dtype)
        log_base += (len(W) - len(base.components_)) * np.log(2.0)
    blend = _Blend(model, base, uniform)
    weights = np.zeros(len(V))
    for before, beta in zip(betas[:-1], betas[1:], strict=True):
        inputs = blend.inputs(V)
        weights += blend.log_density(inputs, beta) - blend.log_density(inputs, before)
        if beta < 1:
            V = blend.move(inputs, beta)
    return AnnealedEstimate(weights, log_base)
