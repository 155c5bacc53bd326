"""The linear fixed point, the linear model, and what is wrong with either."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


def _checked(features, next_features, rewards, sample_weight):
    features = np.asarray(features, dtype=float)
    next_features = np.asarray(next_features, dtype=float)
    rewards = np.asarray(rewards, dtype=float)
    if features.ndim != 2 or next_features.shape != features.shape:
        msg = (
            f"features has shape {features.shape} and next_features {next_features.shape}; both "
            "need (n_samples, n_features)"
        )
        raise ValueError(msg)
    weight = np.ones(len(features)) if sample_weight is None else np.asarray(sample_weight, float)
    for name, array in (("rewards", rewards), ("sample_weight", weight)):
        if array.shape != (len(features),):
            msg = f"{name} has shape {array.shape}; {len(features)} samples need as many"
            raise ValueError(msg)
    if not all(np.isfinite(array).all() for array in (features, next_features, rewards, weight)):
        msg = "features, next_features, rewards and sample_weight must be finite"
        raise ValueError(msg)
    if (weight < 0).any() or not weight.any():
        msg = "sample_weight must not be negative, nor 0 everywhere"
        raise ValueError(msg)
    return features, next_features, rewards, weight


def _singular(matrix, scale):
    """Tell whether a matrix is singular, as far as rounding of the size of `scale` lets it show."""
    smallest = np.linalg.svd(matrix, compute_uv=False)[-1]
    return smallest <= 10 * len(matrix) * np.finfo(float).eps * np.linalg.norm(scale, 2)


class LinearFixedPoint:
    r"""The linear value function that one step of look-ahead, projected, gives back: LSTD.

    With features Phi, expected (or sampled) next features Phi', rewards R and a diagonal matrix D
    of weights, the weights w solve ``Phi' D (Phi - discount Phi') w = Phi' D R`` with the first
    Phi' a transpose: Eq. 3 of the paper.

    Parameters
    ----------
    discount : float in [0, 1)

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        w.

    See Also
    --------
    LinearModel : the same weights by way of a model of the features.

    References
    ----------
    R. Parr et al. An Analysis of Linear Models, Linear Value-Function Approximation, and Feature
    Selection for Reinforcement Learning. ICML 2008, Eqs. 1 to 3. From samples: S. Bradtke and A.
    Barto. Linear Least-Squares Algorithms for Temporal Difference Learning. Machine Learning 22,
    1996.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import LinearFixedPoint, MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> features = np.array([[1.0], [0.5]])
    >>> fitted = LinearFixedPoint(0.8).fit(
    ...     features, process.transitions @ features, process.rewards
    ... )
    >>> fitted.predict(features).round(4)
    array([2.2222, 1.1111])
    """

    def __init__(self, discount):
        self.discount = discount

    def fit(self, features, next_features, rewards, sample_weight=None):
        """Solve for the weights.

        Parameters
        ----------
        features : array-like of shape (n_samples, n_features)
            Of each state (or each state that was sampled).
        next_features : array-like of shape (n_samples, n_features)
            Expected features of the next state, ``transitions @ features``, or those of the next
            state that was sampled; zeros where the process ended.
        rewards : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the projection, such as the stationary distribution; uniform by default.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If shapes do not meet, or there is no (unique) fixed point.
        """
        features, following, rewards, weight = _checked(
            features, next_features, rewards, sample_weight
        )
        weighted = features * weight[:, None]
        matrix = weighted.T @ (features - self.discount * following)
        if _singular(matrix, weighted.T @ features):
            msg = (
                "there is no unique fixed point: the features are linearly dependent, or the model "
                "that they imply has an eigenvalue 1 / discount"
            )
            raise ValueError(msg)
        self.coef_ = np.linalg.solve(matrix, weighted.T @ rewards)
        return self

    def predict(self, features):
        """Return the values of states with these features, shape (n_samples,)."""
        return np.asarray(features, dtype=float) @ self.coef_


class LinearModel:
    """The least-squares model of next features and rewards, and its exact value function.

    Its value function is the linear fixed point (Theorem 3.1): "model-free" and "model-based"
    policy evaluation agree where both are linear in the same features.

    Parameters
    ----------
    discount : float in [0, 1)

    Attributes
    ----------
    transition_ : ndarray of shape (n_features, n_features)
        P_Phi: ``features @ transition_`` predicts the next features (Eq. 5).
    reward_ : ndarray of shape (n_features,)
        r_Phi: ``features @ reward_`` predicts the reward (Eq. 6).
    coef_ : ndarray of shape (n_features,)
        Weights of the model's value function (Eq. 9).
    spectral_radius_ : float
        Of `transition_`. Where it is 1 / discount or more, the model predicts values without
        bound, and `coef_` is no sum of predicted rewards.

    References
    ----------
    R. Parr et al. An Analysis of Linear Models, Linear Value-Function Approximation, and Feature
    Selection for Reinforcement Learning. ICML 2008, Sections 2.2 and 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import LinearModel, MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> features = np.array([[1.0], [0.5]])
    >>> model = LinearModel(0.8).fit(features, process.transitions @ features, process.rewards)
    >>> model.transition_, model.reward_
    (array([[0.8]]), array([0.8]))
    >>> model.predict(features).round(4)
    array([2.2222, 1.1111])
    """

    def __init__(self, discount):
        self.discount = discount

    def fit(self, features, next_features, rewards, sample_weight=None):
        """Fit model and values; the arguments are those of `LinearFixedPoint.fit`.

        Where features are linearly dependent, the smallest model is taken.
        """
        features, following, rewards, weight = _checked(
            features, next_features, rewards, sample_weight
        )
        root = np.sqrt(weight)[:, None]
        targets = root * np.column_stack([following, rewards])
        fitted = np.linalg.lstsq(root * features, targets)[0]
        self.transition_ = fitted[:, :-1]
        self.reward_ = fitted[:, -1]
        self.spectral_radius_ = float(np.abs(np.linalg.eigvals(self.transition_)).max())
        system = np.eye(len(fitted)) - self.discount * self.transition_
        if _singular(system, np.eye(len(fitted))):
            msg = "the model has no value function: it has an eigenvalue 1 / discount"
            raise ValueError(msg)
        self.coef_ = np.linalg.solve(system, self.reward_)
        return self

    def predict(self, features):
        """Return the values of states with these features, shape (n_samples,)."""
        return np.asarray(features, dtype=float) @ self.coef_


class BellmanError(NamedTuple):
    """The Bellman error of the linear fixed point and its two sources, one number a sample.

    Attributes
    ----------
    total : ndarray of shape (n_samples,)
        ``rewards + discount * next values - values``; it equals ``reward + feature``.
    reward : ndarray of shape (n_samples,)
        Delta_R: rewards less the model's.
    feature : ndarray of shape (n_samples,)
        ``discount * Delta_Phi @ w``: what errors in the prediction of features contribute.
    """

    total: np.ndarray
    reward: np.ndarray
    feature: np.ndarray


def bellman_error(features, next_features, rewards, discount, sample_weight=None):
    """Decompose the Bellman error of the linear fixed point (Theorem 4.1).

    Parameters
    ----------
    features, next_features, rewards, sample_weight
        As in `LinearFixedPoint.fit`.
    discount : float

    Returns
    -------
    BellmanError

    References
    ----------
    R. Parr et al. An Analysis of Linear Models, Linear Value-Function Approximation, and Feature
    Selection for Reinforcement Learning. ICML 2008, Eq. 10.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import bellman_error
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> features = np.array([[1.0], [0.5]])
    >>> errors = bellman_error(features, process.transitions @ features, process.rewards, 0.8)
    >>> errors.total.round(4), (errors.reward + errors.feature).round(4)
    (array([ 0.1111, -0.2222]), array([ 0.1111, -0.2222]))
    """
    model = LinearModel(discount).fit(features, next_features, rewards, sample_weight)
    features = np.asarray(features, float)
    following = np.asarray(next_features, float)
    rewards = np.asarray(rewards, float)
    return BellmanError(
        rewards + discount * following @ model.coef_ - features @ model.coef_,
        rewards - features @ model.reward_,
        discount * (following - features @ model.transition_) @ model.coef_,
    )
