"""Forecasters for the Brier game that follow a pool of experts.

Forecasts of K experts over n outcomes have the shape (..., K, n); the entries of each are at least
0 and add up to 1. Its Brier loss is between 0 and 2.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from icml2008.errors import Icml2008Error


class ForecastError(Icml2008Error):
    """Forecasts, outcomes or a learning rate that no Brier game has."""


def brier_losses(forecasts: np.ndarray) -> np.ndarray:
    """Return the losses of forecasts, (..., n), for each outcome, (..., n)."""
    return np.sum(forecasts**2, axis=-1, keepdims=True) - 2 * forecasts + 1


def suffered(forecasts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Return the losses of forecasts, (rounds, ..., n), at the outcomes, (rounds,)."""
    at = outcomes.reshape(-1, *(1,) * (forecasts.ndim - 1))
    return np.take_along_axis(brier_losses(forecasts), at, axis=-1)[..., 0]


def expert_weights(losses: np.ndarray, eta: float) -> np.ndarray:
    """Return weights in proportion to exp(-eta loss), (..., K)."""
    weights = np.exp(-eta * (losses - losses.min(axis=-1, keepdims=True)))
    return weights / weights.sum(axis=-1, keepdims=True)


def generalised_prediction(weights: np.ndarray, forecasts: np.ndarray, eta: float) -> np.ndarray:
    """Return -ln(sum_k w_k exp(-eta loss_k)) / eta for each outcome, (..., n): Algorithm 1's G."""
    shares = weights[..., None] * np.exp(-eta * brier_losses(forecasts))
    return -np.log(shares.sum(axis=-2)) / eta


def substitute(generalised: np.ndarray) -> np.ndarray:
    """Return the forecast furthest below a generalised prediction, (..., n) (Eqs. 17 and 18).

    Two units of water are poured over the generalised prediction; a forecast's entries are half of
    what stands above each outcome. No other forecast has as large a `slack`.
    """
    bottom = np.sort(generalised, axis=-1)
    levels = (2 + np.cumsum(bottom, axis=-1)) / np.arange(1, bottom.shape[-1] + 1)
    last = np.sum(levels > bottom, axis=-1, keepdims=True) - 1
    return np.maximum(np.take_along_axis(levels, last, axis=-1) - generalised, 0) / 2


def slack(generalised: np.ndarray, forecast: np.ndarray) -> np.ndarray:
    """Return the largest t such that no loss exceeds the generalised prediction less t (Eq. 16)."""
    return np.min(generalised - brier_losses(forecast), axis=-1)


def hedge_rate(best_loss: float, n_experts: int) -> float:
    """Return Freund and Schapire's rate, given a bound on the best expert's total Brier loss.

    Their beta = 1 / (1 + sqrt(2 ln K / L)) is for losses in [0, 1]: Brier losses are halved.
    """
    return float(np.log1p(np.sqrt(2 * np.log(n_experts) / (best_loss / 2))) / 2)


class WeightedAverageForecaster(BaseEstimator):
    """Kivinen and Warmuth's algorithm: the experts' mean, weighted by exp(-eta loss).

    Parameters
    ----------
    eta : float
        Learning rate, at least 0. Up to 1/4, where exp(-eta loss) is concave in the forecast, it is
        never more than ln K / eta behind the best expert.

    Attributes
    ----------
    forecasts_ : ndarray, shape (n_rounds, n_outcomes)
        What was announced in the rounds of the last call.
    losses_ : ndarray, shape (n_rounds,)
        Its Brier losses.
    total_losses_ : ndarray, shape (n_experts,)
        The experts' losses so far.
    """

    def __init__(self, eta: float = 0.25):
        self.eta = eta

    def fit(self, forecasts, outcomes, *, blocks=None):
        """Play from the beginning; see `partial_fit`."""
        self.__dict__.pop("total_losses_", None)
        return self.partial_fit(forecasts, outcomes, blocks=blocks)

    def partial_fit(self, forecasts, outcomes, *, blocks=None):
        """Play further rounds.

        Parameters
        ----------
        forecasts : array-like, shape (n_rounds, n_experts, n_outcomes)
        outcomes : array-like of int, shape (n_rounds,)
            Indices of what happened.
        blocks : array-like, shape (n_rounds,), optional
            Neighbouring rounds of one label are played at once: nothing is known of their outcomes
            before the last is announced. By default each round is a block.

        Raises
        ------
        ForecastError
            If shapes, forecasts, outcomes or the rate are none of a Brier game.
        """
        forecasts, outcomes = _checked(forecasts, outcomes)
        self._check_rate()
        theirs = suffered(forecasts, outcomes)
        rounds = np.arange(len(outcomes))
        start = getattr(self, "total_losses_", np.zeros(theirs.shape[1]))
        known = np.cumsum(np.vstack([start, theirs]), axis=0)
        labels = rounds if blocks is None else np.asarray(blocks)
        begins = np.r_[True, labels[1:] != labels[:-1]]
        seen = np.maximum.accumulate(np.where(begins, rounds, 0))
        weights = expert_weights(known[seen], self.eta)
        self.forecasts_ = self._announce(weights, forecasts)
        self.losses_ = self._suffer(weights, theirs, outcomes)
        self.total_losses_ = known[-1]
        return self

    def predict(self, forecasts):
        """Return forecasts for rounds after those seen, (n_rounds, n_outcomes)."""
        return self._announce(expert_weights(self.total_losses_, self.eta), np.asarray(forecasts))

    def _check_rate(self):
        if not self.eta >= 0:
            msg = f"eta is {self.eta}; a learning rate is at least 0"
            raise ForecastError(msg)

    def _announce(self, weights, forecasts):
        return np.sum(weights[..., None] * forecasts, axis=-2)

    def _suffer(self, weights, theirs, outcomes):
        return suffered(self.forecasts_, outcomes)


class HedgeForecaster(WeightedAverageForecaster):
    """Freund and Schapire's Hedge: follow an expert drawn by its weight, exp(-eta loss).

    As `WeightedAverageForecaster`, but ``losses_`` are the experts' weighted mean losses, what the
    draw leads to on average. `hedge_rate` is its authors' choice of a rate.
    """

    def _suffer(self, weights, theirs, outcomes):
        return np.sum(weights * theirs, axis=-1)


class AggregatingForecaster(WeightedAverageForecaster):
    """The strong aggregating algorithm (Algorithm 1): never more than ln K / eta behind the best.

    As `WeightedAverageForecaster`, with a rate above 0 and at most 1; 1 has the best guarantee.
    """

    def __init__(self, eta: float = 1.0):
        super().__init__(eta)

    def _check_rate(self):
        if not 0 < self.eta <= 1:
            msg = f"eta is {self.eta}; the Brier game is mixable for rates above 0 and up to 1"
            raise ForecastError(msg)

    def _announce(self, weights, forecasts):
        return substitute(generalised_prediction(weights, forecasts, self.eta))


def _checked(forecasts, outcomes):
    forecasts = np.asarray(forecasts, dtype=float)
    outcomes = np.asarray(outcomes)
    if forecasts.ndim != 3 or outcomes.shape != forecasts.shape[:1]:
        msg = f"forecasts are (n_rounds, n_experts, n_outcomes), not {forecasts.shape}, and "
        raise ForecastError(msg + f"outcomes (n_rounds,), not {outcomes.shape}")
    if np.any(forecasts < 0) or not np.allclose(forecasts.sum(axis=-1), 1):
        msg = "a forecast's entries are at least 0 and add up to 1"
        raise ForecastError(msg)
    if outcomes.dtype.kind not in "iu" or not np.isin(outcomes, range(forecasts.shape[2])).all():
        msg = f"outcomes are whole numbers from 0 to {forecasts.shape[2] - 1}"
        raise ForecastError(msg)
    return forecasts, outcomes
